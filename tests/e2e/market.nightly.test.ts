/** The log of the market of `venue up` stays small. */

// @seconds 85

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeMarket } from './whole-market.ts';

const DAY_S = 86_400;
const BUDGET_BYTES = 300e6;
/** Beside its body an entry in a batch of its own takes about this much of the file. */
const ENTRY_BYTES = 250;
/** The start of makers and crowd is no day's average. */
const [SETTLE_MS, WINDOW_MS] = [20_000, 40_000];
/** Prices move in bursts: over one window the log can grow twice as fast as on average. */
const WINDOWS_MAX = 3;

const market = wholeMarket();

test('LOG-5: makers and crowd write less than the budget of a paper market', async () => {
  await market.launched.says(/\[crowd\] 24 traders/);
  await sleep(SETTLE_MS);
  const fromMs = Date.now();
  // The crowd trades four times as often here as it does by default.
  const perDayMax = 1.3 * BUDGET_BYTES;
  const perDay: number[] = [];
  do {
    await sleep(WINDOW_MS);
    perDay.push(bytesPerDaySince(fromMs));
  } while (perDay.at(-1)! >= perDayMax && perDay.length < WINDOWS_MAX);
  const told = perDay.map((bytes) => (bytes / 1e6).toFixed(0));
  assert.ok(perDay.at(-1)! < perDayMax, `${told.join(', then ')} MB a day`);
});

/** How fast the log has grown since then, on average. */
function bytesPerDaySince(fromMs: number): number {
  const seconds = (Date.now() - fromMs) / 1_000;
  using db = new DatabaseSync(market.path, { readOnly: true });
  const { bytes, entries } = db
    .prepare('SELECT sum(length(CAST(body AS BLOB))) AS bytes, count(*) AS entries FROM log WHERE ts >= ?')
    .get(fromMs) as { bytes: number; entries: number };
  return ((bytes + entries * ENTRY_BYTES) / seconds) * DAY_S;
}
