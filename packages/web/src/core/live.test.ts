import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Account, Chain, FillRecord } from '@venue/protocol';
import { UnauthorizedError, VenueChangedError, type VenueClient } from '@venue/sdk/browser';
import { Market } from './chain/market.ts';
import { Live, type LiveOptions } from './live.ts';
import { Allowance } from './session/allowance.ts';
import { createStores, NOBODY } from './stores.ts';

const EXPIRY = 4_000_000_000;
const NAME = `chain:BTC:${EXPIRY}`;

interface Handlers {
  onMessage(message: object): void;
  onRight?(isRight: boolean): void;
  onRefused?(reason: Error): void;
}

/** Channels that the test speaks for. */
class FakeChannels {
  heardMs: number | null = null;
  isClosed = false;
  retries = 0;
  readonly followed = new Map<string, Handlers>();
  readonly fillsAfter: number[] = [];
  #tellFill = (_: FillRecord) => {};

  listen(name: string, handlers: object): () => void {
    this.followed.set(name, handlers as Handlers);
    return () => this.followed.delete(name);
  }

  async *fills({ after = 0 }: { after?: number } = {}): AsyncGenerator<FillRecord> {
    this.fillsAfter.push(after);
    for (;;)
      yield await new Promise<FillRecord>((resolve) => {
        this.#tellFill = resolve;
      });
  }

  tellFill(id: number): void {
    this.#tellFill({ id } as FillRecord);
  }

  /** A snapshot or a delta, after which everything is known. */
  tell(name: string, message: object): void {
    const handlers = this.followed.get(name)!;
    handlers.onMessage(message);
    handlers.onRight?.(true);
  }

  retryNow(): void {
    this.retries += 1;
  }

  close(): void {
    this.isClosed = true;
  }
}

const never = () => new Promise<never>(() => {});
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** An account that the tests tell from others by its cash. */
const accountOf = (cash: number, seq = 0) => ({
  account: { cash, positions: [], openOrders: [], openOrderCount: 0 } as unknown as Account,
  ...(seq && { seq }),
});

const leg = (seriesId: string, mid: number) => ({
  seriesId,
  mid,
  iv: 0,
  delta: 0,
  openInterest: 0,
  volume: 0,
});
const rowOf = (strike: number, mid: number) => ({ strike, call: leg(`C${strike}`, mid), put: null });
const CHAIN = { type: 'snapshot', symbol: 'BTC', expiryTs: EXPIRY, spot: 100, sessionOpen: true };

function started(t: TestContext, given: Partial<LiveOptions> = {}) {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setInterval'] });
  const channels = new FakeChannels();
  const stores = createStores();
  const market = new Market();
  const asOf = { chainMs: 0, accountMs: 0 };
  const shown = { nowMs: 1_000, isShown: true };
  const now = () => shown.nowMs;
  const series = async () => [{ expiryTs: EXPIRY, strike: 100 }];
  const client = {
    market: { health: never, series },
    account: { fills: async () => [{ id: 7 }, { id: 5 }] },
  };
  const live = new Live({
    ...{ client: client as unknown as VenueClient, channels: channels as never, stores, market, asOf, now },
    allowance: new Allowance(now),
    send: (act) => act(),
    isShown: () => shown.isShown,
    onFills() {},
    onOtherVenue() {},
    onRefused() {},
    ...given,
  });
  live.start();
  t.after(() => live.stop());
  /** Lets time pass, with or without a sign of life from the venue. */
  const pass = (ms: number, isHeard: boolean) => {
    shown.nowMs += ms;
    if (isHeard) channels.heardMs = shown.nowMs;
    t.mock.timers.tick(250);
  };
  return { live, channels, stores, market, asOf, shown, pass };
}

/** With the chain of the first expiry on the screen. */
async function withChain(t: TestContext, given: Partial<LiveOptions> = {}) {
  const page = started(t, given);
  const { channels, live } = page;
  live.onLive();
  channels.tell('spots', { type: 'snapshot', spots: [{ symbol: 'BTC', spot: 100, feedFresh: true }] });
  await settled();
  channels.tell(NAME, { ...CHAIN, rows: [rowOf(90, 11), rowOf(100, 5)] });
  page.pass(0, true);
  return page;
}

const marks = ({ shape, value }: Market, market: Market) =>
  shape!.legs.map((one) => value.call(market, one, 'mark'));

