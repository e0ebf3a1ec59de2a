/**
 * Question: how long does a maintenance tick take that liquidates 1,000 of 100,000 accounts with three positions each,
 * and for how long at most does one of its entries block the event loop? The limit is 50 ms.
 */

import assert from 'node:assert/strict';
import { isInMarginCall, type Series } from '../../packages/engine/src/index.ts';
import { reportTicks } from './tick.ts';
import { DAY_S, MICROS, round, START_MS, TICK_MS, Venue } from './venue.ts';

const ACCOUNTS = 100_000;
const CALLED = 1_000;
const EXPIRY_TS = START_MS / 1_000 + DAY_S;

/** Every fourth account is short; every 25th of these by more than it can bear when the price moves. */
const SHORT_EVERY = 4;
const CALLED_EVERY = ACCOUNTS / CALLED;

/** Two longs, and a short or a long. */
const SERIES = ['C-200', 'P-200', 'C-210'].map((name) => `AAPL-${EXPIRY_TS}-${name}`);

/** Prints the tick's time and its longest entry; throws when a result is wrong or an entry takes too long. */
export async function run(): Promise<void> {
  reportTicks(measure, 'every account in call was liquidated');
}

function measure() {
  const venue = open();
  const { cash } = venue;
  // The first tick only records who is called; it visits all accounts like the second.
  venue.wait(TICK_MS);
  const noted = venue.tick();
  assert.equal(calledCount(venue), CALLED);
  venue.wait(TICK_MS);
  const liquidated = venue.tick();
  check(venue, cash);
  return {
    'noting tick ms': round(noted.totalMs),
    'liquidating tick ms': round(liquidated.totalMs),
    entries: liquidated.entries,
    'longest entry ms': round(Math.max(noted.longestMs, liquidated.longestMs)),
  };
}

/** A venue where every account holds three positions, just after the price moved against the shorts. */
function open(): Venue {
  const venue = new Venue([EXPIRY_TS], { sourceStaleMs: 3_600_000 });
  const traded: Series[] = SERIES.map((seriesId) => venue.state.seriesById.get(seriesId)!);
  const bidQty = 10 * ACCOUNTS;
  venue.quote(traded, { bid: 3, ask: 3.2, bidQty, askQty: bidQty });
  for (let i = 0; i < ACCOUNTS; i++) openTrader(venue, i);
  venue.print(250);
  // The asks cover half of the shorts to be bought back: the rest goes to the house.
  venue.quote(traded, { bid: 80, ask: 82, bidQty, askQty: (CALLED * 20) / 2 });
  return venue;
}

/** With 1,000 of cash, an account short by twenty is called at a mark of 81, one short by one is not. */
function openTrader(venue: Venue, i: number): void {
  const account = venue.open(i);
  const [first, second, third] = SERIES;
  venue.trade(account, { seriesId: first!, side: 'buy', qtyMicros: MICROS });
  venue.trade(account, { seriesId: second!, side: 'buy', qtyMicros: MICROS });
  if (i % SHORT_EVERY !== 0) {
    venue.trade(account, { seriesId: third!, side: 'buy', qtyMicros: MICROS });
    return;
  }
  venue.apply({ kind: 'margin', account, enabled: true });
  const qtyMicros = i % CALLED_EVERY === 0 ? 20 * MICROS : MICROS;
  venue.trade(account, { seriesId: third!, side: 'sell', qtyMicros });
}

function calledCount({ state, traders }: Venue): number {
  return traders.filter((account) => isInMarginCall(state, account)).length;
}

/** Every called account lost its short and nobody else did, half went to the house, and cash is conserved. */
function check({ state, traders, cash }: Venue, before: bigint): void {
  const liquidated = traders.filter(({ fills }) => [...fills].some(({ kind }) => kind === 'liquidation'));
  assert.equal(liquidated.length, CALLED);
  assert.ok(liquidated.every(({ shortCount, positions }) => shortCount === 0 && positions.size === 3));
  const short = traders.filter(({ shortCount }) => shortCount > 0);
  assert.equal(short.length, ACCOUNTS / SHORT_EVERY - CALLED);
  const house = [...state.accounts[0]!.positions].map(({ qtyMicros }) => qtyMicros);
  assert.deepEqual(house, [(-CALLED * 20 * MICROS) / 2]);
  assert.equal(cash, before);
}
