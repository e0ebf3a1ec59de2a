/** Small runs of the benchmarks of signed orders and batches: for their checks, not for speed. */

// @seconds 14

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMS, measureBatches } from '../../bench/orders/batches.ts';
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

test('BAT-2, SIG-4: batches under load get every order into the log once, under its number', async () => {
  const { fast, paced, logged } = await measureBatches({ ...SMALL, warmMs: 100, roundMs: 200, pacedMs: 200 });
  let orders = 0;
  let cancels = 0;
  for (const form of FORMS) {
    for (const round of [...fast[form].exchange, ...paced[form]]) {
      orders += round.orders;
      // A slow machine may carry out too few of one size for a cancel to be among them.
      if (form !== 'single') cancels += round.actions - round.orders;
    }
  }
  assert.ok(cancels > 0, 'cancels among orders');
  // The warm-up's orders are in the log too.
  assert.ok(logged > orders && orders > 0);
});
