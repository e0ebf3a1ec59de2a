import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { MemoryStore } from '@venue/log';
import {
  addressOf,
  DEPOSITS,
  type Json,
  type LocalVenue,
  newWallet,
  OPERATOR_TOKEN,
  type OpenSession,
  openSession,
  pricedVenue,
  type Reply,
  Stream,
  signIn,
  startVenue,
} from '../../../test/support.ts';

const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
const FROZEN = 'account frozen — no linked wallet address';

/** A distinct hash for each text. */
function hashOf(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}

function depositOf(address: string, amount: number, name = `${address} ${amount}`) {
  return { address, amount, txHash: hashOf(name), logIndex: 3, blockNumber: 77, blockHash: hashOf('block') };
}

function seen({ status, body }: Reply): [number, Json] {
  return [status, body.error ?? body.status ?? body.state];
}

class Custody {
  readonly venue: LocalVenue;

  constructor(venue: LocalVenue) {
    this.venue = venue;
  }

  deposit(body: object): Promise<Reply> {
    return this.venue.post('/v1/deposit', body, OPERATOR);
  }

  async withdraw(session: OpenSession, amountUsd: number): Promise<Reply> {
    return this.venue.post('/v1/withdraw', await session.withdraw(amountUsd));
  }

  commit(ids: readonly number[], txHash: string): Promise<Reply> {
    return this.venue.post('/v1/operator/payouts/commit', { ids, txHash }, OPERATOR);
  }

  async payouts(query = ''): Promise<Json[]> {
    return (await this.venue.get(`/v1/operator/payouts${query}`, OPERATOR)).body.payouts;
  }

  async cash(session: OpenSession): Promise<number> {
    return (await this.venue.get('/v1/me', { token: session.token })).body.cash;
  }

  /** Signs a wallet in and deposits. */
  async funded(amountUsd: number): Promise<OpenSession> {
    const session = await openSession(this.venue);
    const reply = await this.deposit(depositOf(session.account, amountUsd * 1e6));
    assert.deepEqual(seen(reply), [200, 'credited']);
    return session;
  }
}

