/** Public reads. Each call throws `VenueError` for a refusal and `VenueUnreachableError` without an answer. */

import type {
  Book,
  Chain,
  Healthz,
  Meta,
  Reserves,
  Series,
  SeriesList,
  SettlementList,
  Tape,
  Venue,
} from '@venue/protocol';
import { checkTime } from './checks.ts';
import type { Transport } from './transport.ts';

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
}
