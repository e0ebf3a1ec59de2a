import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { priceOption } from '@venue/protocol/black76';
import type { LocalBook } from '@venue/sdk/browser';
import { keptStorage, refusedStorage } from '../../../../test/kept-storage.ts';
import { createStores } from '../../../terminal/stores.ts';
import { keptWatched } from './kept-watched.ts';
import { WatchDesk } from './watch-desk.ts';
import { type PriceAlert, watchedOf, withStar } from './watched.ts';

const CALL = 'BTC-1764374400-C-95000';
const EXPIRY_MS = 1_764_374_400_000;
const MONTH_BEFORE_MS = EXPIRY_MS - 30 * 86_400_000;
const ABOVE: Omit<PriceAlert, 'id'> = { of: 'BTC', measure: 'spot', side: 'above', level: 97_000 };
const BELOW: Omit<PriceAlert, 'id'> = { of: CALL, measure: 'iv', side: 'below', level: 45 };

/** One browser: its storage and its locks. */
function browser() {
  const storage = keptStorage();
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, act: () => Promise<unknown>) => {
    last = last.then(act, act);
    return last;
  };
  return {
    storage: () => storage,
    locks: { request } as unknown as LockManager,
  };
}

function tab(place: Parameters<typeof keptWatched>[0], nowMs = 0) {
  const stores = createStores();
  stores.link.setState({ state: 'live' });
  const told: string[] = [];
  const books = new Map<string, TestBook>();
  const kept = keptWatched(place);
  const desk = new WatchDesk({
    ...{ kept, stores },
    channels: { book: (name) => new TestBook(name, books) as unknown as LocalBook },
    notices: { add: ({ text }) => void told.push(text) },
    alert: ({ text }) => void told.push(`sound: ${text}`),
    venueNow: () => nowMs,
    isShown: () => true,
    isOtherShown: () => false,
    labelOf: (name) => name,
    daysOf: () => ({ step: async () => {} }),
  });
  const spot = (price: number, feedFresh = true) =>
    stores.listing.setState({ instruments: [{ symbol: 'BTC', spot: price, feedFresh }] });
  return { desk, told, kept, books, spot, stores };
}

/** A book of one offer, and what holds it while it is followed. */
class TestBook {
  isRight = false;
  asks: { price: number; qty: number }[] = [];
  readonly bids = [];
  readonly #end: () => void;
  #tell = () => {};

  constructor(name: string, books: Map<string, TestBook>) {
    books.set(name, this);
    this.#end = () => books.delete(name);
  }

  onChange(listener: () => void): void {
    this.#tell = listener;
  }

  turn(isRight: boolean): void {
    this.isRight = isRight;
    this.#tell();
    mock.timers.tick(1);
  }

  ask(price: number): void {
    this.asks = [{ price, qty: 1 }];
    this.turn(true);
  }

  close(): void {
    this.#end();
    this.turn(false);
  }
}

