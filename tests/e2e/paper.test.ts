/** A whole paper market in real processes: from sign-in to fill, through a kill -9 of the exchange, and after. */

// @seconds 24

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Account, FillRecord, OrderRequest, StreamFrame } from '@venue/protocol';
import { type OrderTerms, type Session, signOrder, VenueClient, VenueError } from '@venue/sdk';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { eventually, isAlive, Launched, QUOTES_STAND, runExample, SMALL_MARKET } from './launched.ts';

const START_LINE = /exchange listening on (\S+)/;
const PAPER_CASH = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'venue-e2e-'));
const wallet = privateKeyToAccount(generatePrivateKey());
let launched: Launched;
let venue: VenueClient;

before(async () => {
  launched = await start();
});

after(() => {
  launched?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the market on the same data, with a fresh client. */
async function start(): Promise<Launched> {
  const env = {
    VENUE_PORT: '0',
    VENUE_LOG: `sqlite:${join(folder, 'data', 'venue.db')}`,
    ...SMALL_MARKET,
  };
  const up = new Launched(['up'], { env });
  // Set before anything can fail, so that the test's clean-up ends it.
  launched = up;
  const [, url] = await up.says(START_LINE);
  await up.says(QUOTES_STAND);
  venue = new VenueClient({ url: url! });
  return up;
}

/** A contract near the spot of BTC with a maker's ask. */
async function offered(): Promise<{ seriesId: string; ask: number }> {
  const [, expiryTs] = /expiryTs=(\d+)/.exec(launched.output)!;
  // The maker may be replacing its quotes just then, and annotates them after they stand.
  const leg = await eventually('a call above the spot is offered and annotated', async () => {
    const { rows, spot } = await venue.market.chain('BTC', Number(expiryTs));
    const calls = rows.filter(({ strike }) => strike > spot).map(({ call }) => call);
    return calls.find((call) => call?.ask && call.iv > 0);
  });
  assert.ok(leg.delta > 0 && leg.delta < 0.6, 'the delta of a call above the spot');
  return { seriesId: leg.seriesId, ask: leg.ask!.price };
}

/** Sends a body unchanged, already signed. */
async function post(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${venue.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The fields that must survive a restart: all except those that move with the market. */
function lasting({ cash, locked, realizedPnl, openOrders, positions }: Account) {
  const held = positions.map(({ seriesId, qty, avgPrice, realized }) => ({
    seriesId,
    qty,
    avgPrice,
    realized,
  }));
  return { cash, locked, realizedPnl, openOrders, held };
}

function isRefusal(status: number, message: string) {
  return (error: unknown) =>
    error instanceof VenueError && error.status === status && error.message === message;
}

test('a wallet trades with the maker, and acknowledged writes survive a kill -9 of the exchange', async (t) => {
  const frames: StreamFrame[] = [];
  const seen = <T extends StreamFrame['type']>(type: T) =>
    frames.filter((frame): frame is Extract<StreamFrame, { type: T }> => frame.type === type);
  let session: Session;
  let spent: OrderRequest;
  let buy: OrderTerms;
  let known: Account;
  let fills: FillRecord[];

  await t.test('sign-in with a viem wallet opens a funded account', async () => {
    const account = await venue.auth.signIn(wallet);
    assert.equal(account.cash, PAPER_CASH);
    assert.equal(account.address, wallet.address.toLowerCase());
  });

  await t.test('the wallet approves a session key', async () => {
    session = await venue.auth.approveSession(wallet);
    const [record] = await venue.auth.sessions(wallet.address);
    assert.equal(record!.sessionKey, session.sessionKey);
  });

  await t.test('FINE-18: the stream starts with the account and its orders', async () => {
    await venue.stream({ onFrame: (frame) => frames.push(frame) });
    await eventually('the first frames', () => frames.length >= 2);
    assert.deepEqual([frames[0]!.type, frames[1]!.type], ['account', 'orders']);
    await eventually('a spots frame', () => seen('spots').length > 0);
    assert.ok(seen('spots')[0]!.spots.some(({ symbol, feedFresh }) => symbol === 'BTC' && feedFresh));
  });

  await t.test('a signed buy at the ask fills, and appears in fill, position, tape and frames', async () => {
    const { seriesId, ask } = await offered();
    // The maker may move its ask meanwhile; a fill is at its price, never at this limit (ORD-6).
    buy = { seriesId, side: 'buy', qty: 0.1, price: Math.ceil(ask * 1.1) };
    const answer = await venue.orders.place(buy);
    assert.ok(answer.status === 'filled', `${answer.status}: ${JSON.stringify(answer)}`);
    const paid = answer.fills.reduce((sum, { price, qty }) => sum + price * qty, 0);
    assert.ok(Math.abs(PAPER_CASH - paid * 1.005 - answer.account.cash) < 1e-5, 'premium and fee of 50 bps');

    const [fill] = await venue.account.fills();
    assert.deepEqual([fill!.orderId, fill!.signer, fill!.taker], [answer.orderId, session.sessionKey, true]);
    const [position] = answer.account.positions;
    assert.deepEqual([position!.seriesId, position!.qty], [seriesId, 0.1]);
    const { fills: tape } = await venue.market.tape('btc');
    assert.deepEqual([tape[0]!.seriesId, tape[0]!.side], [seriesId, 'buy']);

    await eventually('fill and tape frames', () => seen('fill').length > 0 && seen('tape').length > 0);
    const { fill: streamed } = seen('fill')[0]!;
    assert.deepEqual(
      [streamed.seriesId, streamed.side, streamed.price],
      [seriesId, 'buy', answer.fills[0]!.price],
    );
    assert.equal(seen('tape')[0]!.print.seriesId, seriesId);
    await eventually(
      'an account frame with the position',
      () => seen('account').at(-1)!.account.positions.length === 1,
    );
  });

  await t.test('the maker replaces the quote that was bought', async () => {
    await eventually('a full best offer', async () => {
      const { asks } = await venue.market.book(buy.seriesId);
      return asks[0] !== undefined && asks[0].qty === 1;
    });
  });

  await t.test('a buy far below the market rests', async () => {
    const answer = await venue.orders.place({ seriesId: buy.seriesId, side: 'buy', qty: 2, price: 0.01 });
    assert.ok(answer.status === 'rested');
    await eventually('its frame', () =>
      seen('orders')
        .at(-1)!
        .orders.some(({ id }) => id === answer.orderId),
    );
    spent = signOrder(session, { ...buy, price: 0.02 }, Date.now());
    assert.equal((await post('/v1/order', spent)).body.status, 'rested');
    known = await venue.account.me();
    fills = await venue.account.fills();
    assert.equal(known.openOrderCount, 2);
  });

  await t.test('kill -9 of the exchange ends the other processes, with one line that says so', async () => {
    const pids = launched.descendants();
    process.kill(pids.get('exchange')!, 'SIGKILL');
    assert.equal(await launched.exits(), 1);
    assert.match(launched.output, /^venue: exchange ended unexpectedly \(signal SIGKILL\); stopping$/m);
    for (const [word, pid] of pids) assert.equal(isAlive(pid), false, word);
  });

  await t.test('restarted on the same data it has everything except the tokens', async () => {
    const { token } = venue;
    launched = await start();
    const response = await fetch(`${venue.url}/v1/me`, { headers: { 'x-paper-token': token! } });
    assert.equal(response.status, 401);
    await venue.auth.signIn(wallet);
    // The port is another one now: a key is of one address unless its holder says otherwise (VEN-1).
    const { url: _, ...portable } = session;
    venue.auth.useSession(portable);
    assert.deepEqual(lasting(await venue.account.me()), lasting(known));
    assert.deepEqual(await venue.account.fills(), fills);
  });

  await t.test('SIG-4: a nonce spent before the crash stays spent, and the session still signs', async () => {
    const replayed = await post('/v1/order', spent);
    assert.deepEqual([replayed.status, replayed.body.error], [401, 'nonce already used']);
    const { pulled } = await venue.orders.cancel(['BTC']);
    assert.equal(pulled, 2);
    const answer = await venue.orders.place({ seriesId: buy.seriesId, side: 'sell', qty: 0.1 });
    assert.ok(answer.status === 'filled', JSON.stringify(answer));
    assert.deepEqual(
      answer.account.positions.filter(({ qty }) => qty !== 0),
      [],
    );
  });

  await t.test(
    'ACC-3: with margin on a short is sold, shows where it locks money, and is bought back',
    async () => {
      const { seriesId } = buy;
      const declined = await venue.orders.place({ seriesId, side: 'sell', qty: 0.1 });
      assert.ok(declined.status === 'rejected');
      assert.match(declined.reason, /^margin is off/);
      assert.equal((await venue.orders.setMargin(true)).marginEnabled, true);
      const preview = await venue.orders.preview({ seriesId, side: 'sell', qty: 0.1 });
      const sold = await venue.orders.place({ seriesId, side: 'sell', qty: 0.1 });
      assert.deepEqual([preview.status, sold.status], ['filled', 'filled']);
      assert.ok(preview.after.locked > 0);

      const { series, locked } = await venue.account.margin();
      assert.deepEqual([series.length, series[0]!.seriesId, series[0]!.qty], [1, seriesId, -0.1]);
      assert.ok(series[0]!.entry.amount > series[0]!.maintenance.amount);
      assert.equal(locked, series[0]!.entry.amount);
      await assert.rejects(
        venue.orders.setMargin(false),
        isRefusal(400, 'margin cannot be turned off while short exposure exists'),
      );

      const bought = await venue.orders.place({ seriesId, side: 'buy', qty: 0.1 });
      assert.equal(bought.status, 'filled');
      assert.deepEqual((await venue.account.margin()).series, []);
      assert.equal((await venue.orders.setMargin(false)).marginEnabled, false);
    },
  );

  await t.test('KEY-3: a session key that the wallet revokes signs nothing more', async () => {
    const { sessionKey } = await venue.auth.revokeSession(wallet, session.sessionKey);
    assert.equal(sessionKey, session.sessionKey);
    await assert.rejects(venue.orders.place(buy), isRefusal(401, 'unknown or revoked session key'));
    assert.deepEqual(await venue.auth.sessions(wallet.address), []);
  });

  await t.test('the example places a first order', async () => {
    const { status, stdout, stderr } = await runExample(venue.url);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /trades with 100000 of paper cash\nbuy 0\.1 BTC-\S+: filled\n/);
  });

  await t.test('SIGTERM ends everything', async () => {
    const pids = launched.descendants();
    assert.deepEqual([...pids.keys()].sort(), ['exchange', 'feed', 'maker']);
    launched.process.kill('SIGTERM');
    assert.equal(await launched.exits(), 0);
    for (const [word, pid] of pids) assert.equal(isAlive(pid), false, word);
  });
});
