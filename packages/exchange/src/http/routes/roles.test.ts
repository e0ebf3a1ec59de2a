import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { allRoutes } from '../../../test/contract/routes.ts';
import {
  DEPOSITS,
  FEED_TOKEN,
  type LocalVenue,
  MAKER_TOKEN,
  OPERATOR_TOKEN,
  type OpenSession,
  openSession,
  type Reply,
  startVenue,
} from '../../../test/support.ts';
import { createLogger } from '../../observe/logger.ts';

const TOKENS = {
  people: OPERATOR_TOKEN,
  deposit: 'deposit-secret-deposit-secret-deposit-',
  payout: 'payout-secret-payout-secret-payout-sec',
  attest: 'attest-secret-attest-secret-attest-sec',
  metrics: 'metrics-secret-metrics-secret-metrics-',
  feed: FEED_TOKEN,
  maker: MAKER_TOKEN,
} as const;
type Holder = keyof typeof TOKENS;
const HOLDERS = Object.keys(TOKENS) as readonly Holder[];

/** Who may call each route of operators and their daemons. */
const MATRIX: Readonly<Record<string, readonly Holder[]>> = {
  'POST /v1/deposit': ['deposit'],
  'GET /v1/operator/payouts': ['people', 'payout'],
  'POST /v1/operator/payouts/commit': ['payout'],
  'GET /v1/operator/parked': ['attest'],
  'POST /v1/operator/parked/attest': ['attest'],
  'GET /v1/operator/held': ['people'],
  'POST /v1/operator/held/release': ['people'],
  'GET /v1/operator/audit': ['people'],
  'GET /v1/operator/exposure': ['people'],
  'POST /v1/operator/clock': ['people'],
  'POST /v1/operator/payouts/halt': ['payout'],
  'POST /v1/operator/payouts/wait': ['payout'],
  'POST /v1/operator/payouts/approve': ['people'],
  'POST /v1/operator/payouts/adopt': ['people'],
  'POST /v1/operator/payouts/void': ['people'],
  'POST /v1/operator/epoch': ['people'],
  'POST /v1/operator/withdrawals/freeze': ['people'],
  'POST /v1/operator/deposits/hold': ['people'],
  'POST /v1/operator/deposits/reverse': ['people'],
  'GET /v1/operator/deposits': ['people', 'deposit'],
};
/** They take the secrets of settlement, which are no token of any role; with a body that each of them reads. */
const VAULT = {
  chainId: 1,
  vault: `0x${'cd'.repeat(20)}`,
  funder: null,
  paidBeforeUsd: 0,
  depositedBeforeUsd: 0,
};
const BY_TWO_SECRETS: Readonly<Record<string, object>> = {
  'POST /v1/operator/settle': {},
  'POST /v1/operator/settle/propose': {},
  'POST /v1/operator/settle/confirm': {},
  'POST /v1/operator/vault': VAULT,
};

const HASH = `0x${'ab'.repeat(32)}`;

function refused({ status, body }: Reply): boolean {
  return status === 403 && body.error === 'wrong credential';
}

