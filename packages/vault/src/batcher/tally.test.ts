import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Batch } from './state.ts';
import { Tally } from './tally.ts';

test('a line every minute says what was committed since the last', (context) => {
  let nowMs = 0;
  context.mock.method(performance, 'now', () => nowMs);
  const lines: string[] = [];
  const tally = new Tally((line) => lines.push(line));
  const payouts = [{ amount: 1_500_000 }, { amount: 1 }];
  const batch = { payouts, nonce: 7 } as unknown as Batch;
  tally.committed(batch);
  nowMs = 59_999;
  tally.report(3, null);
  nowMs = 60_000;
  tally.report(4, null);
  nowMs = 120_000;
  tally.report(5, batch);
  assert.deepEqual(lines, [
    'head 4; since the last line 2 payouts, 1.500001; no batch is open',
    'head 5; since the last line 0 payouts, 0.00; a batch of 2 payouts is open, nonce 7',
  ]);
});
