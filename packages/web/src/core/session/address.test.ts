import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlace, placeText } from './address.ts';

test('an address names an underlying, one of its expiries, or a contract', () => {
  const places = [
    ['#BTC', { symbol: 'BTC', expiryTs: null, seriesId: null, legs: null }],
    ['#BTC-1764374400', { symbol: 'BTC', expiryTs: 1_764_374_400, seriesId: null, legs: null }],
    [
      '#BTC-1764374400-C-95000',
      { symbol: 'BTC', expiryTs: 1_764_374_400, seriesId: 'BTC-1764374400-C-95000', legs: null },
    ],
  ] as const;
  for (const [text, place] of places) {
    assert.deepEqual(parsePlace(text), place);
    assert.equal(placeText(place), text);
  }
});

test('any other address is rejected', () => {
  for (const text of ['', '#', '#btc', '#BTC-', '#BTC-soon', '#BTC-1764374400-X-95000', '#<script>'])
    assert.equal(parsePlace(text), null, text);
});
