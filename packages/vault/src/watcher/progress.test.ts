import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Progress } from './progress.ts';

test('catching up is shown from its start, then following, then a line every minute', (context) => {
  let nowMs = 0;
  context.mock.method(performance, 'now', () => nowMs);
  const lines: string[] = [];
  const progress = new Progress({ log: (line) => lines.push(line) });
  progress.report({ block: 100, target: 200, head: 212 });
  nowMs = 4_999;
  progress.report({ block: 120, target: 200, head: 212 });
  progress.credited(1_500_000);
  nowMs = 5_000;
  progress.report({ block: 150, target: 200, head: 212 });
  progress.report({ block: 200, target: 200, head: 212 });
  nowMs = 64_999;
  progress.report({ block: 201, target: 201, head: 213 });
  nowMs = 65_000;
  progress.report({ block: 202, target: 202, head: 214 });
  assert.deepEqual(lines, [
    'catching up: block 100 of 200, 0 %, 0 new deposits so far',
    'catching up: block 150 of 200, 50 %, 1 new deposits so far',
    'following the chain: block 200, head 212',
    'block 202, head 214; since the last line 1 deposits, 1.50',
  ]);
});
