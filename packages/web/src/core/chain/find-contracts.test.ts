import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findContracts } from './find-contracts.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const [NOV_27, NOV_30] = [Date.UTC(2026, 10, 28, 1) / 1_000, Date.UTC(2026, 11, 1, 1) / 1_000];
const listed = {
  symbol: 'BTC',
  expiries: [NOV_27, NOV_30],
  expiryTs: NOV_30,
  strikes: new Map([
    [NOV_27, [94_500, 95_000]],
    [NOV_30, [95_000, 96_000]],
  ]),
};
const found = (text: string) => findContracts(text, listed, NOW);

test('a contract is found by strike, side and date as traders write them', () => {
  for (const text of [
    '95c 30nov',
    '95 c 30 Nov',
    '95,000 call 30 november',
    'btc 95k calls 30nov',
    '30nov 95c',
  ])
    assert.deepEqual(found(text), [`BTC-${NOV_30}-C-95000`], text);
  assert.deepEqual(found('94.5p'), [`BTC-${NOV_27}-P-94500`]);
});

test('without a date those of the chosen expiry come first, without a side both', () => {
  assert.deepEqual(found('95000 put'), [`BTC-${NOV_30}-P-95000`, `BTC-${NOV_27}-P-95000`]);
  assert.deepEqual(found('96'), [`BTC-${NOV_30}-C-96000`, `BTC-${NOV_30}-P-96000`]);
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
  assert.deepEqual(findContracts('95c', { ...listed, symbol: null }, NOW), []);
});
