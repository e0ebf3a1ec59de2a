import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch } from './state.ts';
import { Tally } from './tally.ts';

test('a line every minute says what was committed since the last', async () => {
  const lines: string[] = [];
  const tally = new Tally((line) => lines.push(line), 20);
  const payouts = [{ amount: 1_500_000 }, { amount: 1 }];
  const batch = { payouts, nonce: 7 } as unknown as Batch;
  tally.committed(batch);
  tally.report(3, null);
  await sleep(25);
  tally.report(4, null);
  await sleep(25);
  tally.report(5, batch);
  assert.deepEqual(lines, [
    'head 4; since the last line 2 payouts, 1.500001; no batch is open',
    'head 5; since the last line 0 payouts, 0.00; a batch of 2 payouts is open, nonce 7',
  ]);
});