describe('the page on the stream', () => {
  it('shows the first priced underlying, its first expiry, and each change of its chain (STR-2)', async (t) => {
    const { stores, channels, market } = await withChain(t);
    const { symbol, expiryTs, expiries } = stores.listing.getState();
    assert.deepEqual([symbol, expiryTs, expiries], ['BTC', EXPIRY, [EXPIRY]]);
    assert.deepEqual(marks(market, market), [11, 5]);
    channels.tell(NAME, { type: 'delta', spot: 101, rows: [rowOf(100, 6), rowOf(95, 8)] });
    assert.deepEqual([market.spot, marks(market, market)], [101, [11, 8, 6]]);
    channels.tell(NAME, { type: 'delta', rows: [{ strike: 90, call: null, put: null }] });
    assert.deepEqual(marks(market, market), [8, 6]);
    channels.tell(NAME, {
      type: 'delta',
      rows: [95, 100].map((strike) => ({ strike, call: null, put: null })),
    });
    assert.deepEqual(marks(market, market), [8, 6], 'at its cutoff the rows stay on the screen');
  });

  it('TERM-9: is live while the venue is heard, though nothing changes, then late, then stale', async (t) => {
    const { stores, asOf, pass, channels } = await withChain(t);
    const state = () => stores.link.getState().state;
    assert.equal(state(), 'live');
    pass(20_000, true);
    assert.deepEqual([state(), asOf.chainMs], ['live', 21_000]);
    pass(1_500, false);
    assert.equal(state(), 'late');
    pass(4_000, false);
    assert.equal(state(), 'stale');
    channels.followed.get(NAME)!.onRight!(false);
    pass(0, true);
    assert.equal(state(), 'stale', 'heard, but not yet of this chain');
    channels.followed.get(NAME)!.onRight!(true);
    pass(0, true);
    assert.equal(state(), 'live', 'resumed without a message');
  });

  it('is offline from the third lost attempt until it is connected again', async (t) => {
    const { live, stores, pass, shown } = await withChain(t);
    const loss = { reason: new Error('refused'), retryInMs: 2_000 };
    live.onLost(loss);
    live.onLost(loss);
    pass(0, false);
    assert.equal(stores.link.getState().state, 'live');
    live.onLost(loss);
    const { state, reason, nextTryMs } = stores.link.getState();
    assert.deepEqual([state, reason, nextTryMs], ['offline', 'refused', shown.nowMs + 2_000]);
    live.onLive();
    pass(0, true);
    assert.deepEqual([stores.link.getState().state, stores.link.getState().nextTryMs], ['live', null]);
  });

  it('opens the next expiry where the nearest is left to settle, and none instead of a chosen or a quoted one', async (t) => {
    const soon = Math.floor(Date.now() / 1_000) + 600;
    const expiries = [soon, EXPIRY];
    const series = async () => expiries.map((expiryTs) => ({ expiryTs, strike: 100 }));
    const client = { market: { health: never, series }, account: { fills: never } } as never;
    const opened = async (bid: object | null) => {
      const page = started(t, { client });
      page.live.onLive();
      const spots = [{ symbol: 'BTC', spot: 100, feedFresh: true }];
      page.channels.tell('spots', { type: 'snapshot', spots });
      await settled();
      const call = { ...leg('C100', 7), bid, ask: { price: 8, size: 1 } };
      const tell = () =>
        page.channels.tell(`chain:BTC:${soon}`, {
          ...{ ...CHAIN, expiryTs: soon },
          rows: [{ ...rowOf(100, 7), call }],
        });
      return { ...page, tell, shown: () => page.stores.listing.getState().expiryTs };
    };
    const left = await opened(null);
    assert.equal(left.shown(), soon);
    left.tell();
    assert.deepEqual([left.shown(), left.market.shape], [EXPIRY, null]);
    assert.deepEqual([...left.channels.followed.keys()].at(-1), NAME);
    const quoted = await opened({ price: 6, size: 1 });
    quoted.tell();
    assert.deepEqual([quoted.shown(), quoted.market.shape?.expiryTs], [soon, soon]);
    const chosen = await opened(null);
    chosen.live.onChosen();
    chosen.tell();
    assert.equal(chosen.shown(), soon);
  });

  it('counts each connection, also one that was back before the page was offline (INST-2)', async (t) => {
    const { live, stores } = await withChain(t);
    const { connections } = stores.link.getState();
    live.onLost({ reason: new Error('closed'), retryInMs: 500 });
    live.onLive();
    assert.deepEqual([connections, stores.link.getState().connections], [1, 2]);
  });

  it('follows no chain while hidden or past its cutoff, and the next one that is chosen', async (t) => {
    const { live, channels, stores, shown, asOf } = await withChain(t);
    shown.isShown = false;
    live.hurry();
    assert.equal(channels.followed.has(NAME), false);
    shown.isShown = true;
    live.hurry();
    assert.equal(channels.followed.has(NAME), true);
    assert.equal(channels.retries, 2);
    stores.listing.setState({ expiryTs: EXPIRY + 1 });
    live.onExpiry();
    assert.deepEqual([channels.followed.has(NAME), asOf.chainMs], [false, 0]);
    assert.equal(channels.followed.has(`chain:BTC:${EXPIRY + 1}`), true);
    stores.listing.setState({ expiryTs: 1 });
    live.onExpiry();
    assert.deepEqual([...channels.followed.keys()], ['spots', 'settlements', 'listing:BTC']);
  });

  it('is late once the spots miss a message, however lively its chain is (STR-5)', async (t) => {
    const { channels, stores, pass } = await withChain(t);
    pass(900, true);
    assert.equal(stores.link.getState().state, 'live');
    channels.followed.get('spots')!.onRight!(false);
    pass(900, true);
    pass(900, true);
    assert.equal(stores.link.getState().state, 'late');
    channels.tell('spots', { type: 'delta', spots: [] });
    pass(100, true);
    assert.equal(stores.link.getState().state, 'live');
  });

  it('reads the listing when its channel says that expiries came or went, and not by the clock (STR-5)', async (t) => {
    let listed = [{ expiryTs: EXPIRY, strike: 100 }];
    let reads = 0;
    const { channels, stores, pass } = await withChain(t, {
      client: {
        market: {
          health: never,
          series: async () => {
            reads += 1;
            return listed;
          },
        },
      } as unknown as VenueClient,
    });
    channels.tell('listing:BTC', { type: 'snapshot', expiries: [{ expiryTs: EXPIRY, series: 1 }] });
    await settled();
    const before = reads;
    for (let i = 0; i < 10; i++) pass(60_000, true);
    await settled();
    assert.equal(reads, before);
    listed = [...listed, { expiryTs: EXPIRY + 1, strike: 100 }];
    channels.tell('listing:BTC', { type: 'delta', expiries: [{ expiryTs: EXPIRY + 1, series: 1 }] });
    await settled();
    assert.deepEqual(stores.listing.getState().expiries, [EXPIRY, EXPIRY + 1]);
    // A node that is behind the channel is read again.
    channels.tell('listing:BTC', { type: 'delta', expiries: [{ expiryTs: EXPIRY, gone: true }] });
    await settled();
    listed = listed.slice(1);
    pass(1_000, true);
    await settled();
    assert.deepEqual(stores.listing.getState().expiries, [EXPIRY + 1]);
  });

  it('shows what expiries settled at, newest first, and a settlement in place of its refusal', async (t) => {
    const { channels, stores } = await withChain(t);
    const of = (expiryTs: number, symbol = 'BTC') => ({ symbol, expiryTs });
    channels.tell('settlements', {
      type: 'snapshot',
      settlements: [of(1), of(2), of(3, 'ETH')],
      refused: [of(4)],
    });
    assert.deepEqual(stores.listing.getState().settlements, {
      settlements: [of(2), of(1)],
      refused: [of(4)],
    });
    assert.deepEqual([...stores.listing.getState().inReview], ['BTC 4']);
    channels.tell('settlements', { type: 'delta', settlements: [of(4)] });
    assert.deepEqual(stores.listing.getState().settlements, {
      settlements: [of(4), of(2), of(1)],
      refused: [],
    });
    assert.equal(stores.listing.getState().inReview.size, 0);
  });

  it('stops at another venue (VEN-1)', async (t) => {
    let told = 0;
    const { live, channels, stores } = await withChain(t, { onOtherVenue: () => (told += 1) });
    const loss = { reason: new VenueChangedError('another'), retryInMs: Infinity };
    live.onLost(loss);
    live.onLost(loss);
    const { state, isOtherVenue } = stores.link.getState();
    assert.deepEqual([state, isOtherVenue, channels.isClosed, told], ['offline', true, true, 1]);
  });
});

