/** The market that is read: a quoted symbol, a trader with resting orders, and the expected answers. */

import assert from 'node:assert/strict';
import type { Account, Book, Chain, ChainLeg, Level, OpenOrder, Series } from '@venue/protocol';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type Connection, type Push, pushOf, type Row, rowsOf } from '../shared/exchange.ts';
import type { WatchedExchange } from '../shared/exchange-process.ts';

export const SYMBOL = 'BTC';
const SPOT = 60_000;
const POSITIONS = 3;
/** Resting orders per side of the book that is read: with the maker's three levels they make twelve. */
const OWN_LEVELS = 9;
const QTY = 0.01;

/** The two states the maker alternates between. */
export type Variant = 0 | 1;

interface OwnOrder {
  readonly id: number;
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
}

export class Market {
  readonly expiryTs: number;
  /** The series of the expiry that is read: a call and a put per strike. */
  readonly series: readonly Series[];
  readonly #client: VenueClient;
  readonly #maker: Connection;
  readonly #rows: readonly (readonly Row[])[];
  readonly #pushes: readonly Push[];
  readonly #orders: OwnOrder[] = [];

  private constructor(url: string, series: readonly Series[], maker: Connection) {
    this.#client = new VenueClient({ url });
    // The second expiry, as the first may end during the run.
    this.expiryTs = [...new Set(series.map(({ expiryTs }) => expiryTs))].sort((a, b) => a - b)[1]!;
    this.series = series.filter(({ expiryTs }) => expiryTs === this.expiryTs);
    this.#maker = maker;
    this.#rows = [0, 1].map((variant) => rowsOf(series, variant));
    this.#pushes = this.#rows.map((rows) => pushOf('binary', rows));
  }

  /** Lists and quotes the symbol, and opens a trader's positions and resting orders. */
  static async open(exchange: WatchedExchange, openOrders: number): Promise<Market> {
    await exchange.print(new Map([[SYMBOL, SPOT]]));
    const series = await exchange.listed(SYMBOL);
    const market = new Market(exchange.url, series, await exchange.maker('reads'));
    await market.push(0);
    await market.#trade(openOrders);
    return market;
  }

  get token(): string {
    return this.#client.token!;
  }

  get openOrders(): number {
    return this.#orders.length;
  }

  /** The series whose book is read; it has more levels than an answer shows. */
  get bookSeriesId(): string {
    return this.series[POSITIONS]!.seriesId;
  }

  /** Moves the whole symbol to one of its two states, in one entry, so that every read shows one or the other. */
  async push(variant: Variant): Promise<void> {
    const { applied, kept, errors } = await this.#maker.push(this.#pushes[variant]!);
    assert.deepEqual([applied + kept, errors], [this.#rows[variant]!.length, 0]);
  }

  close(): void {
    this.#maker.close();
  }

  async #trade(openOrders: number): Promise<void> {
    await this.#client.auth.signIn(walletFromPrivateKey(randomPrivateKey()));
    await this.#client.orders.setMargin(true);
    for (const { seriesId } of this.series.slice(0, POSITIONS)) {
      const answer = await this.#client.orders.place({ seriesId, side: 'buy', qty: QTY });
      assert.equal(answer.status, 'filled');
    }
    for (let i = 0; i < OWN_LEVELS; i++) {
      const { mid } = this.#quoteOf(this.bookSeriesId, 0);
      await this.#rest({ seriesId: this.bookSeriesId, side: 'buy', price: (100 + i) / 100 });
      await this.#rest({ seriesId: this.bookSeriesId, side: 'sell', price: mid + 10 + i });
    }
    const others = this.series.slice(POSITIONS + 1);
    for (let i = 0; this.#orders.length < openOrders; i++)
      await this.#rest({
        seriesId: others[i % others.length]!.seriesId,
        side: 'buy',
        price: (100 + i) / 100,
      });
  }

  async #rest(terms: Omit<OwnOrder, 'id'>): Promise<void> {
    const answer = await this.#client.orders.place({ ...terms, qty: QTY });
    assert.equal(answer.status, 'rested');
    this.#orders.push({ ...terms, id: answer.orderId });
  }

  /** Checks the chain of the expiry against what was pushed and traded. */
  expectChain(chain: Chain, variant: Variant): void {
    const legs = new Map(this.series.map((one) => [one.seriesId, this.#legOf(one, variant)]));
    const strikes = [...new Set(this.series.map(({ strike }) => strike))].sort((a, b) => a - b);
    const rows = strikes.map((strike) => {
      const legAt = (right: string) =>
        legs.get(this.series.find((one) => one.strike === strike && one.right === right)!.seriesId);
      return { strike, call: legAt('C'), put: legAt('P') };
    });
    const { expiryTs } = this;
    assert.deepEqual(chain, { symbol: SYMBOL, expiryTs, spot: SPOT, sessionOpen: true, rows });
  }

  /** Checks the book in the same way. */
  expectBook(book: Book, variant: Variant): void {
    const seriesId = this.bookSeriesId;
    const { bids, asks } = this.#quoteOf(seriesId, variant);
    const own = (side: 'buy' | 'sell'): Level[] =>
      this.#orders
        .filter((order) => order.seriesId === seriesId && order.side === side)
        .map(({ price }) => ({ price, qty: QTY }))
        .sort((a, b) => (side === 'buy' ? b.price - a.price : a.price - b.price));
    const all = { bids: [...bids, ...own('buy')], asks: [...asks, ...own('sell')] };
    assert.deepEqual(book, { seriesId, ...all });
  }

  /** Checks the account in the same way: its positions at the state's marks, and every order placed. */
  expectAccount(account: Account, variant: Variant): void {
    const orders = account.openOrders.map(({ ts: _, ...rest }) => rest);
    assert.deepEqual(orders, this.#orders.map(openOrderOf));
    assert.equal(account.openOrderCount, this.#orders.length);
    const marks = this.series
      .slice(0, POSITIONS)
      .map(({ seriesId }) => ({ seriesId, qty: QTY, mark: this.#quoteOf(seriesId, variant).mid }));
    assert.deepEqual(
      account.positions.map(({ seriesId, qty, mark }) => ({ seriesId, qty, mark })),
      marks,
    );
    const value = marks.reduce((sum, { qty, mark }) => sum + qty * mark, 0);
    assert.ok(Math.abs(account.equity - account.cash - value) < 1e-6);
  }

  #legOf({ seriesId, sid }: Series, variant: Variant): ChainLeg {
    const { bids, asks, mid, iv, delta } = this.#quoteOf(seriesId, variant);
    const traded = this.series.slice(0, POSITIONS).some((one) => one.seriesId === seriesId) ? QTY : 0;
    const best = { bid: bids[0]!, ask: asks[0]! };
    return { seriesId, sid, ...best, mid, iv, delta, openInterest: traded, volume: traded };
  }

  #quoteOf(seriesId: string, variant: Variant) {
    const row = this.#rows[variant]!.find((one) => one.seriesId === seriesId)!;
    const levels = (side: Row['bids']) =>
      side.map(([price, qty]) => ({ price: price / 1e6, qty: qty / 1e6 }));
    const mid = Math.floor((row.bids[0]![0] + row.asks[0]![0]) / 2) / 1e6;
    return { bids: levels(row.bids), asks: levels(row.asks), mid, iv: row.iv!, delta: row.delta! };
  }
}

function openOrderOf({ id, seriesId, side, price }: OwnOrder): Omit<OpenOrder, 'ts'> {
  return { id, seriesId, symbol: SYMBOL, side, price, qty: QTY, remaining: QTY };
}
