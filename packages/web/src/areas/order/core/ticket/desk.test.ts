import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import {
  type Account,
  BATCH_REJECT,
  type OpenOrder,
  type OrderPreviewAnswer,
  type Position,
} from '@venue/protocol';
import type { Action, ActionResult, LocalBook, VenueClient } from '@venue/sdk/browser';
import { keptStorage, refusedStorage } from '../../../../../test/kept-storage.ts';
import { createStores, type Stores } from '../../../../terminal/stores.ts';
import { Notices } from '../../../notices/core/notices.ts';
import { sideOf } from '../form/order.ts';
import { TicketDesk } from './desk.ts';
import { KeptTicket } from './kept-ticket.ts';

const CALL = 'BTC-1795827600-C-97000';
const AMOUNTS = {
  ...{ cash: 1e5, equity: 1e5, locked: 0, buyingPower: 1e5 },
  ...{ maintenanceMargin: 0, marginCall: false },
};
const NOTHING: OrderPreviewAnswer = {
  ...{
    status: 'rejected',
    reason: BATCH_REJECT.nothingToReduce,
    code: 'nothing-to-reduce',
    fills: [],
    restedQty: 0,
  },
  ...{ cost: 0, fee: 0, before: AMOUNTS, after: AMOUNTS },
};

/** The answer to a close that cancels first. */
const FILLED = [
  { type: 'cancel', ok: true, orderId: 7 },
  { type: 'place', status: 'filled', orderId: 9, fills: [{ qty: 0.3, price: 1_600 }] },
] as unknown as ActionResult[];

interface Bench {
  readonly stores: Stores;
  readonly desk: TicketDesk;
  readonly sent: Action[];
  results: ActionResult[];
}

/** An account that is short 0.3 of a call, and rests a buy of as much far below the market. */
function benchOf({
  sellPrice = 9_000,
  touch = { bid: 1_500, ask: 1_600, mark: 1_550 },
  preview = NOTHING,
  kept = new KeptTicket(refusedStorage),
} = {}): Bench {
  const stores = createStores();
  const sent: Action[] = [];
  const bench = { stores, sent, results: [] as ActionResult[] };
  const order = (id: number, side: 'buy' | 'sell') =>
    ({
      id,
      seriesId: CALL,
      side,
      price: side === 'buy' ? 100 : sellPrice,
      qty: 0.3,
      remaining: 0.3,
    }) as OpenOrder;
  stores.session.setState({ state: 'ready' });
  stores.holdings.setState({
    positions: new Map([[CALL, { seriesId: CALL, symbol: 'BTC', qty: -0.3 } as Position]]),
    orders: new Map([[CALL, [order(7, 'buy'), order(8, 'sell')]]]),
  });
  const desk = new TicketDesk({
    ...{ stores, kept, notices: new Notices(stores.notices) },
    client: { orders: { preview: async () => preview } } as unknown as VenueClient,
    channels: {
      book() {
        throw new Error('the chain has it');
      },
    },
    take: () => true,
    send: (act) => act(),
    async sendBatch(actions) {
      sent.push(...actions);
      return { results: bench.results, account: {} as Account, seq: 1, isRecovered: false };
    },
    onAccount() {},
    touchOf: () => ({ ...touch }),
    labelOf: String,
    venueNow: () => 0,
    settlesNear: () => null,
    now: () => 0,
  });
  desk.open({ seriesId: CALL, side: 'buy', qty: 0.3, isClosing: true });
  return Object.assign(bench, { desk });
}

