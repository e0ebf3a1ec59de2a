import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account, FillRecord } from '@venue/protocol';
import type { Findings } from '@venue/sdk/browser';
import { lostOrderWords } from './lost-words.ts';

const fill = (orderId: number, qty: number, price: number) => ({ orderId, qty, price }) as FillRecord;
const account = { openOrders: [{ id: 7, remaining: 0.5, price: 12 }] } as Account;
const found: Findings = { verdict: 'carried out', account, fillsSince: [], orderIds: [] };

const order = { words: 'Buy', qty: 10, knownIds: new Set<number>() };

test('an order whose answer was lost is reported as filled, resting, or both, by its own fills alone', () => {
  const fillsSince = [fill(7, 1, 10), fill(7, 1, 11), fill(6, 9, 99)];
  const text = (orderIds: number[], fills = fillsSince) =>
    lostOrderWords({ ...found, fillsSince: fills, orderIds }, order).text;
  assert.match(text([7]), /: 2 filled at 10\.50, 0\.5 resting at 12\.00\./);
  assert.match(text([7], []), /: 0\.5 resting at 12\.00\./);
  assert.match(text([6]), /: 9 filled at 99\.00\./);
});

test('a lost order without a trace at the venue was declined; one that never arrived may be sent again', () => {
  assert.match(lostOrderWords(found, order).text, /declined/);
  assert.match(lostOrderWords({ ...found, verdict: 'not carried out' }, order).text, /send it again/);
});

test('nothing is said about an order that could not be looked up', () => {
  assert.match(lostOrderWords({ ...found, verdict: 'unknown' }, order).title, /Status unknown/);
  assert.match(lostOrderWords({ ...found, account: null }, order).title, /Status unknown/);
});

test('an order known before, or a larger one, is not the lost one', () => {
  const twice = { ...found, fillsSince: [fill(5, 0.1, 45), fill(6, 0.1, 45)], orderIds: [5, 6] };
  const small = { ...order, qty: 0.1 };
  const known = (...ids: number[]) => lostOrderWords(twice, { ...small, knownIds: new Set(ids) });
  assert.match(known(5).text, /: 0\.1 filled at 45\.00\./);
  assert.match(known(5, 6).text, /declined/);
  assert.match(lostOrderWords(twice, { ...small, qty: 0.05 }).text, /declined/);
  assert.match(known().title, /Uncertain/);
  assert.match(known().text, /order 5 \(0\.1 filled at 45\.00\), order 6 \(0\.1 filled at 45\.00\)\./);
});
