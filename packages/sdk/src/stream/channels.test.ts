import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import type { BookMembers, Trade } from '@venue/protocol';
import { Handlers } from '../net/handlers.ts';
import type { ChannelMessage } from './channel-link.ts';
import { FillsTopic, Topic } from './channel-topic.ts';
import { LocalAccount, OWN } from './local-account.ts';
import { LocalBook } from './local-book.ts';
import { Queue } from './queue.ts';
import { TradesInOrder } from './trades-in-order.ts';

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

describe('a local account (STR-2)', () => {
  function held() {
    const own = new LocalAccount({ onClose: () => {}, handlers: new Handlers() });
    const [account, orders] = OWN.map(
      (name) =>
        new Topic(name, {
          onMessage: (message) => own.take(message),
          onRight: (isRight) => own.turnOne(name, isRight),
          onRefused: (reason) => own.refuse(reason),
        }),
    ) as [Topic, Topic];
    const tell = (topic: Topic, members: object) =>
      topic.take({ channel: topic.name, ...members } as ChannelMessage);
    return { own, account, orders, tell };
  }

  it('is shown once both channels tell of the same orders', () => {
    const { own, account, orders, tell } = held();
    let told = 0;
    tell(account, { type: 'snapshot', seq: 4, cash: 9, openOrderCount: 1, positions: [] });
    assert.deepEqual([own.account, own.isRight], [null, false]);
    tell(orders, { type: 'snapshot', seq: 3, orders: [{ id: 1, cause: null }] });
    assert.deepEqual([own.account?.openOrders.map(({ id }) => id), own.isRight, own.seq], [[1], true, 4]);
    own.onChange(() => {
      told += 1;
    });
    const { openOrders } = own.account!;
    tell(account, { type: 'delta', prevSeq: 4, seq: 5, cash: 8 });
    assert.equal(own.account!.openOrders, openOrders, 'the same array while no order changes');
    tell(account, { type: 'delta', prevSeq: 5, seq: 6, cash: 7, openOrderCount: 0 });
    assert.deepEqual([own.account!.cash, own.seq, told], [8, 5, 1], 'an order less by one channel alone');
    tell(orders, { type: 'delta', prevSeq: 3, seq: 6, orders: [{ id: 1, cause: 'filled' }] });
    assert.deepEqual([own.account!.cash, own.account!.openOrders, own.seq, told], [7, [], 6, 2]);
  });

  it('has what is held only while something is, and no position that is gone', () => {
    const { own, account, orders, tell } = held();
    const position = { seriesId: 'S', symbol: 'BTC', qty: 2 };
    tell(orders, { type: 'snapshot', seq: 1, orders: [] });
    tell(account, { type: 'snapshot', seq: 1, openOrderCount: 0, held: 3, positions: [position] });
    assert.deepEqual([own.account!.held, own.account!.positions], [3, [position]]);
    const gone = { seriesId: 'S', qty: 0 };
    tell(account, { type: 'delta', prevSeq: 1, seq: 2, held: null, positions: [gone] });
    assert.deepEqual(['held' in own.account!, own.account!.positions], [false, []]);
    tell(account, { type: 'delta', prevSeq: 2, seq: 3, held: 4 });
    tell(account, { type: 'snapshot', seq: 4, openOrderCount: 0 });
    assert.equal('held' in own.account!, false);
  });

  it('is not right while one of the channels is not', () => {
    const { own, account, orders, tell } = held();
    for (const topic of [account, orders])
      tell(topic, { type: 'snapshot', seq: 1, orders: [], openOrderCount: 0 });
    orders.lost();
    assert.equal(own.isRight, false);
    account.lost();
    orders.resumed();
    assert.equal(own.isRight, false);
    account.resumed();
    assert.equal(own.isRight, true);
  });
});

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

describe('trades of a channel', () => {
  const trades = (...ids: number[]): Trade[] =>
    ids.map((id) => ({ id, seriesId: 'X', price: 1, qty: 1, side: 'buy', ts: 1 }));
  const reader = (missed: (after: number, before: number | null) => Promise<Trade[]>) => {
    const passed: number[] = [];
    const gaps: string[] = [];
    const pass = ({ id }: Trade) => passed.push(id);
    const inOrder = (after: number | null) =>
      new TradesInOrder(after, { pass, missed, onGap: ({ message }) => gaps.push(message) });
    return { passed, gaps, inOrder };
  };
  const never = () => assert.fail('nothing was missed');

  it('pass once each where a snapshot reaches back to the last (STR-4)', async () => {
    const { passed, inOrder } = reader(never);
    const one = inOrder(null);
    one.take(trades(2, 4), true);
    one.take(trades(6), false);
    one.take(trades(4, 6, 8), true);
    await settled();
    assert.deepEqual(passed, [2, 4, 6, 8]);
  });

  it('come from the history where it does not, before those of later messages', async () => {
    const asked: unknown[] = [];
    const { passed, inOrder } = reader(async (...span) => {
      asked.push(span);
      await settled();
      return trades(6, 8);
    });
    const one = inOrder(4);
    one.take(trades(10), true);
    one.take(trades(12), false);
    await settled();
    await settled();
    assert.deepEqual(asked, [[4, 10]]);
    assert.deepEqual(passed, [6, 8, 10, 12]);
    const after = reader(async (...span) => trades(...(span[1] === null ? [14] : [])));
    after.inOrder(12).take([], true);
    await settled();
    assert.deepEqual(after.passed, [14]);
  });

  it('go on behind an announced gap, where the history cannot be read', async () => {
    const { passed, gaps, inOrder } = reader(async () => {
      throw new Error('no history');
    });
    const one = inOrder(4);
    one.take(trades(10), true);
    one.take(trades(12), false);
    await settled();
    assert.deepEqual([passed, gaps], [[10, 12], ['no history']]);
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