describe('custody', () => {
  let venue: LocalVenue;
  let custody: Custody;
  before(async () => {
    venue = await pricedVenue(DEPOSITS);
    custody = new Custody(venue);
  });
  after(() => venue.exchange.stop());

  it('a deposit credits once; a repeat with other values is a conflict that changes nothing (DEP-1)', async () => {
    const session = await openSession(venue);
    assert.equal(await custody.cash(session), 0);
    const deposit = depositOf(session.wallet.address, 1_500_000);
    const credited = await custody.deposit(deposit);
    const { amount, txHash, logIndex } = deposit;
    assert.deepEqual(credited.body, {
      status: 'credited',
      address: session.account,
      amount,
      txHash,
      logIndex,
    });
    const upper = { ...deposit, txHash: `0x${deposit.txHash.slice(2).toUpperCase()}` };
    assert.deepEqual(seen(await custody.deposit(upper)), [200, 'duplicate']);
    const others = [
      { address: addressOf(newWallet()) },
      { amount: 1_500_001 },
      { blockNumber: 78 },
      { blockHash: hashOf('fork') },
    ];
    for (const other of others) {
      assert.deepEqual(seen(await custody.deposit({ ...deposit, ...other })), [409, 'deposit conflict']);
    }
    for (const other of [{ blockNumber: 78 }, { blockHash: hashOf('fork') }]) {
      const moved = { ...deposit, logIndex: 4, ...other };
      assert.deepEqual(seen(await custody.deposit(moved)), [409, 'deposit conflict']);
    }
    assert.deepEqual(seen(await custody.deposit({ ...deposit, logIndex: 4 })), [200, 'credited']);
    assert.equal(await custody.cash(session), 3);
  });

  it('the account frame is sent when money comes in', async () => {
    const session = await openSession(venue);
    const stream = await new Stream(venue, session.token).opened();
    await custody.deposit(depositOf(session.account, 2_000_000));
    await stream.frame(({ type, account }) => type === 'account' && account.cash === 2);
    stream.socket.close();
  });

  it('holds deposits of an address that never signed in until an operator releases them (DEP-2, FINE-12)', async () => {
    const wallet = newWallet();
    const address = addressOf(wallet);
    assert.deepEqual(seen(await custody.deposit(depositOf(address, 7_000_000))), [200, 'held']);
    const before = (await venue.get('/v1/reserves')).body;
    const session = await openSession(venue, wallet);
    assert.deepEqual(seen(await custody.deposit(depositOf(address, 1_000_000))), [200, 'held']);
    const { body: me } = await venue.get('/v1/me', { token: session.token });
    assert.deepEqual([me.cash, me.held], [0, 8]);
    const { body } = await venue.get('/v1/operator/held', OPERATOR);
    assert.deepEqual(
      body.held.find((row: Json) => row.address === address),
      { address, amountUsd: 8, deposits: 2 },
    );
    assert.deepEqual(seen(await custody.withdraw(session, 1)), [400, FROZEN]);
    const { seriesId } = await venue.listed('BTC');
    const order = await venue.post(
      '/v1/order',
      await session.order({ seriesId, side: 'buy', qty: 1, price: 1 }),
    );
    assert.deepEqual([order.status, order.body.status, order.body.reason], [400, 'rejected', FROZEN]);

    const release = () => venue.post('/v1/operator/held/release', { address }, OPERATOR);
    const { body: released } = await release();
    assert.deepEqual([released.ok, released.released, released.account.cash], [true, 8, 8]);
    assert.equal('held' in released.account, false);
    assert.deepEqual(seen(await release()), [400, 'nothing held for this address']);
    assert.deepEqual(seen(await custody.deposit(depositOf(address, 500_000))), [200, 'credited']);
    assert.deepEqual(seen(await custody.withdraw(session, 8.5)), [200, 'requested']);
    const now = (await venue.get('/v1/reserves')).body;
    assert.equal(
      now.cashTotalUsd + now.pendingWithdrawalsUsd,
      before.cashTotalUsd + before.pendingWithdrawalsUsd + 1.5,
    );
  });

  it('a withdrawal debits immediately, pays the caller’s own address and names no other (PAY-1, SIG-3)', async () => {
    const session = await custody.funded(100);
    const { status, body } = await custody.withdraw(session, 40.25);
    assert.equal(status, 200);
    const { account, ...payout } = body;
    const { id, requestedAt } = payout;
    assert.deepEqual(payout, {
      id,
      amountUsd: 40.25,
      state: 'requested',
      address: session.account,
      requestedAt,
    });
    assert.deepEqual([account.cash, account.buyingPower], [59.75, 59.75]);
    const { token } = session;
    assert.deepEqual((await venue.get(`/v1/withdraw/${id}`, { token })).body, payout);
    assert.deepEqual((await venue.get('/v1/withdrawals', { token })).body, { withdrawals: [payout] });
    const stranger = await signIn(venue);
    for (const other of [id, id + 1_000, 'x', `0${id}`, '%20']) {
      const reply = await venue.get(`/v1/withdraw/${other}`, { token: stranger.token });
      assert.deepEqual(seen(reply), [404, 'unknown withdrawal'], String(other));
    }
    assert.deepEqual(seen(await venue.get(`/v1/withdraw/0${id}`, { token })), [404, 'unknown withdrawal']);
    assert.equal((await venue.get(`/v1/withdraw/${id}`)).status, 401);
    assert.deepEqual((await venue.get('/v1/withdrawals', { token: stranger.token })).body.withdrawals, []);
  });

  it('the limit is buying power less what is pending, to the micro (PAY-2)', async () => {
    const session = await custody.funded(100);
    await custody.withdraw(session, 40);
    assert.deepEqual(seen(await custody.withdraw(session, 20.000001)), [
      400,
      'insufficient withdrawable balance (need ~20.00, have 20.00)',
    ]);
    const { seriesId } = await venue.listed('BTC');
    await venue.post('/v1/order', await session.order({ seriesId, side: 'buy', qty: 1, price: 5 }));
    assert.deepEqual(seen(await custody.withdraw(session, 20)), [
      400,
      'insufficient withdrawable balance (need ~20.00, have 15.00)',
    ]);
    assert.deepEqual(seen(await custody.withdraw(session, 15)), [200, 'requested']);
    assert.equal(await custody.cash(session), 45);
  });

  it('refuses invalid amounts and unsigned requests', async () => {
    const session = await custody.funded(10);
    for (const amount of [0, -1]) {
      assert.deepEqual(seen(await custody.withdraw(session, amount)), [400, 'amount must be positive']);
    }
    const signed = await session.withdraw(1);
    for (const amountUsd of [0.0000001, 1e300]) {
      const reply = await venue.post('/v1/withdraw', { ...signed, amountUsd });
      assert.deepEqual(seen(reply), [400, 'amount must be positive']);
    }
    for (const amountUsd of ['1', null, true]) {
      const reply = await venue.post('/v1/withdraw', { ...signed, amountUsd });
      assert.deepEqual(seen(reply), [400, 'amountUsd must be a number']);
    }
    assert.deepEqual(seen(await venue.post('/v1/withdraw', { ...signed, amountUsd: 2 })), [
      401,
      'bad signature',
    ]);
    const { token } = session;
    assert.deepEqual(seen(await venue.post('/v1/withdraw', { amountUsd: 1 }, { token })), [
      401,
      'this request must be signed — approve a trading session',
    ]);
    assert.deepEqual(seen(await venue.post('/v1/withdraw', signed)), [200, 'requested']);
    assert.deepEqual(seen(await venue.post('/v1/withdraw', signed)), [401, 'nonce already used']);
    const long = { ...(await session.withdraw(1)), more: 'x'.repeat(4_096) };
    assert.deepEqual(seen(await venue.post('/v1/withdraw', long)), [413, 'request body too large']);
  });

  it('at most 16 are outstanding; a commit makes room, is idempotent and final (PAY-3)', async () => {
    const session = await custody.funded(1_000);
    const ids: number[] = [];
    for (let i = 0; i < 16; i++) ids.push((await custody.withdraw(session, 1)).body.id);
    assert.deepEqual(seen(await custody.withdraw(session, 1)), [400, 'too many outstanding withdrawals']);
    const [first = 0, second = 0] = ids;
    const tx = hashOf('batch');
    assert.deepEqual(seen(await custody.commit([first, 1_000_000], tx)), [404, 'unknown withdrawal']);
    assert.deepEqual((await custody.payouts('?state=committed')).length, 0);
    for (let i = 0; i < 2; i++) {
      const { status, body } = await custody.commit([first, first], tx);
      assert.deepEqual(
        [status, body.payouts.length, body.payouts[0].state, body.payouts[0].txHash],
        [200, 1, 'committed', tx],
      );
    }
    assert.deepEqual(seen(await custody.commit([second, first], hashOf('other'))), [
      400,
      'payout committed in another transaction',
    ]);
    assert.deepEqual(
      (await custody.payouts('?state=committed')).map(({ id }) => id),
      [first],
    );
    assert.deepEqual(seen(await custody.withdraw(session, 1)), [200, 'requested']);
    const after = await custody.payouts(`?state=requested&after=${second}`);
    assert.ok(after.every(({ id, state }) => id > second && state === 'requested'));
    const { body } = await venue.get('/v1/withdrawals', { token: session.token });
    assert.deepEqual(
      body.withdrawals.map(({ id }: Json) => id),
      body.withdrawals.map(({ id }: Json) => id).toSorted((a: number, b: number) => b - a),
    );
    assert.equal(body.withdrawals.length, 17);
    assert.equal(body.withdrawals.at(-1).txHash, tx);
  });

  const MALFORMED: [string, object][] = [
    ['/v1/deposit', { ...depositOf(`0x${'1'.repeat(40)}`, 1), amount: 0 }],
    ['/v1/deposit', { ...depositOf(`0x${'1'.repeat(40)}`, 1), amount: 1.5 }],
    ['/v1/deposit', { ...depositOf(`0x${'1'.repeat(40)}`, 1), amount: 2 ** 53 }],
    ['/v1/deposit', { ...depositOf(`0x${'1'.repeat(40)}`, 1), txHash: '0x12' }],
    ['/v1/deposit', { ...depositOf(`0x${'1'.repeat(40)}`, 1), logIndex: -1 }],
    ['/v1/deposit', depositOf('0x12', 1)],
    ['/v1/operator/held/release', { address: 'me' }],
    ['/v1/operator/payouts/commit', { ids: [], txHash: hashOf('x') }],
    ['/v1/operator/payouts/commit', { ids: [1.5], txHash: hashOf('x') }],
    ['/v1/operator/payouts/commit', { ids: 1, txHash: hashOf('x') }],
  ];
  for (const [path, body] of MALFORMED) {
    it(`${path} ${JSON.stringify(body).slice(0, 60)} is malformed`, async () => {
      const reply = await venue.post(path, body, OPERATOR);
      assert.equal(reply.status, 400);
      assert.match(reply.body.error, /^(ids|amount|txHash|logIndex|address)/);
    });
  }

  it('more than the ledger can hold is refused and changes nothing', async () => {
    const session = await openSession(venue);
    const reply = await custody.deposit(depositOf(session.account, Number.MAX_SAFE_INTEGER));
    assert.deepEqual(seen(reply), [400, 'deposits past what the ledger can hold']);
    assert.equal(await custody.cash(session), 0);
  });

  it('only operators call operator routes, and bodies are bounded (CRED-1)', async () => {
    const paths = ['deposit', 'operator/held/release', 'operator/payouts/commit'].map(
      (path) => `/v1/${path}`,
    );
    for (const path of paths) {
      const wrong = await venue.post(path, {}, { headers: { 'x-operator-token': 'x' } });
      assert.deepEqual(seen(wrong), [403, 'wrong credential']);
      assert.deepEqual(seen(await venue.post(path, { x: 'x'.repeat(4_096) }, OPERATOR)), [
        413,
        'request body too large',
      ]);
    }
    for (const path of ['/v1/operator/held', '/v1/operator/payouts']) {
      assert.deepEqual(seen(await venue.get(path)), [403, 'wrong credential']);
    }
    assert.equal((await venue.get('/v1/operator/payouts?state=lost', OPERATOR)).status, 400);
  });
});

