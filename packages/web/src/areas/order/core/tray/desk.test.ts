import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Account, ComboPreviewAnswer } from '@venue/protocol';
import {
  type Action,
  NotFoundError,
  OutcomeUnknownError,
  type VenueClient,
  type WriteVerdict,
} from '@venue/sdk/browser';
import type { BatchDone } from '../../../../session/batches.ts';
import { createStores, type Stores } from '../../../../terminal/stores.ts';
import { Notices } from '../../../notices/core/notices.ts';
import { TrayDesk } from './desk.ts';
import { KeptTray } from './kept-tray.ts';
import type { LegQuote } from './net.ts';

const [NEAR, FAR, LAST] = [1_795_827_600, 1_796_432_400, 1_797_037_200];
const STRIKES = [95_000, 96_000, 97_000, 98_000, 99_000, 100_000, 101_000, 102_000, 103_000, 104_000];
const id = (strike: number, expiryTs = NEAR) => `BTC-${expiryTs}-C-${strike}`;
const AMOUNTS = {
  cash: 1e5,
  equity: 1e5,
  locked: 0,
  buyingPower: 1e5,
  maintenanceMargin: 0,
  marginCall: false,
};

/** Calls get cheaper by 300 a strike, with a spread of 2; those above are bare. */
function quoteOf(seriesId: string, tilt: number): LegQuote {
  const strike = Number(seriesId.split('-')[3]);
  const mid = 3_000 + ((strike - 95_000) / 1_000) * (tilt - 300);
  return strike > 103_000
    ? { bid: Number.NaN, ask: Number.NaN, mid: Number.NaN, iv: Number.NaN }
    : { bid: mid - 1, ask: mid + 1, mid, iv: 0.5 };
}

interface Bench {
  readonly stores: Stores;
  readonly desk: TrayDesk;
  readonly sent: Action[];
  result: BatchDone['results'][number] | OutcomeUnknownError;
  /** The units in the venue's record of the order; null for no record. */
  filledQty: number | null;
  nowMs: number;
  /** Tells the desk that prices have moved. */
  onPrices: () => void;
  /** Dollars that every call has become dearer for every 1,000 of its strike above 95,000. */
  tilt: number;
}

function benchOf(texts = new Map<string, string>()): Bench {
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  };
  const stores = createStores();
  const strikes = new Map([NEAR, FAR].map((expiryTs) => [expiryTs, STRIKES]));
  stores.listing.setState({ symbol: 'BTC', expiries: [NEAR, FAR], expiryTs: NEAR, strikes });
  stores.session.setState({ state: 'ready' });
  const preview: ComboPreviewAnswer = {
    ...{ status: 'filled', fills: [], filledQty: 1, cost: 302, fee: 1 },
    ...{ before: AMOUNTS, after: AMOUNTS },
  };
  const sent: Action[] = [];
  const bench: Omit<Bench, 'desk'> = {
    ...{ stores, sent, nowMs: 0, tilt: 0, filledQty: null, onPrices() {} },
    result: { type: 'combo', status: 'rejected', orderId: 0, fills: [], reason: 'no liquidity' },
  };
  const desk = new TrayDesk({
    client: {
      orders: {
        previewCombo: async () => preview,
        async find({ clientId }: { readonly clientId: string }) {
          assert.equal(clientId, 'ours');
          if (bench.filledQty === null) throw new NotFoundError(404, 'unknown order');
          return { filledQty: bench.filledQty, avgPrice: bench.filledQty === 0 ? null : 301.5 };
        },
      },
    } as unknown as VenueClient,
    stores,
    quoteOf: (seriesId) => quoteOf(seriesId, bench.tilt),
    notices: new Notices(stores.notices),
    take: () => true,
    send: (act) => act(),
    async sendBatch(actions) {
      sent.push(...actions);
      if (bench.result instanceof Error) throw bench.result;
      return { results: [bench.result], account: {} as BatchDone['account'], seq: 1, isRecovered: false };
    },
    onAccount() {},
    onPrices: (listener) => {
      bench.onPrices = listener;
    },
    spot: () => 99_200,
    kept: new KeptTray(() => storage),
    selectExpiry: (expiryTs) => stores.listing.setState({ expiryTs }),
    closeTicket() {},
    venueNow: () => bench.nowMs,
    settlesNear: () => null,
    now: () => bench.nowMs,
  });
  return Object.assign(bench, { desk });
}

