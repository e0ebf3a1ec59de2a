/**
 * Question: how long does it take to settle a whole symbol, 1,312 series with 100,000 positions, and for how long at
 * most does one entry block the event loop? The bare limit in the same run: the same payouts added to plain numbers in
 * maps, without books, P&L, fills or a check of the sum.
 */

import assert from 'node:assert/strict';
import type { State } from '../../packages/engine/src/index.ts';
import { reportTicks } from './tick.ts';
import { DAY_S, MICROS, round, START_MS, Venue } from './venue.ts';

const EXPIRIES = 16;
const ACCOUNTS = 20_000;
const POSITIONS_EACH = 5;
const EXPIRY_TS = Array.from({ length: EXPIRIES }, (_, i) => START_MS / 1_000 + (i + 1) * DAY_S);

/**
 * Prints the tick's time, its longest entry and the bare limit; throws when a result is wrong or an entry takes too
 * long.
 */
export async function run(): Promise<void> {
  reportTicks(measure, 'every series settled once, cash sums to what it was');
}

function measure() {
  const venue = open();
  const { cash, state } = venue;
  const positions = state.accounts.reduce((sum, account) => sum + account.positions.size, 0);
  const bareMs = payBare(state);
  const settled = venue.tick();
  check(venue, cash);
  return {
    series: state.series.length,
    positions,
    'settling ms': round(settled.totalMs),
    entries: settled.entries,
    'longest entry ms': round(settled.longestMs),
    'bare ms': round(bareMs),
  };
}

/** Every account buys five contracts, each of a different series; then time passes every cutoff with valid prices. */
function open(): Venue {
  const venue = new Venue(EXPIRY_TS);
  const { series } = venue.state;
  venue.quote(series, { bid: 1, ask: 2, bidQty: 100, askQty: ACCOUNTS });
  for (let i = 0; i < ACCOUNTS; i++) {
    const account = venue.open(i);
    for (let k = 0; k < POSITIONS_EACH; k++) {
      const { seriesId } = series[(i * POSITIONS_EACH + k) % series.length]!;
      venue.trade(account, { seriesId, side: 'buy', qtyMicros: MICROS });
    }
  }
  for (const expiryTs of EXPIRY_TS) {
    venue.waitUntil(expiryTs * 1_000 - 1_000);
    venue.print(203);
  }
  venue.wait(2_000);
  return venue;
}

/** The same payouts on plain numbers; the result is used, so that nothing is optimised away. */
function payBare({ accounts }: State): number {
  const cash = new Map<number, number>(accounts.map(({ index, cashMicros }) => [index, cashMicros]));
  const start = performance.now();
  for (const { index, positions } of accounts) {
    for (const { qtyMicros, series } of positions) {
      const inside =
        series.right === 'C' ? 203 * MICROS - series.strikeMicros : series.strikeMicros - 203 * MICROS;
      cash.set(index, cash.get(index)! + (qtyMicros / MICROS) * Math.max(inside, 0));
    }
  }
  const ms = performance.now() - start;
  assert.ok([...cash.values()].every(Number.isSafeInteger));
  return ms;
}

/** Every series is settled with a row for each position, nothing is held or resting any more, and cash is conserved. */
function check({ state, traders, cash }: Venue, before: bigint): void {
  assert.ok(state.series.every(({ status }) => status === 'settled'));
  assert.ok(state.accounts.every(({ positions, shortCount }) => positions.size === 0 && shortCount === 0));
  const rows = traders.flatMap(({ fills }) => [...fills].filter(({ kind }) => kind === 'settlement'));
  assert.equal(rows.length, ACCOUNTS * POSITIONS_EACH);
  assert.equal(state.orders.count, 0);
  assert.equal(cash, before);
}
