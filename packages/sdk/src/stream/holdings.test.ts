import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account, OpenOrder, StreamOrder } from '@venue/protocol';
import { Holdings } from './holdings.ts';

const seriesId = 'BTC-1764374400-C-100000';
const rests = (id: number, remaining: number, price = 5): StreamOrder => ({
  id,
  seriesId,
  side: 'buy',
  price,
  remaining,
});
const shown = (id: number, qty: number, ts: number): OpenOrder => ({
  ...rests(id, qty),
  symbol: 'BTC',
  qty,
  ts,
});
const accountWith = (cash: number, ...openOrders: OpenOrder[]) =>
  ({ cash, openOrders, openOrderCount: openOrders.length }) as Account;

test('the account has the orders of the newest frame of orders, with what is known of each', () => {
  const holdings = new Holdings(() => 9_000);
  assert.deepEqual([holdings.account, holdings.orders], [null, []]);
  holdings.take({ type: 'account', account: accountWith(10, shown(1, 2, 100), shown(2, 3, 200)) });
  holdings.take({ type: 'orders', orders: [rests(1, 2), rests(2, 3)] });
  // One left, one was filled in part and amended, one came.
  holdings.take({ type: 'orders', orders: [rests(2, 1.5, 6), rests(3, 4)] });
  assert.deepEqual(holdings.orders, [rests(2, 1.5, 6), rests(3, 4)]);
  assert.deepEqual(
    holdings.account,
    accountWith(
      10,
      { ...shown(2, 3, 200), remaining: 1.5, price: 6 },
      { ...shown(3, 4, 9_000), remaining: 4 },
    ),
  );
});

test('a newer account keeps the orders, and corrects what is known of them', () => {
  const holdings = new Holdings(() => 9_000);
  holdings.take({ type: 'account', account: accountWith(10) });
  holdings.take({ type: 'orders', orders: [rests(3, 4)] });
  holdings.take({ type: 'account', account: accountWith(8, { ...shown(3, 5, 300), remaining: 4 }) });
  assert.deepEqual(holdings.account, accountWith(8, { ...shown(3, 5, 300), remaining: 4 }));
  holdings.take({ type: 'orders', orders: [] });
  assert.deepEqual(holdings.account, accountWith(8));
  // The same id never comes again, so nothing is remembered of it.
  holdings.take({ type: 'orders', orders: [rests(3, 1)] });
  assert.equal(holdings.account!.openOrders[0]!.ts, 9_000);
});

test('of more than 500 orders the account shows the newest, and counts all', () => {
  const holdings = new Holdings(() => 0);
  holdings.take({ type: 'account', account: accountWith(1) });
  holdings.take({ type: 'orders', orders: Array.from({ length: 700 }, (_, i) => rests(i + 1, 1)) });
  const { openOrders, openOrderCount } = holdings.account!;
  assert.deepEqual([openOrders.length, openOrders[0]!.id, openOrderCount], [500, 201, 700]);
  assert.equal(holdings.orders.length, 700);
});