describe('reserves (RES-1)', () => {
  it('count positive cash, held deposits and pending withdrawals, but not house and fees', async (t) => {
    const venue = await pricedVenue(DEPOSITS);
    t.after(() => venue.exchange.stop());
    const custody = new Custody(venue);
    const [alice, bob] = [await custody.funded(1_000), await custody.funded(500)];
    await custody.deposit(depositOf(addressOf(newWallet()), 30_000_000));
    const { seriesId } = await venue.listed('BTC');
    await venue.post('/v1/margin', await alice.margin(true));
    await venue.post('/v1/order', await bob.order({ seriesId, side: 'buy', qty: 0.01, price: 100 }));
    await venue.post('/v1/order', await alice.order({ seriesId, side: 'sell', qty: 0.01, price: 100 }));
    const { body: asked } = await custody.withdraw(bob, 50);
    const fee = 0.005;
    const expected = {
      cashTotalUsd: 1_000 + 500 - fee + 30 - 50,
      pendingWithdrawalsUsd: 50,
      committedWithdrawalsUsd: 0,
      uncollectibleUsd: 0,
      negativeAccounts: 0,
      nonExemptAccounts: 3,
      ...{ chainId: null, vault: null, paidBeforeUsd: 0, depositedBeforeUsd: 0, depositedUsd: 1_530 },
      ...{ epoch: 0, payoutsHalted: null, smallestPayoutUsd: 0, openLiabilityUsd: 0, houseCashUsd: fee },
    };
    assert.deepEqual((await venue.get('/v1/reserves')).body, expected);
    await custody.commit([asked.id], hashOf('tx'));
    assert.deepEqual((await venue.get('/v1/reserves')).body, {
      ...expected,
      pendingWithdrawalsUsd: 0,
      committedWithdrawalsUsd: 50,
    });
  });
});

