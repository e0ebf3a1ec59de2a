import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OpenOrder } from '@venue/protocol';
import { restingQty } from './resting.ts';

it("adds the remaining quantities of one side's orders exactly", () => {
  const order = (side: 'buy' | 'sell', remaining: number) => ({ side, qty: 5, remaining }) as OpenOrder;
  const orders = [order('buy', 0.1), order('sell', 4), order('buy', 0.2)];
  assert.equal(restingQty(orders, 'buy'), 0.3);
  assert.equal(restingQty(orders, 'sell'), 4);
  assert.equal(restingQty([], 'buy'), 0);
});
