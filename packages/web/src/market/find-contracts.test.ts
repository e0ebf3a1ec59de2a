import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findContracts, type Listed, symbolsAsked } from './find-contracts.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const [NOV_27, NOV_30, DEC_18] = [
  Date.UTC(2026, 10, 28, 1) / 1_000,
  Date.UTC(2026, 11, 1, 1) / 1_000,
  Date.UTC(2026, 11, 19, 1) / 1_000,
];
const BTC: Listed = {
  symbol: 'BTC',
  expiries: [NOV_27, NOV_30],
  strikes: new Map([
    [NOV_27, [94_500, 95_000]],
    [NOV_30, [95_000, 96_000]],
  ]),
};
const SPX: Listed = { symbol: 'SPX', expiries: [DEC_18], strikes: new Map([[DEC_18, [4_900, 5_000]]]) };
/** Named like a strike, with a strike of a name. */
const T10: Listed = { symbol: 'T10', expiries: [NOV_30], strikes: new Map([[NOV_30, [10, 95]]]) };
const ALL = [BTC, SPX, T10];
const found = (text: string, listed: readonly Listed[] = ALL) =>
  findContracts(text, listed, { expiryTs: NOV_30, nowMs: NOW });

test('a contract is found by strike, side and date as traders write them', () => {
  for (const text of [
    '95c 30nov',
    '95 c 30 Nov',
    '95,000 call 30 november',
    '95.000 call 30 november',
    'btc 95k calls 30nov',
    '30nov 95c',
    '95c 030nov',
  ])
    assert.deepEqual(found(text, [BTC]), [`BTC-${NOV_30}-C-95000`], text);
  for (const text of ['94.5p', '94,5p', '94,500.00 p', '94.500,0p', '94.5k p'])
    assert.deepEqual(found(text), [`BTC-${NOV_27}-P-94500`], text);
});

test('of every underlying, or of the one that is named', () => {
  assert.deepEqual(found('SPX 5000p 18dec'), [`SPX-${DEC_18}-P-5000`]);
  assert.deepEqual(found('5000p 18dec spx'), [`SPX-${DEC_18}-P-5000`]);
  assert.deepEqual(found('95c 30nov'), [`BTC-${NOV_30}-C-95000`, `T10-${NOV_30}-C-95`]);
  assert.deepEqual(found('t10 10p'), [`T10-${NOV_30}-P-10`]);
  assert.deepEqual(found('btc spx 5000p'), []);
});

test('without a date those of the expiry on the screen come first, without a side both', () => {
  assert.deepEqual(found('95000 put'), [`BTC-${NOV_30}-P-95000`, `BTC-${NOV_27}-P-95000`]);
  assert.deepEqual(found('96'), [`BTC-${NOV_30}-C-96000`, `BTC-${NOV_30}-P-96000`]);
});

test('of too many, each underlying has its first', () => {
  const expiries = Array.from({ length: 20 }, (_, i) => NOV_27 + i * 86_400);
  const strikes = new Map(expiries.map((expiryTs) => [expiryTs, [95]]));
  const some = found(
    '95',
    ['A', 'B', 'D'].map((symbol) => ({ symbol, expiries, strikes })),
  );
  assert.deepEqual(
    some.map((id) => id[0]),
    [...'AAAABBBBDDDD'],
  );
});

test('what is not listed, or no contract, finds none', () => {
  for (const text of [
    '',
    'btc',
    'eth 95c',
    '95c 3nov',
    '97c',
    '95c 30nov 2',
    '30nov',
    'nov',
    '95x',
    '<b>95</b>',
    'k',
  ])
    assert.deepEqual(found(text), [], text);
  assert.deepEqual(found('95c', []), []);
});

test('contracts are asked for of no underlying but those that are meant', () => {
  const asked = (text: string) => symbolsAsked(text, ['BTC', 'SPX', 'T10']);
  for (const text of ['', 's', 'spx', 'eth 95c', '30nov', 't10']) assert.deepEqual(asked(text), [], text);
  assert.deepEqual(asked('spx 5'), ['SPX']);
  assert.deepEqual(asked('95c'), ['BTC', 'SPX', 'T10']);
});
