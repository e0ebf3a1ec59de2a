/** A small run of the signed-orders benchmark: for its checks, not for speed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureOrders } from '../../bench/orders/orders.ts';

const SMALL = {
  traders: 8,
  connections: 4,
  warmMs: 200,
  rounds: 1,
  roundMs: 500,
  firstWrites: 320,
  pacedRounds: 1,
  pacedMs: 500,
} as const;

test('ORD-8, SIG-4: signed orders under load get unique numbers and are in the log once', async () => {
  const { fast, paced, counts, logged } = await measureOrders(SMALL);
  const { rested, partial, filled } = counts;
  assert.equal(logged, rested + partial + filled);
  for (const rounds of [fast, paced]) {
    for (const [server, [round]] of Object.entries(rounds)) {
      assert.ok(round!.orders > 0, server);
      assert.equal(round!.latenciesMs.length, round!.orders);
      assert.ok(round!.latenciesMs.every((ms) => ms > 0));
    }
  }
});
