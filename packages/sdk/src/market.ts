/** What everybody may read. */

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
} from '@venue/protocol';
import type { Transport } from './transport.ts';

export class Market {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Whether the venue is up, and its funding mode. */
  health(): Promise<Healthz> {
    return this.#transport.get('/healthz');
  }

  /** Instruments with their spot prices, and series the oracle refused to settle. */
  meta(): Promise<Meta> {
    return this.#transport.get('/v1/meta');
  }

  /** Live series of an underlying, in any case. */
  async series(symbol: string): Promise<Series[]> {
    const { series } = await this.#transport.get<SeriesList>('/v1/series', { query: { symbol } });
    return series;
  }

  /** Calls and puts of one expiry (unix seconds) side by side. */
  chain(symbol: string, expiryTs: number): Promise<Chain> {
    return this.#transport.get('/v1/chain', { query: { symbol, expiryTs } });
  }

  /** Up to 12 levels a side; 404 for an unknown series. */
  book(seriesId: string): Promise<Book> {
    return this.#transport.get('/v1/book', { query: { seriesId } });
  }

  /** The last public trades, newest first. */
  tape(symbol: string): Promise<Tape> {
    return this.#transport.get('/v1/tape', { query: { symbol } });
  }

  /** What the venue owes its traders, to be held against the vault; a venue of paper money has none (404). */
  reserves(): Promise<Reserves> {
    return this.#transport.get('/v1/reserves');
  }

  /** What the expiries of an underlying settled at, newest first, and which of them the oracle refused to settle. */
  settlements(symbol: string): Promise<SettlementList> {
    return this.#transport.get('/v1/settlements', { query: { symbol } });
  }
}
