// @seconds 42

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyCopies } from '../faults/history-copies.ts';

test('CID-2: a log torn at its end, a deleted history and an older copy of it: every order is shown as before, to the first', async (t) => {
  const { faults, acknowledged, orders } = await historyCopies();
  assert.deepEqual(faults, []);
  assert.ok(acknowledged >= 160 && orders > acknowledged, `${acknowledged} acknowledged, ${orders} orders`);
  t.diagnostic(`${acknowledged} acknowledged, ${orders} orders`);
});
