import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RestingOrder, restingWords } from './resting-words.ts';

const ORDER: RestingOrder = {
  ...{ id: 1, seriesId: 'BTC-1-C-90000', symbol: 'BTC', side: 'buy' },
  ...{ price: 5, qty: 1, remaining: 1, ts: 0 },
};
const words = (patch: Partial<RestingOrder>) => restingWords({ ...ORDER, ...patch }, (ms) => `t${ms}`);

test('TIF-2: a resting order has its flag and its time in words, and a dash while they are unknown', () => {
  assert.equal(words({}), '–');
  assert.equal(words({ tif: 'gtc', flag: null }), 'Good till cancelled');
  assert.equal(words({ tif: 'gtc', flag: 'post-only' }), 'Post-only, good till cancelled');
  assert.equal(words({ tif: 'gtd', flag: null, expiresAt: 7 }), 'Until t7');
});
