import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VenueChangedError, type VenueClient } from '@venue/sdk/browser';
import { CHAIN, EXPIRY, leg, NAME, never, rowOf, settled, started, withChain } from '../../test/live-page.ts';
import type { Market } from '../market/market.ts';

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

  it('opens the next expiry where the nearest is left to settle, and none instead of a chosen or a quoted one (TERM-22)', async (t) => {
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

  it('FEED-1: asks again whether prices are simulated where it asked before the first of them', async (t) => {
    let areSimulated = false;
    let reads = 0;
    const { channels, stores, pass } = await withChain(t, {
      client: {
        market: {
          health: async () => ({ fundingMode: 'paper' }),
          venue: async () => {
            reads += 1;
            return { venue: null, riskMark: 'book', simulatedPrices: areSimulated };
          },
          series: async () => [{ expiryTs: EXPIRY, strike: 100 }],
        },
      } as unknown as VenueClient,
    });
    await settled();
    const isSimulated = () => stores.link.getState().simulatedPrices;
    assert.deepEqual([reads, isSimulated()], [1, false]);
    areSimulated = true;
    channels.tell('spots', { type: 'delta', spots: [{ symbol: 'BTC', spot: 101, feedFresh: true }] });
    pass(6_000, true);
    await settled();
    assert.deepEqual([reads, isSimulated()], [2, true]);
    pass(60_000, true);
    await settled();
    assert.equal(reads, 2);
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