describe('the account on the stream', () => {
  const order = (id: number, more: object = {}) => ({
    id,
    seriesId: 'S',
    remaining: 1,
    cause: null,
    ...more,
  });

  async function signedIn(t: TestContext, given: Partial<LiveOptions> = {}) {
    const page = await withChain(t, given);
    page.stores.session.setState({ ...NOBODY, state: 'ready', address: '0xa' });
    page.live.onSignedIn();
    await settled();
    return page;
  }

  it('shows it with its orders as they change, and forgets it after sign-out (STR-1)', async (t) => {
    const { live, channels, stores, asOf, pass } = await signedIn(t);
    const held = () => stores.holdings.getState();
    const position = { seriesId: 'S', symbol: 'BTC', qty: 2 };
    channels.tell('account', {
      type: 'snapshot',
      seq: 1,
      cash: 10,
      held: 3,
      openOrderCount: 2,
      positions: [position],
    });
    await settled();
    assert.equal(held().account, null, 'not without its orders');
    channels.tell('orders', { type: 'snapshot', seq: 1, orders: [order(1), order(2)] });
    await settled();
    assert.deepEqual(
      [held().account!.cash, held().account!.held, [...held().positions.keys()]],
      [10, 3, ['S']],
    );
    const { orders } = held();
    const gone = { seriesId: 'S', qty: 0 };
    channels.tell('account', { type: 'delta', seq: 2, cash: 11, held: null, positions: [gone] });
    await settled();
    assert.deepEqual(
      [held().account!.cash, 'held' in held().account!, held().positions.size],
      [11, false, 0],
    );
    assert.equal(held().orders, orders, 'the same object while no order changes');
    channels.tell('orders', { type: 'delta', seq: 3, orders: [order(1, { cause: 'filled' }), order(3)] });
    await settled();
    assert.deepEqual(
      held().account!.openOrders.map(({ id }) => id),
      [2, 3],
    );
    const legs = [{ seriesId: 'S', side: 'buy', ratio: 1 }];
    const combo = { id: 4, legs, symbol: 'BTC', net: 1, qty: 1, remaining: 0, cause: 'filled' };
    channels.tell('orders', { type: 'delta', seq: 4, orders: [combo] });
    await settled();
    assert.equal(held().account!.openOrders.length, 2, 'a combo never rests');
    pass(0, true);
    assert.equal(asOf.accountMs, 1_000);
    live.onSignedOut();
    assert.deepEqual([held().account, held().fills, channels.followed.has('account')], [null, [], false]);
  });

  it('takes the account of an answer, unless the channels have brought a later one', async (t) => {
    const { live, channels, stores } = await signedIn(t);
    const cash = () => stores.holdings.getState().account?.cash;
    live.takeAccount(accountOf(2));
    assert.equal(cash(), 2, 'nothing is better');
    channels.tell('account', { type: 'snapshot', seq: 10, cash: 3, openOrderCount: 0 });
    channels.tell('orders', { type: 'snapshot', seq: 10, orders: [] });
    await settled();
    live.takeAccount(accountOf(4, 10));
    live.takeAccount(accountOf(4));
    assert.equal(cash(), 3, 'it is no later, or may not be');
    live.takeAccount(accountOf(5, 12));
    assert.equal(cash(), 5, 'before its channels bring it');
    channels.tell('account', { type: 'delta', seq: 11, cash: 4 });
    await settled();
    assert.equal(cash(), 5, 'what was before the answer is not shown');
    channels.tell('account', { type: 'delta', seq: 12, cash: 5, equity: 6 });
    await settled();
    assert.deepEqual([cash(), stores.holdings.getState().account?.equity], [5, 6]);
    channels.followed.get('orders')!.onRight!(false);
    live.takeAccount(accountOf(7));
    assert.equal(cash(), 7, 'they are cut off');
  });

  it('reads its fills once, and gets those after them pushed', async (t) => {
    const seen: number[][] = [];
    const { channels } = await signedIn(t, { onFills: (_, fills) => seen.push(fills.map(({ id }) => id)) });
    assert.deepEqual([seen, channels.fillsAfter], [[[7, 5]], [7]]);
    channels.tellFill(8);
    await settled();
    channels.tellFill(9);
    await settled();
    assert.deepEqual(seen.slice(1), [
      [8, 7, 5],
      [9, 8, 7, 5],
    ]);
  });

  it('ends with its session', async (t) => {
    const refused: string[] = [];
    const { channels } = await signedIn(t, { onRefused: ({ message }) => refused.push(message) });
    channels.followed.get('account')!.onRefused!(new UnauthorizedError(401, 'revoked'));
    channels.followed.get('orders')!.onRefused!(new Error('too many channels'));
    assert.deepEqual(refused, ['revoked']);
  });
});

it('a chain begins anew with each snapshot', async (t) => {
  const { channels, market } = await withChain(t);
  const rows: Chain['rows'] = [rowOf(70, 1) as never];
  channels.tell(NAME, { ...CHAIN, rows });
  assert.deepEqual(
    market.shape!.rows.map(({ strike }) => strike),
    [70],
  );
});
