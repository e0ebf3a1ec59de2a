/** Mistakes of people who write programs: the SDK names the cause and the cure. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sessionApprovalMessage } from '@venue/protocol';
import {
  ClockOffError,
  NotFoundError,
  randomPrivateKey,
  UnauthorizedError,
  VenueClient,
  walletFromPrivateKey,
} from '@venue/sdk';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';

const AHEAD_MS = 140_000;
/** A machine may stand still between the venue's answer and the look at the clock. */
const STALL_MS = 40_000;
const DAY_MS = 86_400_000;

let exchange: LocalVenue;

before(async () => {
  exchange = await pricedVenue();
});
after(() => exchange.exchange.stop());

async function thrownBy(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown as Error,
  );
}

test('SIG-5: a clock that is off is named with the difference, by every kind of signed write', async () => {
  const wallet = walletFromPrivateKey(randomPrivateKey());
  for (const [aheadMs, words] of [
    [AHEAD_MS, /^nonce outside the accepted window: the clock is \d{3} s ahead of the venue's$/],
    [-AHEAD_MS, /the clock is \d{3} s behind the venue's$/],
  ] as const) {
    const venue = new VenueClient({ url: exchange.url, now: () => Date.now() + aheadMs });
    await venue.auth.approveSession(wallet);
    const rows = [{ seriesId: (await exchange.listed('BTC')).seriesId, bids: [], asks: [] }];
    for (const call of [
      () => venue.orders.cancelAll(),
      () => venue.orders.setMargin(true),
      () => venue.quotes.push(1, rows),
    ]) {
      const error = await thrownBy(call());
      assert.ok(error instanceof ClockOffError && error instanceof UnauthorizedError, String(error));
      assert.match(error.message, words);
      assert.match(error.helps, /now: 'venue'/);
      assert.ok(Math.abs(error.aheadMs - aheadMs) < STALL_MS, String(error.aheadMs));
    }
  }
});

test('KEY-2: an approval by a clock that is days off names it', async () => {
  const venue = new VenueClient({ url: exchange.url, now: () => Date.now() - 3 * DAY_MS });
  const error = await thrownBy(venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey())));
  assert.ok(error instanceof ClockOffError && error.aheadMs < -2 * DAY_MS, String(error));
});

test("SIG-5: a client that is told to takes the venue's time", async (t) => {
  const wrong = Date.now() + AHEAD_MS;
  const startedMs = performance.now();
  t.mock.method(Date, 'now', () => Math.round(wrong + performance.now() - startedMs));
  const venue = new VenueClient({ url: exchange.url, now: 'venue' });
  const session = await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  assert.ok(Math.abs(session.expiresAtMs - (wrong - AHEAD_MS + DAY_MS)) < 60_000);
  assert.equal((await venue.orders.cancelAll()).ok, false);
});

test('KEY-2: the renewal of a session that is over says when it ended', async () => {
  const venue = new VenueClient({ url: exchange.url });
  const wallet = walletFromPrivateKey(randomPrivateKey());
  const session = await venue.auth.approveSession(wallet);
  const over = { ...session, expiresAtMs: Date.now() - DAY_MS };
  const approval = await wallet.signMessage({ message: sessionApprovalMessage(over) });
  venue.auth.useSession({ ...over, approval });
  const error = await thrownBy(venue.auth.renew());
  assert.ok(error instanceof UnauthorizedError && error.code === 'session-expired', String(error));
  assert.match(error.message, /^the session ended at \d{4}-.*Z: approve a new one/);
});

test('ERR-1: an expiry that is not listed is refused with the nearest that are', async () => {
  const { market } = new VenueClient({ url: exchange.url });
  const { expiryTs } = await exchange.listed('BTC');
  for (const call of [
    () => market.chain('BTC', expiryTs + 1),
    () => market.iv({ symbol: 'BTC', expiryTs: expiryTs + 1 }),
  ]) {
    const error = await thrownBy(call());
    assert.ok(error instanceof NotFoundError && error.code === 'sdk:unlisted-expiry', String(error));
    assert.match(error.message, new RegExp(`the nearest listed: .*${expiryTs} \\(\\d{4}-`));
  }
  assert.deepEqual(await market.iv({ symbol: 'BTC', expiryTs: 1_000_000_000 }), []);
});

test('ERR-1: a strike that is not listed is declined with the nearest that are', async () => {
  const venue = new VenueClient({ url: exchange.url });
  await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  const listed = (await venue.market.series('BTC')).filter(({ right }) => right === 'C');
  const { expiryTs } = listed[0]!;
  const strikes = listed.flatMap((one) => (one.expiryTs === expiryTs ? [one.strike] : []));
  const seriesId = `BTC-${expiryTs}-C-${strikes[1]! + 1}`;
  const terms = { seriesId, side: 'buy', qty: 1, price: 1 } as const;
  const declined = [await venue.orders.place(terms), await venue.orders.preview(terms)];
  const expected = strikes.slice(0, 3).map((strike) => `BTC-${expiryTs}-C-${strike}`);
  for (const one of declined) assert.deepEqual('nearest' in one && one.nearest, expected);
  const error = await thrownBy(venue.market.book(seriesId));
  assert.equal(error.message, `unknown series; the nearest listed are ${expected.join(', ')}`);
});
