import assert from 'node:assert/strict';
import { it } from 'node:test';
import { STOPS } from './up.ts';

it('a stop that waits for every part takes less than 10 s', () => {
  const limitMs = STOPS.reduce((sum, stop) => sum + stop.limitMs, 0);
  assert.ok(limitMs < 10_000, `${limitMs} ms`);
});
