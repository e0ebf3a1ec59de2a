/** Public reads. Each call throws `VenueError` for a refusal and `VenueUnreachableError` without an answer. */

import type {
  Book,
  Candle,
  CandleList,
  Chain,
  Healthz,
  Interval,
  Meta,
  Reserves,
  Series,
  SeriesList,
  SettlementList,
  Tape,
  Trade,
  TradeList,
  Venue,
} from '@venue/protocol';
import { checkTime } from './checks.ts';
import type { Transport } from './transport.ts';

/** Trades of a series, or of all series of an underlying. */
export type TradesOf = { readonly symbol: string } | { readonly seriesId: string };

/** Selects trades: the newest, or those before one. */
export type TradePage = TradesOf & {
  /** Id of the trade before which the page starts, exclusive. */
  readonly before?: number;
  /** Most trades to return, 1 to 500; by default 500. */
  readonly limit?: number;
};

/** Which candles, in a span of unix milliseconds: `from` inclusive, `to` exclusive. */
export interface CandleSpan {
  readonly of: `spot:${string}` | `mark:${string}` | `trade:${string}`;
  readonly interval: Interval;
  /** Without it, as many as fit before `to`. */
  readonly from?: number;
  /** Without it, everything until now. */
  readonly to?: number;
}

export class Market {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The health of the venue, and its funding mode.
   *
   * @example (await venue.market.health()).fundingMode // 'paper'
   */
  health(): Promise<Healthz> {
    return this.#transport.get('/healthz');
  }

  /**
   * The id of the deployment, its rules in force and its limits (VEN-2).
   *
   * @example (await venue.market.venue()).limits.actionsPerBatch // 64
   */
  venue(): Promise<Venue> {
    return this.#transport.get('/v1/venue');
  }

  /**
   * Instruments with their spot prices in US dollars, and series the oracle refused to settle.
   *
   * @example (await venue.market.meta()).instruments.map(({ symbol, spot }) => [symbol, spot])
   */
  meta(): Promise<Meta> {
    return this.#transport.get('/v1/meta');
  }

  /**
   * Live series of an underlying, named in any case; over a thousand if all are listed. Throws `NotFoundError` for an
   * unknown symbol.
   *
   * @example (await venue.market.series('BTC'))[0].seriesId
   */
  async series(symbol: string): Promise<Series[]> {
    const query = { symbol };
    const { series } = await this.#transport.get<SeriesList>('/v1/series', { query });
    return series;
  }

  /**
   * Calls and puts of one expiry side by side, one row per strike. `expiryTs` is in unix seconds, as in series;
   * milliseconds throw `RangeError`.
   *
   * @example (await venue.market.chain('BTC', expiryTs)).rows.length
   */
  async chain(symbol: string, expiryTs: number): Promise<Chain> {
    const query = { symbol, expiryTs: checkTime('expiryTs', expiryTs, 'seconds') };
    return this.#transport.get('/v1/chain', { query });
  }

  /**
   * Up to 12 levels a side, best first; throws `NotFoundError` for an unknown series.
   *
   * @example (await venue.market.book(seriesId)).asks[0]
   */
  book(seriesId: string): Promise<Book> {
    return this.#transport.get('/v1/book', { query: { seriesId } });
  }

  /**
   * The last 50 public trades, newest first.
   *
   * @example (await venue.market.tape('BTC')).fills.length
   */
  tape(symbol: string): Promise<Tape> {
    return this.#transport.get('/v1/tape', { query: { symbol } });
  }

  /**
   * A page of a market's trades, newest first: the newest 500, or the page asked for. Throws `NotFoundError` for an
   * unknown symbol or series (HIS-1).
   *
   * @example (await venue.market.trades({ symbol: 'BTC', limit: 10 })).length
   */
  async trades(page: TradePage): Promise<Trade[]> {
    return (await this.#trades(page)).trades;
  }

  /**
   * All trades of a market, newest first, requested page by page.
   *
   * @example
   * for await (const trade of venue.market.allTrades({ symbol: 'BTC' })) console.log(trade.price, trade.qty);
   */
  async *allTrades(page: TradesOf & Pick<TradePage, 'before'>): AsyncGenerator<Trade, void> {
    for (let { before } = page; ; ) {
      const found = await this.#trades({ ...page, ...(before !== undefined && { before }) });
      yield* found.trades;
      if (found.before === undefined) return;
      before = found.before;
    }
  }

  /**
   * Candles, oldest first, at most 1,500: the first since `from`, or without it the last. Times are in unix milliseconds;
   * seconds throw `RangeError`. Throws `NotFoundError` for an unknown symbol or series (HIS-2).
   *
   * @example (await venue.market.candles({ of: 'spot:BTC', interval: '1h' })).at(-1)?.c
   */
  async candles(span: CandleSpan): Promise<Candle[]> {
    return (await this.#candles(span)).candles;
  }

  /**
   * All candles of a span, oldest first, requested page by page.
   *
   * @example
   * const from = Date.now() - 7 * 86_400_000;
   * for await (const { t, c } of venue.market.allCandles({ of: 'spot:BTC', interval: '1m', from })) console.log(t, c);
   */
  async *allCandles(span: CandleSpan & { readonly from: number }): AsyncGenerator<Candle, void> {
    for (let { from } = span; ; ) {
      const found = await this.#candles({ ...span, from });
      yield* found.candles;
      if (found.next === undefined) return;
      from = found.next;
    }
  }

  /**
   * The venue's debt to its traders, for comparison with the vault; throws `NotFoundError` at a venue of paper money.
   *
   * @example (await venue.market.reserves()).cashTotalUsd
   */
  reserves(): Promise<Reserves> {
    return this.#transport.get('/v1/reserves');
  }

  /**
   * The settlement prices of an underlying's expiries, newest first, and the expiries that the oracle refused to
   * settle.
   *
   * @example (await venue.market.settlements('BTC')).settlements.length
   */
  settlements(symbol: string): Promise<SettlementList> {
    return this.#transport.get('/v1/settlements', { query: { symbol } });
  }

  #trades(page: TradePage): Promise<TradeList> {
    return this.#transport.get('/v1/trades', { query: { ...page } });
  }

  async #candles(span: CandleSpan): Promise<CandleList> {
    const { from, to } = span;
    // Zero is the beginning.
    for (const [field, ms] of Object.entries({ from, to }))
      if (ms !== undefined) checkTime(field, ms, 'milliseconds');
    return this.#transport.get('/v1/candles', { query: { ...span } });
  }
}