describe('CMB-1 the tray', () => {
  let bench: Bench;
  // No preview comes between: each test has the desk to itself.
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    bench = benchOf();
  });
  afterEach(() => mock.timers.reset());
  const legs = () =>
    bench.stores.tray
      .getState()
      .legs.map(({ seriesId, side, ratio }) => `${side} ${ratio} ${Number(seriesId.split('-')[3]) / 1_000}`)
      .join(', ');

  it('a preset is priced at the touch and sent as one combo', async () => {
    const { desk, stores, sent } = bench;
    desk.choose('vertical');
    assert.equal(legs(), 'buy 1 99, sell 1 100');
    assert.equal(stores.tray.getState().price, '302.00');
    bench.result = {
      ...{ type: 'combo', status: 'filled', orderId: 7, restedQty: 0 },
      fills: [
        { seriesId: id(99_000), side: 'buy', price: 1_801, qty: 1 },
        { seriesId: id(100_000), side: 'sell', price: 1_499, qty: 1 },
      ],
    };
    await desk.send();
    assert.equal(sent.length, 1);
    const [action] = sent;
    assert.ok(action?.type === 'combo' && action.net === 302 && action.qty === 1 && action.tif === 'ioc');
    const [notice] = stores.notices.getState().list;
    assert.match(`${notice?.title}: ${notice?.text}`, /call spread at 302\.00: 1 filled at 302\.00\./);
    assert.equal(stores.tray.getState().isOpen, false);
  });

  it('what cannot be is said, and changes nothing', () => {
    const { desk, stores } = bench;
    desk.choose('condor');
    const before = legs();
    desk.shape({ width: 9 });
    assert.equal(stores.tray.getState().fault, 'No strikes further out.');
    desk.move(id(97_000), 97_500);
    assert.equal(stores.tray.getState().fault, 'No strike 97,500 is listed for that expiry.');
    desk.move(id(97_000), 98_000);
    assert.equal(stores.tray.getState().fault, 'Another leg is that contract already.');
    desk.add({ seriesId: id(95_000), side: 'buy' });
    assert.equal(stores.tray.getState().fault, 'One order has at most 4 legs.');
    assert.equal(legs(), before);
    desk.move(id(97_000), 96_000);
    assert.equal(stores.tray.getState().fault, null);
    assert.notEqual(legs(), before);
  });

  it('the expiry turns with all legs and the chain, and no further than is listed', () => {
    const { desk, stores } = bench;
    desk.choose('straddle');
    desk.turnExpiry(1);
    assert.equal(stores.listing.getState().expiryTs, FAR);
    assert.ok(stores.tray.getState().legs.every(({ seriesId }) => seriesId.includes(`-${FAR}-`)));
    desk.turnExpiry(1);
    assert.equal(stores.tray.getState().fault, 'No later expiry is listed.');
  });

  it('a leg with an empty book leaves the net open until it is typed', async () => {
    const { desk, stores, sent } = bench;
    desk.add({ seriesId: id(99_000), side: 'buy' });
    desk.add({ seriesId: id(104_000), side: 'sell' });
    assert.equal(stores.tray.getState().price, '');
    await desk.send();
    assert.equal(sent.length, 0);
    desk.edit({ price: '-5' });
    assert.deepEqual([stores.tray.getState().price, stores.tray.getState().isCredit], ['5', true]);
    await desk.send();
    assert.ok(sent[0]?.type === 'combo' && sent[0].net === -5);
  });

  it('the net keeps its place between the books until it is typed, and while it waits to be confirmed', async () => {
    const { desk, stores } = bench;
    const net = () => stores.tray.getState().price;
    const move = (tilt: number) => {
      bench.nowMs += 1_000;
      bench.tilt = tilt;
      bench.onPrices();
    };
    desk.choose('vertical');
    move(10);
    assert.equal(net(), '292.00');
    desk.slide(0.5);
    assert.equal(net(), '290.00');
    move(0);
    assert.equal(net(), '300.00');
    // With the touch beside it, however soon.
    bench.tilt = 10;
    bench.onPrices();
    assert.equal(net(), '290.00');
    bench.tilt = 0;
    bench.onPrices();
    assert.equal(net(), '300.00');
    desk.edit({ price: '700' });
    move(10);
    assert.equal(net(), '700');
    desk.slide(0);
    desk.shape({ kind: 'straddle', side: 'sell' });
    await desk.send();
    assert.notEqual(stores.tray.getState().cautions.length, 0);
    const asked = net();
    move(50);
    assert.equal(net(), asked);
  });

  it('nothing is sent once a leg has expired', async () => {
    const { desk, sent } = bench;
    desk.choose('vertical');
    bench.nowMs = NEAR * 1_000;
    await desk.send();
    assert.equal(sent.length, 0);
  });

  const lost = (verdict: WriteVerdict) =>
    new OutcomeUnknownError(
      'no answer',
      { verdict, account: null, fillsSince: [], orderIds: [] },
      { clientIds: ['ours'] },
    );
  /** Lets the waits of a search pass. */
  const settled = async () => {
    for (let i = 0; i < 50; i++) {
      await Promise.resolve();
      mock.timers.tick(1_000);
    }
  };

  it('CID-1: while nobody knows, nothing is sent again, and the person can look', async () => {
    const { desk, stores, sent } = bench;
    desk.choose('vertical');
    const known = lost('carried out');
    let isKnown = false;
    const stillLost: OutcomeUnknownError = new OutcomeUnknownError(
      'no answer',
      { verdict: 'unknown', account: {} as Account, fillsSince: [], orderIds: [] },
      { clientIds: ['ours'], lookAgain: async () => (isKnown ? known : stillLost) },
    );
    // The page's clock passes the time for looking at once.
    let clockMs = 0;
    Object.defineProperty(bench, 'nowMs', {
      get() {
        clockMs += 6_000;
        return clockMs;
      },
    });
    Object.assign(bench, { result: stillLost, filledQty: 1 });
    const first = desk.send();
    await settled();
    await first;
    assert.equal(stores.tray.getState().sending, 'unknown');
    await desk.send();
    desk.choose('condor');
    assert.equal(legs(), 'buy 1 99, sell 1 100');
    assert.equal(sent.length, 1);
    isKnown = true;
    const again = desk.lookAgain();
    await settled();
    await again;
    assert.match(stores.notices.getState().list[0]!.text, /1 filled at 301\.50/);
    assert.equal(sent.length, 1);
  });

  it('TERM-11: legs from the chain are collected until the whole tray is opened', () => {
    const { desk, stores } = bench;
    desk.add({ seriesId: id(99_000), side: 'buy' });
    desk.add({ seriesId: id(100_000), side: 'sell' });
    assert.equal(stores.tray.getState().isCollecting, true);
    desk.open();
    desk.add({ seriesId: id(101_000), side: 'sell' });
    assert.equal(stores.tray.getState().isCollecting, false);
  });

  it('TERM-11: a roll turns the chain to the expiry it opens, by default the next', () => {
    const { desk, stores } = bench;
    desk.roll([{ seriesId: id(99_000), qty: 2 }]);
    assert.deepEqual(stores.tray.getState().rolls, [{ seriesId: id(99_000), qty: 2 }]);
    assert.equal(stores.listing.getState().expiryTs, FAR);
    desk.setRatio(id(99_000), 2);
    assert.equal(stores.tray.getState().rolls, null);
    desk.close();
    assert.equal(stores.listing.getState().expiryTs, FAR, 'an order of its own turns nothing back');
  });

  it('TERM-11: a roll that is given up turns the chain back, one that traded does not', async () => {
    const { desk, stores } = bench;
    desk.roll([{ seriesId: id(99_000), qty: 2 }]);
    desk.close();
    assert.equal(stores.listing.getState().expiryTs, NEAR);
    desk.roll([{ seriesId: id(99_000), qty: 2 }]);
    bench.result = {
      ...{ type: 'combo', status: 'filled', orderId: 7, restedQty: 0 },
      fills: [{ seriesId: id(99_000), side: 'sell', price: 1_801, qty: 2 }],
    };
    await desk.send();
    // The press before asked about the short that the position, which this desk does not hold, would leave.
    await desk.send();
    assert.deepEqual([stores.tray.getState().isOpen, stores.listing.getState().expiryTs], [false, FAR]);
  });

  it('TERM-11: a roll to another expiry after all turns the chain back to where the first began', () => {
    const { desk, stores } = bench;
    stores.listing.setState(({ strikes }) => ({
      expiries: [NEAR, FAR, LAST],
      strikes: new Map(strikes).set(LAST, STRIKES),
    }));
    desk.roll([{ seriesId: id(99_000), qty: 2 }]);
    desk.roll([{ seriesId: id(99_000), qty: 2 }], LAST);
    assert.equal(stores.listing.getState().expiryTs, LAST);
    desk.close();
    assert.equal(stores.listing.getState().expiryTs, NEAR);
  });

  it('TERM-11: a roll that ends because another underlying is chosen leaves the expiry that was chosen with it', () => {
    const { desk, stores } = bench;
    desk.roll([{ seriesId: id(99_000), qty: 2 }]);
    stores.listing.setState({ symbol: 'ETH', expiries: [NEAR, FAR], expiryTs: FAR });
    assert.equal(stores.tray.getState().legs.length, 0);
    assert.equal(stores.listing.getState().expiryTs, FAR);
  });

  it('TERM-17: an address opens with kind and quantity as the tab had them, else as one unit of own legs', () => {
    const ofTab = new Map<string, string>();
    const before = benchOf(ofTab);
    before.desk.choose('straddle');
    before.desk.edit({ qty: '0.7' });
    const { legs, preset } = before.stores.tray.getState();
    const reopened = (after: Bench, its = legs) => {
      after.desk.reopen(its);
      const { qty, preset: found } = after.stores.tray.getState();
      return [qty, found];
    };
    assert.deepEqual(reopened(bench), ['1', null]);
    const after = benchOf(ofTab);
    assert.deepEqual(reopened(after), ['0.7', preset]);
    assert.deepEqual(reopened(after, legs.slice(1)), ['1', null]);
  });

  it('another underlying empties the tray, a ticket only hides it', () => {
    const { desk, stores } = bench;
    desk.choose('vertical');
    stores.ticket.setState({ isOpen: true });
    assert.equal(stores.tray.getState().isOpen, false);
    assert.equal(legs(), 'buy 1 99, sell 1 100');
    stores.listing.setState({ symbol: 'ETH' });
    assert.equal(legs(), '');
  });
});
