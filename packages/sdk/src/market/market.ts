/** Public reads. Each call throws `VenueError` for a refusal and `VenueUnreachableError` without an answer. */

import type {
  Book,
  Candle,
  CandleList,
  Chain,
  Healthz,
  Interval,
  IvList,
  IvRow,
  Meta,
  Reason,
  ReasonList,
  Reserves,
  Series,
  SeriesList,
  SettlementList,
  Tape,
  TickerList,
  Trade,
  TradeList,
  Venue,
  Volatility,
  VolatilityRow,
} from '@venue/protocol';
import { checkTime } from '../net/checks.ts';
import { NotFoundError } from '../net/errors.ts';
import type { Transport } from '../net/transport.ts';
import { allRows, type HourSpan, hourQuery } from './hours.ts';
import { namingNearest, nearest } from './nearest.ts';

/** Trades of a series, or of all series of an underlying. */
export type TradesOf = { readonly symbol: string } | { readonly seriesId: string };

/** Selects trades: the newest, or those before one. */
export type TradePage = TradesOf & {
  /** Id of the trade before which the page starts, exclusive. */
  readonly before?: number;
  /** Most trades to return, 1 to 500; by default 500. */
  readonly limit?: number;
};

/** A market, an interval and a span of Unix milliseconds to get candles of: `from` is inclusive, `to` exclusive. */
export interface CandleSpan {
  readonly of: `spot:${string}` | `mark:${string}` | `trade:${string}`;
  readonly interval: Interval;
  /** Without it, as many as fit before `to`. */
  readonly from?: number;
  /** Without it, everything until now. */
  readonly to?: number;
}

/** An expiry of an underlying; `expiryTs` is in unix seconds. */
export interface ExpiryOf {
  readonly symbol: string;
  readonly expiryTs: number;
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
   * Every refusal that the venue gives: its code, its text, the routes that give it, and its remedy (ERR-1).
   *
   * @example (await venue.market.reasons()).find(({ code }) => code === 'no-liquidity')?.helps
   */
  async reasons(): Promise<Reason[]> {
    const { reasons } = await this.#transport.get<ReasonList>('/v1/reasons');
    return reasons;
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
   * milliseconds throw `RangeError`, and an expiry that is not listed `NotFoundError`, which names the nearest.
   *
   * @example (await venue.market.chain('BTC', expiryTs)).rows.length
   */
  async chain(symbol: string, expiryTs: number): Promise<Chain> {
    const query = { symbol, expiryTs: checkTime('expiryTs', expiryTs, 'seconds') };
    const chain = await this.#transport.get<Chain>('/v1/chain', { query });
    if (chain.rows.length === 0) await this.#checkListed({ symbol, expiryTs });
    return chain;
  }

  /**
   * Up to 12 levels a side, best first; throws `NotFoundError` for an unknown series, which names the nearest strikes.
   *
   * @example (await venue.market.book(seriesId)).asks[0]
   */
  async book(seriesId: string): Promise<Book> {
    try {
      return await this.#transport.get('/v1/book', { query: { seriesId } });
    } catch (error) {
      throw await namingNearest(error, seriesId, this.#transport);
    }
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
   * Prices, volume, implied volatility and greeks of every live series of an underlying, named in any case. Throws
   * `NotFoundError` for an unknown symbol (HIS-3).
   *
   * @example
   * const { tickers } = await venue.market.tickers('BTC');
   * console.log(tickers.find((ticker) => ticker.seriesId === seriesId)?.gamma);
   */
  tickers(symbol: string): Promise<TickerList> {
    return this.#transport.get('/v1/tickers', { query: { symbol } });
  }

  /**
   * Implied volatility at the money of one expiry by the hour, oldest first, at most 1,500 rows. Seconds in the span throw
   * `RangeError`, as do milliseconds in `expiryTs`; an expiry that is neither over nor listed throws as in `chain` (HIS-4).
   *
   * @example (await venue.market.iv({ symbol: 'BTC', expiryTs })).at(-1)?.iv
   */
  async iv(of: ExpiryOf, span: HourSpan = {}): Promise<IvRow[]> {
    return (await this.#iv(of, span)).rows;
  }

  /**
   * All rows of a span, oldest first, requested page by page.
   *
   * @example
   * const from = Date.now() - 90 * 86_400_000;
   * for await (const { t, iv } of venue.market.allIv({ symbol: 'BTC', expiryTs }, { from })) console.log(t, iv);
   */
  allIv(of: ExpiryOf, span: HourSpan & { readonly from: number }): AsyncGenerator<IvRow, void> {
    return allRows(span, (page) => this.#iv(of, page));
  }

  /**
   * The 30-day volatility index of an underlying in percent: now, and by the hour at most 1,500 rows, oldest first (HIS-4).
   *
   * @example (await venue.market.volatility('BTC')).index
   */
  async volatility(symbol: string, span: HourSpan = {}): Promise<Volatility> {
    return this.#transport.get('/v1/volatility', { query: { symbol, ...hourQuery(span) } });
  }

  /**
   * All rows of a span, oldest first, requested page by page.
   *
   * @example
   * const from = Date.now() - 90 * 86_400_000;
   * for await (const { t, index } of venue.market.allVolatility('BTC', { from })) console.log(t, index);
   */
  allVolatility(
    symbol: string,
    span: HourSpan & { readonly from: number },
  ): AsyncGenerator<VolatilityRow, void> {
    return allRows(span, (page) => this.volatility(symbol, page));
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

  async #iv({ symbol, expiryTs }: ExpiryOf, span: HourSpan): Promise<IvList> {
    const query = { symbol, expiryTs: checkTime('expiryTs', expiryTs, 'seconds'), ...hourQuery(span) };
    const list = await this.#transport.get<IvList>('/v1/iv', { query });
    // Of an expiry that is over there may be rows, and none in this span.
    if (list.rows.length === 0 && expiryTs * 1_000 > Date.now())
      await this.#checkListed({ symbol, expiryTs });
    return list;
  }

  /** Throws `NotFoundError` for an expiry that is not listed. */
  async #checkListed({ symbol, expiryTs }: ExpiryOf): Promise<void> {
    const series = await this.series(symbol);
    const listed = new Set(series.map((one) => one.expiryTs));
    if (listed.has(expiryTs)) return;
    const near = nearest([...listed], expiryTs).map((one) => `${one} (${dayOf(one)})`);
    throw new NotFoundError(
      404,
      `${symbol} has no expiry ${expiryTs} (${dayOf(expiryTs)}); the nearest listed: ${near.join(', ') || 'none'}`,
      'sdk:unlisted-expiry',
    );
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

function dayOf(expiryTs: number): string {
  return new Date(expiryTs * 1_000).toISOString().slice(0, 10);
}