describe('custody across a restart', () => {
  it('remembers deposits, held ones included, and payouts', async () => {
    const store = new MemoryStore();
    const first = new Custody(await startVenue(DEPOSITS, { store }));
    const session = await first.funded(20);
    const stranger = addressOf(newWallet());
    await first.deposit(depositOf(stranger, 5_000_000));
    const { body: payout } = await first.withdraw(session, 4);
    const reserves = (await first.venue.get('/v1/reserves')).body;
    await first.venue.exchange.stop();

    const second = new Custody(await startVenue(DEPOSITS, { store }));
    assert.deepEqual((await second.venue.get('/v1/reserves')).body, reserves);
    assert.deepEqual(seen(await second.deposit(depositOf(stranger, 5_000_000))), [200, 'duplicate']);
    assert.deepEqual(
      (await second.payouts()).map(({ id }) => id),
      [payout.id],
    );
    assert.equal((await second.venue.get('/v1/operator/held', OPERATOR)).body.held.length, 1);
    await second.venue.exchange.stop();
  });
});

it('paper has none of it, with or without a credential (FINE-3)', async (t) => {
  const venue = await startVenue({ VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN });
  t.after(() => venue.exchange.stop());
  for (const call of [{}, OPERATOR]) {
    for (const path of [
      '/v1/reserves',
      '/v1/withdrawals',
      '/v1/withdraw/1',
      '/v1/operator/held',
      '/v1/operator/payouts',
    ]) {
      assert.deepEqual(seen(await venue.get(path, call)), [404, 'not found'], path);
    }
    for (const path of [
      '/v1/withdraw',
      '/v1/deposit',
      '/v1/operator/held/release',
      '/v1/operator/payouts/commit',
    ]) {
      assert.deepEqual(seen(await venue.post(path, {}, call)), [404, 'not found'], path);
    }
  }
});
