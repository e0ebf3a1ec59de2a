import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExample, guideText } from './guide.ts';

const URL = 'http://127.0.0.1:8080';

test('the commands name an existing contract', () => {
  const text = guideText(URL, { symbol: 'BTC', expiryTs: 1_795_395_600, seriesId: 'BTC-1795395600-C-95000' });
  const commands = text.split('\n').filter((line) => line.includes('curl'));
  assert.deepEqual(
    commands.map((line) => line.trim()),
    [
      `curl -s '${URL}/healthz'`,
      `curl -s '${URL}/v1/meta'`,
      `curl -s '${URL}/v1/chain?symbol=BTC&expiryTs=1795395600'`,
      `curl -s '${URL}/v1/book?seriesId=BTC-1795395600-C-95000'`,
    ],
  );
});

test('without quotes it says so and still gives the address', () => {
  assert.match(guideText(URL, null), /open at http:\/\/127\.0\.0\.1:8080; no quotes stand yet/);
});

test('the search for quotes ends at its limit and at the signal', async () => {
  const closed = 'http://127.0.0.1:1';
  assert.equal(await findExample(closed, new AbortController().signal, 20), null);
  assert.equal(await findExample(closed, AbortSignal.abort(), 60_000), null);
});
