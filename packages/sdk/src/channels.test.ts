import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BookMembers, TapePrint } from '@venue/protocol';
import type { ChannelMessage } from './channel-link.ts';
import { FillsTopic, Topic } from './channel-topic.ts';
import { Handlers } from './handlers.ts';
import { LocalBook } from './local-book.ts';
import { Queue } from './queue.ts';
import { SeenTrades } from './seen-trades.ts';

const snapshot = (seq: number, members: BookMembers = {}) =>
  ({ channel: 'book:X', type: 'snapshot', seq, ...members }) as ChannelMessage;
const delta = (prevSeq: number, seq: number, members: BookMembers = {}) =>
  ({ channel: 'book:X', type: 'delta', prevSeq, seq, ...members }) as ChannelMessage;

function followed() {
  const book = new LocalBook('X', { onClose: () => {}, handlers: new Handlers() });
  const topic = new Topic('book:X', {
    onMessage: (message) => book.take(message),
    onRight: (isRight) => book.turn(isRight),
    onRefused: (reason) => book.refuse(reason),
  });
  return { book, topic };
}

describe('a local book (STR-2)', () => {
  it('is what the snapshot and the deltas say, in order of price', () => {
    const { book, topic } = followed();
    topic.take(snapshot(5, { bids: [[3, 1]], asks: [[4, 2]] }));
    topic.take(
      delta(5, 7, {
        bids: [
          [2, 1],
          [3, 0],
          [2.5, 4],
          [1, 1],
        ],
        asks: [
          [5, 1],
          [3.5, 1],
          [4, 9],
        ],
      }),
    );
    assert.deepEqual(
      book.bids.map(({ price, qty }) => [price, qty]),
      [
        [2.5, 4],
        [2, 1],
        [1, 1],
      ],
    );
    assert.deepEqual(
      book.asks.map(({ price, qty }) => [price, qty]),
      [
        [3.5, 1],
        [4, 9],
        [5, 1],
      ],
    );
    topic.take(delta(7, 8, { bids: [[9, 0]] }));
    assert.equal(book.bids.length, 3);
    assert.deepEqual([book.seq, book.isRight], [8, true]);
    topic.take(snapshot(9));
    assert.deepEqual([book.bids, book.asks], [[], []]);
  });

  it('says that it is not right after a gap, until a snapshot', () => {
    const { book, topic } = followed();
    assert.deepEqual([book.isRight, topic.request], [false, 'book:X']);
    topic.take(snapshot(5, { bids: [[3, 1]] }));
    assert.deepEqual(topic.request, { channel: 'book:X', seq: 5 });
    assert.equal(topic.take(delta(6, 7, { bids: [[3, 0]] })), false);
    assert.deepEqual([book.isRight, book.bids.length, topic.request], [false, 1, 'book:X']);
    assert.equal(topic.take(delta(7, 8)), false);
    topic.take(snapshot(9));
    assert.equal(book.isRight, true);
  });

  it('says that it is not right without a connection, and is again when nothing has changed', () => {
    const { book, topic } = followed();
    let told = 0;
    book.onChange(() => {
      told += 1;
    });
    topic.take(snapshot(5));
    topic.lost();
    assert.deepEqual([book.isRight, told], [false, 3]);
    topic.resumed();
    assert.deepEqual([book.isRight, told], [true, 4]);
    topic.take(delta(5, 6));
    assert.equal(book.seq, 6);
  });
});

describe('readers of fills that know different ones', () => {
  it('ask for those after the least', () => {
    const handlers = { onMessage: () => {}, onRefused: () => {} };
    const topics = [7, null, 5].map((after) => new FillsTopic(after, handlers));
    assert.deepEqual(topics[0]!.requestOfAll(topics.slice(1)), { channel: 'fills', after: 5 });
    assert.equal(topics[1]!.request, 'fills');
    topics[0]!.moveTo(3);
    assert.equal(topics[0]!.mark, 7);
  });
});

describe('trades of a snapshot', () => {
  const print = (ts: number): TapePrint => ({ seriesId: 'X', price: 1, qty: 1, side: 'buy', ts });
  const prints = (...times: number[]) => times.map(print);
  const timesOf = (trades: readonly TapePrint[]) => trades.map(({ ts }) => ts);

  it('are new from where those that were seen end', () => {
    const seen = new SeenTrades();
    assert.deepEqual(timesOf(seen.newOf(prints(1, 2, 2)).trades), [1, 2, 2]);
    seen.follow(prints(3));
    const later = seen.newOf(prints(2, 2, 3, 3, 4));
    assert.deepEqual([timesOf(later.trades), later.isGap], [[3, 4], false]);
    assert.deepEqual(seen.newOf(prints(2, 2, 3, 3, 4)).trades, []);
  });

  it('may follow a gap where none was seen before', () => {
    const seen = new SeenTrades();
    seen.newOf(prints(1, 2));
    const later = seen.newOf(prints(5, 6));
    assert.deepEqual([timesOf(later.trades), later.isGap], [[5, 6], true]);
  });
});

describe('a queue', () => {
  it('gives what waits, then its end or its error', async () => {
    const queue = new Queue<number>(() => {});
    const first = queue.next();
    queue.push(1);
    queue.push(2);
    queue.end(new Error('over'));
    queue.push(3);
    assert.deepEqual(
      [await first, await queue.next()],
      [
        { done: false, value: 1 },
        { done: false, value: 2 },
      ],
    );
    await assert.rejects(queue.next(), /over/);
    assert.equal((await queue.next()).done, true);
  });

  it('ends with an error when its reader does not read', async () => {
    let isReturned = false;
    const queue = new Queue<number>(() => {
      isReturned = true;
    });
    for (let i = 0; i <= 16_384; i++) queue.push(i);
    assert.equal(isReturned, true);
    for (let i = 0; i < 16_384; i++) await queue.next();
    await assert.rejects(queue.next(), RangeError);
  });
});
