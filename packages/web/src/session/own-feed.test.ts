/** The account from its two channels and from answers to writes, as the page and its tour see it. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account } from '@venue/protocol';
import { accountOver, type ToldHandlers } from '../../test/own-channels.ts';
import { begin, follow, type Tour } from '../areas/help/core/tour.ts';
import { createStores } from '../terminal/stores.ts';
import { OwnFeed } from './own-feed.ts';

type Name = 'account' | 'orders';
type Told = readonly [Name, object];

const shown = () => new Promise((resolve) => setTimeout(resolve, 5));
const resting = { id: 1, seriesId: 'S', remaining: 1, cause: null };
const position = { seriesId: 'S', symbol: 'BTC', qty: 1 };

/** An account without orders on both channels at entry 1, and a tour at the step that sends an order. */
async function touring() {
  const channels = new Map<string, ToldHandlers>();
  const stores = createStores();
  const feed = new OwnFeed({
    channels: { account: () => accountOver(channels) } as never,
    ...{ stores, asOf: { accountMs: 700 }, now: () => 1_000 },
    onFills() {},
    onRefused: assert.fail,
  });
  feed.start();
  const tell = ([name, message]: Told) => {
    channels.get(name)!.onMessage(message);
    channels.get(name)!.onRight!(true);
  };
  tell(['account', { type: 'snapshot', seq: 1, cash: 9, openOrderCount: 0, positions: [] }]);
  tell(['orders', { type: 'snapshot', seq: 1, orders: [] }]);
  await shown();
  let tour: Tour | null = begin({ hasTicket: true, positions: 0, resting: 0 });
  const steps: (string | null)[] = [];
  stores.holdings.subscribe(({ positions, orders }) => {
    if (tour === null) return;
    const open = [...orders.values()].flat().length;
    const hasTicket = positions.size + open === 0;
    const next = follow(tour, { hasTicket, positions: positions.size, resting: open });
    if (next?.step !== tour.step) steps.push(next?.step ?? null);
    tour = next;
  });
  /** Each message is shown before the next one comes. */
  const tellApart = async (...messages: readonly Told[]) => {
    for (const message of messages) {
      tell(message);
      await shown();
    }
  };
  const answer = (seq: number, more: object) => {
    const account = { cash: 8, positions: [], openOrders: [], openOrderCount: 0, ...more };
    feed.takeAnswered({ account: account as unknown as Account, seq });
  };
  return { feed, stores, steps, tellApart, answer };
}

const OPENED: readonly Told[] = [
  ['account', { type: 'delta', seq: 2, cash: 8, openOrderCount: 1 }],
  ['orders', { type: 'delta', seq: 2, orders: [resting] }],
];
const FILLED: readonly Told[] = [
  ['account', { type: 'delta', seq: 3, openOrderCount: 0, positions: [position] }],
  ['orders', { type: 'delta', seq: 3, orders: [{ id: 1, remaining: 0, cause: 'filled' }] }],
];
const CANCELLED: readonly Told[] = [
  ['account', { type: 'delta', seq: 4, cash: 9, openOrderCount: 0, positions: [{ seriesId: 'S', qty: 0 }] }],
  ['orders', { type: 'delta', seq: 4, orders: [{ id: 1, remaining: 0, cause: 'user' }] }],
];
const ORDERS = [
  { name: 'the account first', in: (messages: readonly Told[]) => messages },
  { name: 'the orders first', in: (messages: readonly Told[]) => messages.toReversed() },
];

describe('what one entry does, told in two messages (STR-1, TERM-19)', () => {
  for (const order of ORDERS) {
    it(`an order of the tour, answered and then told, stands until it is cancelled: ${order.name}`, async () => {
      const { steps, tellApart, answer } = await touring();
      answer(2, { openOrders: [resting], openOrderCount: 1 });
      await tellApart(...order.in(OPENED));
      assert.deepEqual(steps, ['wait']);
      await tellApart(...order.in(CANCELLED));
      assert.deepEqual(steps, ['wait', null]);
    });

    it(`an order that rests and fills is never counted twice, nor not at all: ${order.name}`, async () => {
      const { stores, steps, tellApart } = await touring();
      const counts: number[] = [];
      stores.holdings.subscribe(({ positions, orders }) =>
        counts.push(positions.size + [...orders.values()].flat().length),
      );
      await tellApart(...order.in(OPENED), ...order.in(FILLED));
      assert.deepEqual(steps, ['wait', 'close']);
      assert.deepEqual(counts, [1, 1]);
    });
  }
});

describe('what a session showed last (TERM-21)', () => {
  it('is kept with its time when the session ends by itself, until the next one', async () => {
    for (const state of ['expired', 'revoked'] as const) {
      const { feed, stores, tellApart } = await touring();
      await tellApart(...OPENED, ...FILLED);
      const beforeMs = Date.now();
      stores.session.setState({ state });
      feed.stop();
      assert.equal(stores.holdings.getState().account, null);
      const { positions, atMs } = stores.past.getState();
      assert.deepEqual([...positions.keys()], ['S']);
      assert.ok(atMs! >= beforeMs - 300 && atMs! <= Date.now() - 300, 'the account was right 300 ms ago');
      feed.stop();
      assert.equal(stores.past.getState().atMs, atMs, 'what comes after the end changes nothing');
      stores.session.setState({ state: 'ready' });
      feed.start();
      assert.equal(stores.past.getState().atMs, null);
    }
  });

  it('is gone when the person signs out', async () => {
    const { feed, stores, tellApart } = await touring();
    await tellApart(...OPENED, ...FILLED);
    stores.session.setState({ state: 'none' });
    feed.stop();
    assert.deepEqual([stores.past.getState().atMs, stores.past.getState().positions.size], [null, 0]);
  });
});
