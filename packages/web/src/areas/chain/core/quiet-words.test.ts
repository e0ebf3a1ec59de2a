import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietWords } from './quiet-words.ts';

const quotes = { symbol: 'BTC', expiry: '28 Nov', contracts: 82, quoted: 0, isFeedFresh: true };

test('an empty chain is announced, with the reason as far as it is known', () => {
  assert.equal(quietWords(quotes)?.title, 'No quotes for BTC 28 Nov right now.');
  assert.match(quietWords(quotes)!.text, /No market maker/);
  assert.match(quietWords({ ...quotes, isFeedFresh: false })!.text, /No source has printed a BTC price/);
});

test("a lone quote is not a market, a market maker's quotes are", () => {
  assert.match(quietWords({ ...quotes, quoted: 1 })!.title, /only 1 of 82 contracts is quoted/);
  assert.match(quietWords({ ...quotes, quoted: 4 })!.title, /only 4 of 82 contracts are quoted/);
  assert.equal(quietWords({ ...quotes, quoted: 5 }), null);
});

test('an unknown chain gives no message', () => {
  assert.equal(quietWords({ ...quotes, contracts: 0 }), null);
});