/** The price of the call at a volatility. */
const priceAt = (vol: number, forward = 96_000) =>
  priceOption({ right: 'C', forward, strike: 95_000, years: 30 / 365, vol });

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the watch list and its alerts (TERM-18)', () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });

  test('TERM-18: an alert fires once over all tabs, by fresh prices alone', async () => {
    const place = browser();
    const [one, other] = [tab(place), tab(place)];
    one.spot(96_000);
    other.spot(96_000);
    assert.equal(await one.desk.setAlert(ABOVE), null);
    other.kept.readAgain();
    one.spot(97_500, false);
    one.stores.link.setState({ state: 'offline' });
    one.spot(97_600);
    await settled();
    assert.deepEqual([one.told, other.told], [[], []]);
    one.stores.link.setState({ state: 'live' });
    one.spot(97_700);
    other.spot(97_700);
    await settled();
    const text = 'BTC is above 97,000.00, at 97,700.00.';
    assert.deepEqual([...one.told, ...other.told], [text, `sound: ${text}`]);
    assert.equal(await one.desk.setAlert(ABOVE), `Already so: ${text}`);
    assert.deepEqual(tab(place).kept.store.getState().alerts, []);
  });

  test('TERM-12: an alert that is dropped over a fifth from its level asks, in its own unit', () => {
    const { desk } = tab(browser());
    const spot = { ...ABOVE, id: 'one' };
    assert.equal(desk.dropCaution(spot, 97_000 * 1.2), null);
    assert.equal(desk.dropCaution(spot, 77_000), 'It moves from 97,000.00 to 77,000.00.');
    assert.equal(desk.dropCaution(spot, 120_000), 'It moves from 97,000.00 to 120,000.00.');
    assert.equal(desk.dropCaution({ ...BELOW, id: 'two' }, 55), 'It moves from 45% to 55%.');
  });

  test('TERM-18: an alert on a contract follows its book, and survives a reload', async () => {
    const place = browser();
    assert.equal(await tab(place).desk.setAlert(BELOW), null);
    const later = tab(place, MONTH_BEFORE_MS);
    later.spot(96_000);
    const book = later.books.get(CALL)!;
    book.ask(priceAt(0.5));
    assert.ok(Math.abs(later.desk.valueOf(CALL, 'iv') - 50) < 1e-6);
    assert.equal(later.desk.valueOf(CALL, 'ask'), priceAt(0.5));
    book.turn(false);
    assert.deepEqual([...later.desk.figures.getState()], []);
    book.asks = [];
    book.turn(true);
    await settled();
    assert.deepEqual([...later.told, later.desk.valueOf(CALL, 'iv')], [Number.NaN]);
    book.ask(priceAt(0.44));
    await settled();
    assert.match(later.told[0] ?? '', /IV is below 45%, at 44%\.$/);
    assert.equal(later.books.size, 0);
  });

  test('TERM-18: a quote that follows the spot fires no alert on its volatility, one that stands does', async () => {
    const { desk, told, books, spot } = tab(browser(), MONTH_BEFORE_MS);
    spot(96_000);
    await desk.setAlert(BELOW);
    const book = books.get(CALL)!;
    book.ask(priceAt(0.5));
    spot(98_000);
    mock.timers.tick(900);
    book.ask(priceAt(0.5, 98_000));
    mock.timers.tick(1_000);
    await settled();
    assert.deepEqual(told, []);
    spot(100_000);
    mock.timers.tick(1_000);
    await settled();
    assert.match(told[0] ?? '', /IV is below 45%/);
  });

  test('TERM-18: only the contracts on the screen and those with alerts are followed', async () => {
    const { desk, books } = tab(browser());
    await desk.toggle(CALL);
    await desk.toggle('BTC');
    assert.equal(books.size, 0);
    const hide = desk.show();
    assert.deepEqual([...books.keys()], [CALL]);
    const hideOther = desk.show();
    hide();
    assert.deepEqual([...books.keys()], [CALL], 'another place shows the list');
    hideOther();
    assert.equal(books.size, 0);
  });

  test('TERM-18: a moved alert keeps its side until it passes the price, and one that has fired is gone', async () => {
    const place = browser();
    const { desk, spot, told } = tab(place);
    spot(96_000);
    await desk.setAlert(ABOVE);
    const only = () => desk.watched.getState().alerts.map(({ side, level }) => `${side} ${level}`);
    const [{ id }] = desk.watched.getState().alerts as [PriceAlert];
    await desk.moveAlert(id, 96_500);
    assert.deepEqual(only(), ['above 96500']);
    await desk.moveAlert(id, 95_000);
    assert.deepEqual(only(), ['below 95000']);
    assert.deepEqual(told, []);
    spot(94_900);
    await settled();
    assert.equal(told.length, 2);
    await desk.moveAlert(id, 90_000);
    assert.deepEqual(only(), []);
  });

  test('TERM-18: what has expired leaves with a word, once', async () => {
    const place = browser();
    const early = tab(place);
    await early.desk.toggle(CALL);
    await early.desk.toggle('BTC');
    await early.desk.setAlert(BELOW);
    const [one, other] = [tab(place, EXPIRY_MS), tab(place, EXPIRY_MS)];
    mock.timers.tick(1_000);
    await settled();
    assert.deepEqual([...one.told, ...other.told], [`${CALL}: off the watch list, with its alerts.`]);
    assert.deepEqual(tab(place).kept.store.getState(), { names: ['BTC'], alerts: [] });
  });

  test('TERM-18: what is kept is read with care, and a full list says so', () => {
    const alert = { ...ABOVE, id: 'a' };
    const others = [
      { level: 'x' },
      { level: 0 },
      { of: CALL },
      { of: '<b>', measure: 'mark' },
      { measure: 'gossip' },
      { side: 'beside' },
    ];
    const kept = {
      names: ['BTC', 'BTC', '<b>', 7, CALL],
      alerts: [alert, ...others.map((other) => ({ ...alert, ...other }))],
    };
    assert.deepEqual(watchedOf(kept), { names: ['BTC', CALL], alerts: [alert] });
    for (const odd of [{}, { names: {} }, { alerts: 'BTC' }])
      assert.deepEqual(watchedOf(odd), { names: [], alerts: [] });
    const full = { names: Array.from({ length: 50 }, (_, i) => `S${i}`), alerts: [] };
    assert.throws(() => withStar(full, 'BTC'), /room for 50/);
    assert.equal(withStar(full, 'S7'), full);
  });

  test('TERM-18: without storage it lasts as long as the page', async () => {
    const full = keptStorage();
    full.isFull = true;
    for (const storage of [refusedStorage, () => full]) {
      const { desk, told } = tab({ storage, locks: null });
      await desk.toggle(CALL);
      await desk.toggle('BTC');
      await desk.toggle(CALL);
      assert.deepEqual(desk.watched.getState().names, ['BTC']);
      assert.deepEqual(told, []);
    }
  });

  test('TERM-18: a tab whose change was not kept goes on with what another has kept since', async () => {
    const storage = keptStorage();
    const place = { storage: () => storage, locks: null };
    const [one, other] = [tab(place), tab(place)];
    storage.isFull = true;
    await one.desk.toggle(CALL);
    storage.isFull = false;
    await other.desk.toggle('BTC');
    one.kept.readAgain();
    await other.desk.toggle('ETH');
    await one.desk.toggle('SPX');
    assert.deepEqual(one.desk.watched.getState().names, ['BTC', 'ETH', 'SPX']);
  });
});