describe('CUS-9 a secret does no more than its role', () => {
  let venue: LocalVenue;
  let session: OpenSession;
  before(async () => {
    venue = await startVenue({
      ...DEPOSITS,
      VENUE_DEPOSIT_TOKEN: TOKENS.deposit,
      VENUE_PAYOUT_TOKEN: TOKENS.payout,
      VENUE_ATTEST_TOKEN: TOKENS.attest,
      VENUE_METRICS_TOKEN: TOKENS.metrics,
    });
    session = await openSession(venue);
  });
  after(() => venue.exchange.stop());

  /** A call with a secret in every header that carries any. */
  function call(route: string, secret: string, body: unknown = {}): Promise<Reply> {
    const [method = '', path = ''] = route.split(' ');
    const headers = {
      ...Object.fromEntries(['operator', 'feed', 'maker'].map((role) => [`x-${role}-token`, secret])),
      authorization: `Bearer ${secret}`,
    };
    return method === 'GET' ? venue.get(path, { headers }) : venue.post(path, body, { headers });
  }

  it('the matrix names every route of operators', () => {
    const routes = allRoutes()
      .filter(({ path }) => path.startsWith('/v1/operator/') || path === '/v1/deposit')
      .map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(routes.sort(), Object.keys({ ...MATRIX, ...BY_TWO_SECRETS }).sort());
  });

  it('OPS-2 every route that people may use says which role it takes', () => {
    const daemons = ['deposit', 'payout', 'attest'];
    const nameless = allRoutes()
      .filter(({ path, role }) => path.startsWith('/v1/operator/') && role === undefined)
      .filter(({ access }) => !daemons.includes(access));
    assert.deepEqual(nameless, []);
  });

  for (const [route, admitted] of Object.entries(MATRIX)) {
    for (const holder of HOLDERS) {
      const isAdmitted = admitted.includes(holder);
      it(`${route} is ${isAdmitted ? 'open' : 'closed'} to the secret of ${holder}`, async () => {
        assert.equal(refused(await call(route, TOKENS[holder])), !isAdmitted);
      });
    }
  }

  for (const holder of HOLDERS) {
    it(`the secret of ${holder} ${holder === 'deposit' ? 'credits a deposit' : 'credits nothing'}`, async () => {
      const cash = async () => (await venue.get('/v1/me', { token: session.token })).body.cash;
      const before = await cash();
      const log = { txHash: HASH, logIndex: HOLDERS.indexOf(holder), blockNumber: 1, blockHash: HASH };
      const reply = await call('POST /v1/deposit', TOKENS[holder], {
        address: session.account,
        amount: 5_000_000,
        ...log,
      });
      assert.equal(reply.status, holder === 'deposit' ? 200 : 403);
      assert.equal(await cash(), holder === 'deposit' ? before + 5 : before);
    });
  }

  it('a payout is noted with the secret of payouts alone, and seen with that of people too', async () => {
    await venue.post('/v1/withdraw', await session.withdraw(1));
    const states = async (holder: Holder) => {
      const { body } = await call('GET /v1/operator/payouts', TOKENS[holder]);
      return body.payouts.map(({ state }: { state: string }) => state);
    };
    for (const holder of HOLDERS.filter((one) => one !== 'payout')) {
      const commit = { ids: [1], txHash: HASH };
      assert.ok(refused(await call('POST /v1/operator/payouts/commit', TOKENS[holder], commit)), holder);
    }
    assert.deepEqual(await states('people'), ['requested']);
    const { status } = await call('POST /v1/operator/payouts/commit', TOKENS.payout, {
      ids: [1],
      txHash: HASH,
    });
    assert.equal(status, 200);
    assert.deepEqual(await states('people'), ['committed']);
    assert.deepEqual(await states('payout'), ['committed']);
  });

  it('none of them settles by hand or binds the ledger', async () => {
    for (const [route, body] of Object.entries(BY_TWO_SECRETS))
      for (const holder of HOLDERS)
        assert.equal((await call(route, TOKENS[holder], body)).status, 403, `${route} ${holder}`);
  });
});

describe('CUS-9 where a daemon has no secret of its own', () => {
  it('a start with real money says so, and one with test money or all secrets does not', async (t) => {
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => lines.push(JSON.parse(line).msg) });
    const ofNames = () => lines.filter((line) => line.startsWith('VENUE_OPERATORS is not set'));
    const ofSecrets = () => lines.filter((line) => line.includes('_TOKEN') && !ofNames().includes(line));
    const others = { VENUE_PAYOUT_TOKEN: TOKENS.payout, VENUE_ATTEST_TOKEN: TOKENS.attest };
    const own = { ...others, VENUE_DEPOSIT_TOKEN: TOKENS.deposit };
    for (const env of [{}, { ...DEPOSITS, ...own }, { ...DEPOSITS, ...others }]) {
      assert.deepEqual(ofSecrets(), []);
      const venue = await startVenue(env, { logger });
      t.after(() => venue.exchange.stop());
    }
    assert.deepEqual(ofSecrets(), [
      'VENUE_DEPOSIT_TOKEN is not set: anyone with VENUE_OPERATOR_TOKEN can also credit deposits',
    ]);
    assert.equal(ofNames().length, 2, 'each start with real money asks for names (OPS-2)');
  });

  for (const [variable, route, others] of [
    ['VENUE_DEPOSIT_TOKEN', 'POST /v1/deposit', 'POST /v1/operator/payouts/commit'],
    ['VENUE_PAYOUT_TOKEN', 'POST /v1/operator/payouts/commit', 'POST /v1/deposit'],
  ] as const) {
    it(`the operators' secret stands for ${variable}, for it alone`, async (t) => {
      const other = variable === 'VENUE_DEPOSIT_TOKEN' ? 'VENUE_PAYOUT_TOKEN' : 'VENUE_DEPOSIT_TOKEN';
      const venue = await startVenue({ ...DEPOSITS, [other]: TOKENS.deposit });
      t.after(() => venue.exchange.stop());
      const post = (named: string) =>
        venue.post(named.replace('POST ', ''), {}, { headers: { 'x-operator-token': OPERATOR_TOKEN } });
      assert.equal((await post(route)).status, 400);
      assert.ok(refused(await post(others)));
    });
  }
});