describe('TERM-3: the ticket of a close', () => {
  let bench: Bench;
  /** Until the next preview has come. */
  const tick = async (ms = 2_000) => {
    mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  // No preview comes between: each test says what was foreseen.
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    bench = benchOf();
  });
  afterEach(() => mock.timers.reset());

  it('TIF-3: cancels what rests to close the same in one batch with it', async () => {
    const { desk, stores, sent } = bench;
    bench.results = FILLED;
    await desk.send({ cancelsFirst: true });
    const place = { type: 'place', seriesId: CALL, side: 'buy', qty: 0.3, price: 1_680 };
    assert.deepEqual(sent, [
      { type: 'cancel', orderId: 7 },
      { ...place, tif: 'ioc', reduceOnly: true },
    ]);
    const [notice] = stores.notices.getState().list;
    assert.equal(notice?.text, '0.3 filled at 1,600.00, 1 resting order cancelled');
    assert.equal(stores.ticket.getState().isOpen, false);
  });

  it('follows the market with its bound, until the person chooses another', async () => {
    const touch = { bid: 1_500, ask: 1_600, mark: 1_550 };
    const { desk, stores } = benchOf({ touch });
    const price = () => stores.ticket.getState().price;
    assert.equal(price(), '1,680.00');
    touch.ask = 2_000;
    await tick();
    assert.equal(price(), '2,100.00');
    desk.edit({ price: '2150' });
    touch.ask = 2_200;
    await tick();
    assert.equal(price(), '2150');
  });

  it('TIF-3: sends the cancels too when a question about the order is answered by the other button', async () => {
    const asking = benchOf({ sellPrice: 1_600 });
    const { desk, stores, sent } = asking;
    asking.results = FILLED;
    stores.ticket.setState({ preview: NOTHING });
    await desk.send({ cancelsFirst: true });
    // Meanwhile previews of the order without its cancels are refused.
    for (const ms of [0, 2_000]) {
      await tick(ms);
      assert.deepEqual([stores.ticket.getState().cautions.length, sent.length], [1, 0]);
    }
    await desk.send();
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['cancel', 'place'],
    );
  });

  it('the touch only moves its bound', () => {
    const { desk, stores } = bench;
    desk.takeTouch();
    assert.equal(stores.ticket.getState().isClosing, true);
    desk.edit({ price: '1650' });
    assert.equal(stores.ticket.getState().isClosing, false);
  });
});

it('STR-5: the touch of a book that misses a message, or has ended, is not known', () => {
  const stores = createStores();
  const changed: (() => void)[] = [];
  const book = {
    ...{ seriesId: CALL, seq: 1, isRight: true, bids: [{ price: 5, qty: 1 }], asks: [{ price: 6, qty: 1 }] },
    onChange: (listener: () => void) => changed.push(listener),
    close() {},
  };
  const desk = new TicketDesk({
    ...{ stores, notices: new Notices(stores.notices), take: () => false, send: (act) => act() },
    client: {} as VenueClient,
    channels: { book: () => book as unknown as LocalBook },
    sendBatch: () => new Promise(() => {}),
    onAccount() {},
    touchOf: () => null,
    labelOf: String,
    venueNow: () => 0,
    settlesNear: () => null,
    now: () => 0,
  });
  desk.open({ seriesId: CALL, side: 'buy', qty: 1, isClosing: false });
  const touch = () => {
    for (const listener of changed) listener();
    return stores.ticket.getState().touch;
  };
  assert.deepEqual(touch(), { bid: 5, ask: 6, mark: 5.5 });
  book.isRight = false;
  assert.equal(touch(), null);
  book.isRight = true;
  assert.deepEqual(touch(), { bid: 5, ask: 6, mark: 5.5 });
  desk.close();
});

it('TERM-17: what was typed before a reload waits until the page has turned to its expiry', () => {
  const typed = { side: 'sell', kind: 'limit', qty: '0.7', price: '5' } as const;
  const storage = keptStorage();
  const { stores, desk } = benchOf({ kept: new KeptTicket(() => storage) });
  desk.close();
  storage.setItem('venue-ticket', JSON.stringify({ seriesId: CALL, ...typed }));
  desk.close();
  desk.reopen(CALL);
  const { qty, price } = stores.ticket.getState();
  assert.deepEqual([qty, price, sideOf(stores.ticket.getState())], ['0.7', '5', 'sell']);
  desk.close();
  assert.equal(storage.values.size, 0);
});
