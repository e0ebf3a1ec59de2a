import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChannelEndedError, RefusedError } from '@venue/sdk/browser';
import { noBookText } from './books.ts';

test('a book that will not come is not waited for (STR-5)', () => {
  const textFor = (error: Error | null) => noBookText('BTC 7 Mar 59,500 call', error);
  assert.equal(textFor(null), 'Reading the book of BTC 7 Mar 59,500 call…');
  const ended = new ChannelEndedError(400, 'book:X has ended: settled', 'settled');
  assert.equal(textFor(ended), 'BTC 7 Mar 59,500 call has ended: it has no book.');
  const unknown = new RefusedError(400, 'unknown series');
  assert.equal(textFor(unknown), 'The venue has no book of BTC 7 Mar 59,500 call.');
});
