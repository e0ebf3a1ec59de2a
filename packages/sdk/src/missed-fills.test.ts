import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FillRecord, StreamFill } from '@venue/protocol';
import { FillCursor } from './missed-fills.ts';

function frame(ts: number, qty = 1): StreamFill {
  return { seriesId: 'BTC-1-C-1', side: 'buy', price: 2, qty, ts, taker: true };
}

/** As `GET /v1/fills` gives them: newest first, with more fields than a frame. */
function records(...fills: StreamFill[]): FillRecord[] {
  const rest = { orderId: 1, symbol: 'BTC', fee: 0, realized: 0, kind: 'trade' as const };
  return fills.map((fill, i) => ({ ...rest, id: i + 1, ...fill })).reverse();
}

test('the first look misses nothing, and later ones only what came after it', () => {
  const cursor = new FillCursor();
  assert.equal(cursor.ts, null);
  assert.deepEqual(cursor.missed(records(frame(1), frame(2)), []), []);
  assert.equal(cursor.ts, 2);
  assert.deepEqual(cursor.missed(records(frame(1), frame(2), frame(3), frame(4)), []), [frame(3), frame(4)]);
});

test('an account without fills has its first one told', () => {
  const cursor = new FillCursor();
  assert.deepEqual(cursor.missed([], []), []);
  assert.deepEqual(cursor.missed(records(frame(9)), []), [frame(9)]);
});

test('what the connection brings itself is not missed', () => {
  const cursor = new FillCursor();
  cursor.missed(records(frame(1)), []);
  assert.deepEqual(cursor.missed(records(frame(1), frame(2), frame(3)), [frame(3)]), [frame(2)]);
});

test('of fills of one millisecond those that arrived are counted, alike ones too', () => {
  const cursor = new FillCursor();
  cursor.missed([], []);
  cursor.arrives(frame(5));
  cursor.arrives(frame(5, 2));
  const all = records(frame(5), frame(5), frame(5, 2), frame(5, 3), frame(6));
  assert.deepEqual(cursor.missed(all, []), [frame(5), frame(5, 3), frame(6)]);
});

test('the first look counts the fills of its last millisecond, without those that the connection brings', () => {
  const cursor = new FillCursor();
  assert.deepEqual(cursor.missed(records(frame(5), frame(5, 2)), [frame(5, 2)]), []);
  cursor.arrives(frame(5, 2));
  assert.deepEqual(cursor.missed(records(frame(5), frame(5, 2), frame(5, 3)), []), [frame(5, 3)]);
});

test('a start from an earlier cursor takes that millisecond for done', () => {
  const cursor = new FillCursor(5);
  assert.equal(cursor.ts, 5);
  assert.deepEqual(cursor.missed(records(frame(4), frame(5), frame(6)), []), [frame(6)]);
});

test('a fill that a read told before the stream did is dropped when the stream brings it, once', () => {
  const cursor = new FillCursor();
  cursor.missed([], []);
  assert.deepEqual(cursor.missed(records(frame(1), frame(2), frame(2)), []), [frame(1), frame(2), frame(2)]);
  const arrivals = [frame(2), frame(2), frame(2), frame(3)].map((fill) => cursor.arrives(fill));
  assert.deepEqual(arrivals, [false, false, true, true]);
  assert.equal(cursor.ts, 3);
});
