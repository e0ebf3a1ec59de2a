import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryOf } from './market.ts';

const HOUR_S = 3_600;
const START_S = 1_767_225_600;
const expiry = (hour: number) => START_S + hour * HOUR_S;
const listed = (...hours: number[]) => hours.map((hour) => ({ expiryTs: expiry(hour) }));
const unnamed = { symbol: 'BTC', expiry: undefined };

test('without a day the next expiry is taken that does not end within half an hour', () => {
  const series = listed(48, 24, 72);
  const at = (ms: number) => expiryOf(series, unnamed, expiry(24) * 1_000 - ms);
  assert.deepEqual([at(1_800_001), at(1_800_000), at(1)], [expiry(24), expiry(48), expiry(48)]);
  assert.equal(expiryOf(listed(24), unnamed, expiry(24) * 1_000 - 1), expiry(24), 'if there is no other');
  const named = { symbol: 'BTC', expiry: String(expiry(24)) };
  assert.equal(expiryOf(series, named, expiry(24) * 1_000 - 1), expiry(24));
});
