import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Nonces } from './nonces.ts';

test('SIG-4: nonces follow the clock and never repeat, also within a millisecond or when it goes back', () => {
  const clock = [1_000, 1_000, 1_000, 500, 2_000];
  const nonces = new Nonces(() => clock.shift()!);
  assert.deepEqual(
    Array.from({ length: 5 }, () => nonces.next()),
    [1_000, 1_001, 1_002, 1_003, 2_000],
  );
});
