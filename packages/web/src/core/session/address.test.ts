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

test('an address names the legs of the tray, in their order', () => {
  const [low, high] = ['BTC-1764374400-C-95000', 'BTC-1764374400-P-97000'];
  const text = `#buy1.${low},sell10.${high}`;
  const legs = [
    { seriesId: low!, side: 'buy', ratio: 1 },
    { seriesId: high!, side: 'sell', ratio: 10 },
  ];
  const place = parsePlace(text);
  assert.deepEqual(place, { symbol: 'BTC', expiryTs: 1_764_374_400, seriesId: null, legs });
  assert.equal(placeText(place!), text);
  const many = Array.from({ length: 17 }, () => `buy1.${low}`).join(',');
  for (const odd of [
    `#buy1.${low},`,
    `#buy1.${low},hold1.${high}`,
    `#buy100.${low}`,
    '#buy1.BTC',
    `#${many}`,
  ])
    assert.equal(parsePlace(odd), null, odd);
});

test('any other address is rejected', () => {
  for (const text of ['', '#', '#btc', '#BTC-', '#BTC-soon', '#BTC-1764374400-X-95000', '#<script>'])
    assert.equal(parsePlace(text), null, text);
});
