/** The market of `scripts/soak.ts` for less than a minute; slower problems are left to that script. */

// @seconds 53

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, type Patience, reportLines } from '../soak/report.ts';
import { runSoak } from '../soak/soak.ts';

/** A few seconds in which everything else on the machine starts at once are a large part of so short a run. */
const PATIENCE: Patience = { pushMs: 15_000, healthMs: 5_000 };

test('HOUSE-1, MM-3, ORD-6, STR-2: feed, maker and 20 bots trade for 45 s, and the log proves it sound', async (t) => {
  const result = await runSoak({
    durationMs: 45_000,
    bots: 20,
    botsPerProcess: 10,
    cutEveryMs: 1_000,
    symbols: 'BTC:crypto,AAPL:equity',
    say: (line) => t.diagnostic(line),
  });
  for (const line of reportLines(result)) t.diagnostic(line);
  assert.deepEqual(faultsOf(result, PATIENCE), []);
  const { replay, watch, shown } = result;
  assert.ok(replay.fills > 100 && watch.counts.books > 500, 'something was traded, and looked at');
  assert.ok(shown.books.size > 10 && shown.trades.length > 10 && shown.reconnects > 10, 'channels were cut');
});
