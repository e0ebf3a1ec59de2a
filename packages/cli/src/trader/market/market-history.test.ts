import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candlesCsv, tradesCsv } from './market-history.ts';

const ts = 1_764_374_400_000;

test('HIS-1: trades as CSV have plain decimals, times in both forms, and say which were of one account', () => {
  const trade = {
    id: 12,
    seriesId: 'BTC-1795827600-C-92000',
    price: 0.000001,
    qty: 1e9,
    side: 'buy',
    ts,
  } as const;
  assert.equal(
    tradesCsv([{ ...trade, id: 13, self: true }, trade]),
    'id,time,ts,seriesId,side,qty,price,self\r\n' +
      '13,2025-11-29T00:00:00.000Z,1764374400000,BTC-1795827600-C-92000,buy,1000000000,0.000001,1\r\n' +
      '12,2025-11-29T00:00:00.000Z,1764374400000,BTC-1795827600-C-92000,buy,1000000000,0.000001,0\r\n',
  );
});

test('HIS-2: candles as CSV have no volume where nothing is traded', () => {
  const prices = { t: ts, o: 1, h: 2.5, l: 0.5, c: 2 };
  assert.equal(
    candlesCsv([prices, { ...prices, v: 0.25 }]),
    'time,t,o,h,l,c,v\r\n' +
      '2025-11-29T00:00:00.000Z,1764374400000,1,2.5,0.5,2,\r\n' +
      '2025-11-29T00:00:00.000Z,1764374400000,1,2.5,0.5,2,0.25\r\n',
  );
});
