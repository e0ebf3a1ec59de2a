import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FillRecord, StreamFill } from '@venue/protocol';
import { FillCursor } from './missed-fills.ts';

function frame(ts: number, qty = 1): StreamFill {
  return { seriesId: 'BTC-1-C-1', side: 'buy', price: 2, qty, ts, taker: true };
}

/** In the form of `GET /v1/fills`: newest first, with more fields than a frame. */
function records(...fills: StreamFill[]): FillRecord[] {
  const rest = { orderId: 1, symbol: 'BTC', fee: 0, realized: 0, kind: 'trade' as const };
  return fills.map((fill, i) => ({ ...rest, id: i + 1, ...fill })).reverse();
}

test('the first read misses nothing, and later ones only what came after it', () => {
  const cursor = new FillCursor();
  assert.equal(cursor.ts, null);
  assert.deepEqual(cursor.missed(records(frame(1), frame(2)), []), []);
  assert.equal(cursor.ts, 2);
  assert.deepEqual(cursor.missed(records(frame(1), frame(2), frame(3), frame(4)), []), [frame(3), frame(4)]);
});

test('the first fill of an account without fills is delivered', () => {
  const cursor = new FillCursor();
  assert.deepEqual(cursor.missed([], []), []);
  assert.deepEqual(cursor.missed(records(frame(9)), []), [frame(9)]);
});

test('a fill that the connection itself delivers is not missed', () => {
  const cursor = new FillCursor();
  cursor.missed(records(frame(1)), []);
  assert.deepEqual(cursor.missed(records(frame(1), frame(2), frame(3)), [frame(3)]), [frame(2)]);
});

test('fills of one millisecond are counted as they arrive, even identical ones', () => {
  const cursor = new FillCursor();
  cursor.missed([], []);
  cursor.arrives(frame(5));
  cursor.arrives(frame(5, 2));
  const all = records(frame(5), frame(5), frame(5, 2), frame(5, 3), frame(6));
  assert.deepEqual(cursor.missed(all, []), [frame(5), frame(5, 3), frame(6)]);
});

test('the first read counts the fills of its last millisecond, without those that the connection brings', () => {
  const cursor = new FillCursor();
  assert.deepEqual(cursor.missed(records(frame(5), frame(5, 2)), [frame(5, 2)]), []);
  cursor.arrives(frame(5, 2));
  assert.deepEqual(cursor.missed(records(frame(5), frame(5, 2), frame(5, 3)), []), [frame(5, 3)]);
});

test('a start from an earlier cursor treats that millisecond as complete', () => {
  const cursor = new FillCursor(5);
  assert.equal(cursor.ts, 5);
  assert.deepEqual(cursor.missed(records(frame(4), frame(5), frame(6)), []), [frame(6)]);
});

test('a fill read before the stream brought it is dropped when the stream brings it, once', () => {
  const cursor = new FillCursor();
  cursor.missed([], []);
  assert.deepEqual(cursor.missed(records(frame(1), frame(2), frame(2)), []), [frame(1), frame(2), frame(2)]);
  const arrivals = [frame(2), frame(2), frame(2), frame(3)].map((fill) => cursor.arrives(fill));
  assert.deepEqual(arrivals, [false, false, true, true]);
  assert.equal(cursor.ts, 3);
});
