import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account, FillRecord } from '@venue/protocol';
import type { Findings } from '@venue/sdk/browser';
import { lostOrderWords } from './outcome-words.ts';

const fill = (orderId: number, qty: number, price: number) => ({ orderId, qty, price }) as FillRecord;
const account = { openOrders: [{ id: 7, remaining: 0.5, price: 12 }] } as Account;
const found: Findings = { verdict: 'carried out', account, fillsSince: [], likelyOrderIds: [] };

test('an order whose answer got lost is said to be filled, resting, or both, by its own fills alone', () => {
  const fillsSince = [fill(7, 1, 10), fill(7, 1, 11), fill(6, 9, 99)];
  assert.match(
    lostOrderWords({ ...found, fillsSince, likelyOrderIds: [7] }, 'Buy').text,
    /: 2 filled at 10\.50, 0\.5 resting at 12\.00\./,
  );
  assert.match(lostOrderWords({ ...found, likelyOrderIds: [7] }, 'Buy').text, /: 0\.5 resting at 12\.00\./);
  assert.match(
    lostOrderWords({ ...found, fillsSince, likelyOrderIds: [6] }, 'Buy').text,
    /: 9 filled at 99\.00\./,
  );
});

test('an order that the venue had without a trace was declined; one that it never had may be sent again', () => {
  assert.match(lostOrderWords(found, 'Buy').text, /declined/);
  assert.match(lostOrderWords({ ...found, verdict: 'not carried out' }, 'Buy').text, /send it again/);
});
