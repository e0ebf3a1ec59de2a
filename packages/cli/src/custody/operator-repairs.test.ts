import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MemoryStore } from '@venue/log';
import { createLogger } from '../../../exchange/src/observe/logger.ts';
import {
  DEPOSITS,
  type LocalVenue,
  OPERATOR_TOKEN,
  openSession,
  startVenue,
} from '../../../exchange/test/support.ts';
import { runInProcess } from '../../test/in-process.ts';

const ENV = { ...DEPOSITS, VENUE_PAYOUT_MIN_USD: '1' };
const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
const VAULT = `0x${'11'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const WHY = ['--reason', 'reported by the owner', '--yes'];

let venue: LocalVenue;
before(async () => {
  venue = await startVenue(ENV);
});
after(() => venue.exchange.stop());

async function operator(...words: string[]) {
  return runInProcess(['operator', ...words], {
    VENUE_URL: venue.url,
    VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    VENUE_SETTLE_TOKEN_1: DEPOSITS.VENUE_SETTLE_TOKEN_1!,
    VENUE_SETTLE_TOKEN_2: DEPOSITS.VENUE_SETTLE_TOKEN_2!,
  });
}

function deposit(
  address: string,
  amount: number,
  logIndex: number,
  vault: object = { chainId: 5, vault: VAULT },
) {
  const body = { address, amount, txHash: HASH, logIndex, blockNumber: 1, blockHash: HASH, ...vault };
  return venue.post('/v1/deposit', body, OPERATOR);
}

/** The lines that a node prints at its start on this log. */
async function saidAtStart(
  store: MemoryStore,
  env: Record<string, string | undefined> = ENV,
): Promise<string> {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  await (await startVenue(env, { store, logger })).exchange.stop();
  return lines.join('');
}

const reserves = async () => (await venue.get('/v1/reserves')).body;

test('CUS-1: the ledger is bound by both secrets, and takes deposits of its vault only', async () => {
  assert.deepEqual(
    [(await reserves()).chainId, (await reserves()).vault, (await reserves()).depositedUsd],
    [null, null, 0],
  );
  const bind = ['bind', '--chain-id', '5', '--vault', VAULT];
  const unasked = await operator(...bind);
  assert.match(unasked.stderr, /holds real money and there is no terminal .*add --yes/);
  assert.equal((await operator('bind', '--chain-id', '6', '--vault', VAULT, '--yes')).code, 0);
  const before = ['--paid-before', '0', '--deposited-before'];
  const half = await operator(...bind, '--paid-before', '0', '--yes');
  assert.match(half.stderr, /--paid-before with --deposited-before/);
  assert.match(
    (await operator(...bind, ...before, '1e3', '--yes')).stderr,
    /an amount in dollars, not "1e3"/,
  );
  assert.match(
    (await operator(...bind, ...before, '7', '--yes')).stderr,
    /paid and deposited before must be/,
  );
  const { stdout, stderr } = await operator(...bind, ...before, '0.00', '--yes');
  assert.equal(stdout, `bound to the vault ${VAULT} on chain 5\n`, stderr);
  assert.equal((await deposit(VAULT, 1, 0, {})).status, 409);
  const { status, body } = await deposit(VAULT, 1, 0, { chainId: 1, vault: VAULT });
  assert.deepEqual([status, body], [409, { error: 'deposit of another vault' }]);
  assert.match(
    (await operator('bind', '--chain-id', '6', '--vault', VAULT, '--yes')).stderr,
    /--after-another/,
  );
});

test('CUS-1: two people bind the ledger, each with one secret', async () => {
  const one = (secret: 1 | 2) =>
    runInProcess(['operator', 'bind', '--chain-id', '5', '--vault', VAULT, '--yes'], {
      VENUE_URL: venue.url,
      [`VENUE_SETTLE_TOKEN_${secret}`]: DEPOSITS[`VENUE_SETTLE_TOKEN_${secret}`]!,
    });
  assert.match(
    (await one(1)).stdout,
    /^asked to be bound to the vault 0x1+ on chain 5: the second operator must ask for the same within 15 minutes/,
  );
  assert.match((await one(2)).stdout, /^bound to the vault/);
});

test('CUS-1: an attempt with a wrong secret is audited', async () => {
  const request = { chainId: 5, vault: VAULT, paidBeforeUsd: 0, depositedBeforeUsd: 0, funder: null };
  const attempt = await venue.post('/v1/operator/vault', request, {
    headers: { 'x-settle-token-1': DEPOSITS.VENUE_SETTLE_TOKEN_1! },
  });
  assert.deepEqual([attempt.status, attempt.body.bound], [200, false], 'the other person has not asked yet');
  const stranger = await venue.post('/v1/operator/vault', request);
  assert.deepEqual([stranger.status, stranger.body], [403, { error: 'wrong credential' }]);
  const { entries } = (await venue.get('/v1/operator/audit', OPERATOR)).body;
  const { action, terms, accepted, reason } = entries.at(-1);
  assert.deepEqual([action, accepted, reason], ['bind', false, 'wrong credential']);
  assert.deepEqual(JSON.parse(terms).secrets, [false, false]);
  assert.match(
    (await operator('audit')).stdout,
    /^#7 .* bind \{"chainId":5,.*\n {2}refused: wrong credential$/m,
  );
  assert.match((await operator('audit', '--verify')).stdout, /7 entries/);
});

test('CUS-5, CUS-6: a payout carries what was signed, and less than the smallest is refused', async () => {
  const session = await openSession(venue);
  await deposit(session.account, 10_000_000, 1);
  const little = await venue.post('/v1/withdraw', await session.withdraw(0.5));
  assert.deepEqual([little.status, little.body], [400, { error: 'amount below the smallest payout (1.00)' }]);
  const signed = await session.withdraw(2);
  await venue.post('/v1/withdraw', signed);
  const [payout] = (await venue.get('/v1/operator/payouts', OPERATOR)).body.payouts;
  const { sessionKey, nonce, signature } = signed as Record<string, unknown>;
  assert.deepEqual(payout.withdrawal, { sessionKey, nonce, signature });
  assert.equal(payout.payoutId, 1);
  assert.match(payout.approval.signature, /^0x[0-9a-f]{130}$/);
  assert.deepEqual([payout.revocation, payout.approvals, payout.waits], [null, [], null]);
});

test('CUS-3, CUS-4: what an operator puts right survives a restart, and is audited', async () => {
  const session = await openSession(venue);
  const { account } = session;
  await deposit(account, 100_000_000, 2);
  const { id } = (await venue.post('/v1/withdraw', await session.withdraw(3))).body;
  assert.match((await operator('void', String(id), ...WHY)).stdout, / 3\.000000 +voided/);
  assert.match((await operator('void', String(id), ...WHY)).stderr, /no longer requested/);
  assert.equal((await operator('epoch', ...WHY)).stdout, 'the epoch is 1\n');
  assert.match(
    (await operator('hold', '--tx', HASH, '--log-index', '2', ...WHY)).stdout,
    /^held 100\.000000 USD of/,
  );
  assert.match((await operator('freeze', account, ...WHY)).stdout, /are refused/);
  await venue.post('/v1/operator/payouts/halt', { reason: 'the vault is short of 12.50' }, OPERATOR);

  await venue.exchange.stop();
  venue = await startVenue(ENV, { store: venue.store });
  const { epoch, payoutsHalted, vault } = await reserves();
  assert.deepEqual([epoch, payoutsHalted, vault], [1, 'the vault is short of 12.50', VAULT]);
  const frozen = await venue.post('/v1/withdraw', await session.withdraw(1));
  assert.deepEqual([frozen.status, frozen.body], [403, { error: 'withdrawals are frozen by the operator' }]);
  assert.match((await operator('held')).stdout, new RegExp(`${account} +100\\.000000 +1`));
  await operator('unfreeze', account, ...WHY);
  assert.match((await operator('release', account, '--yes')).stdout, /^released 100\.000000 USD/);
  const asked = await venue.post('/v1/withdraw', await session.withdraw(4));
  assert.equal(asked.status, 200);
  const { payouts } = (await venue.get(`/v1/operator/payouts?after=${asked.body.id - 1}`, OPERATOR)).body;
  assert.equal(payouts[0].payoutId, 2 ** 40 + asked.body.id);
  const adopted = { payoutId: 9, address: account, amountUsd: 5, txHash: HASH, reason: 'lost' };
  const { status, body } = await venue.post('/v1/operator/payouts/adopt', adopted, OPERATOR);
  assert.deepEqual([status, body.payout.state, body.payout.payoutId], [200, 'committed', 9]);
  const { entries } = (await venue.get('/v1/operator/audit', OPERATOR)).body;
  const acts = entries.map((entry: { action: string; accepted: boolean }) =>
    entry.accepted ? entry.action : `refused ${entry.action}`,
  );
  const words =
    'void, refused void, epoch, hold-deposit, freeze-withdrawals, freeze-withdrawals, release, adopt';
  assert.equal(acts.slice(-8).join(', '), words);
  assert.equal(entries.at(-1).by, 'operator', 'OPS-2 the shared secret has that name');
});

test('CUS-1: a ledger that is bound to no vault says so at every start', async () => {
  const unbound = /the ledger is bound to no vault and takes deposits of any: run \\"venue operator bind\\"/;
  const store = new MemoryStore();
  for (let start = 0; start < 2; start++) assert.match(await saidAtStart(store), unbound);
  await venue.exchange.stop();
  assert.doesNotMatch(await saidAtStart(venue.store), unbound);
  venue = await startVenue(ENV, { store: venue.store });
});

test('RSK-1: with real money, marks of the books are warned of in one line, and those of the model are not', async () => {
  const warning = /"level":40.*one absurd order of a stranger in a thin book .*: set VENUE_RISK_MARK=model"/;
  const store = new MemoryStore();
  assert.match(await saidAtStart(store), warning);
  assert.doesNotMatch(await saidAtStart(store, { ...ENV, VENUE_RISK_MARK: 'model' }), warning);
});

test('a report that says nothing new becomes no entry', async () => {
  const seq = async () => (await venue.get('/healthz')).body.seq;
  const halt = () => venue.post('/v1/operator/payouts/halt', { reason: null }, OPERATOR);
  await halt();
  const before = await seq();
  assert.equal((await halt()).status, 200);
  const wait = { id: 1, reason: null };
  assert.equal((await venue.post('/v1/operator/payouts/wait', wait, OPERATOR)).status, 200);
  assert.equal(await seq(), before);
});

test('bad words change nothing', async () => {
  const WORDS: [string[], RegExp][] = [
    [['bind', '--yes'], /either --file, or --chain-id and --vault/],
    [['epoch', '--yes'], /required option '--reason/],
    [['void', 'x', ...WHY], /must be a number/],
    [['freeze', '0x12', ...WHY], /must be 0x and 40 hex digits/],
    [['hold', '--tx', '0x12', '--log-index', '1', ...WHY], /0x and 64 hex digits/],
    [['epoch', '--reason', 'two\nlines', '--yes'], /reason malformed/],
  ];
  for (const [words, message] of WORDS) assert.match((await operator(...words)).stderr, message);
});
