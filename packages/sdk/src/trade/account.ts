/**
 * Reads that only the account's owner may make. Each call needs a token and throws `UnauthorizedError` without a
 * valid one.
 */

import type {
  Account,
  EquityList,
  EquityRow,
  FillList,
  FillRecord,
  MarginReport,
  Simulation,
  Statement,
  StatementRow,
} from '@venue/protocol';
import { allRows, type HourSpan, hourQuery } from '../market/hours.ts';
import { checkTime } from '../net/checks.ts';
import type { Decimal } from '../net/decimal.ts';
import type { Transport } from '../net/transport.ts';
import type { Credentials } from '../sign/credentials.ts';
import { wireOrder } from './actions.ts';

/** Selects fills: the newest, or those before one. */
export interface FillPage {
  /** Id of the fill before which the page starts, exclusive. */
  readonly before?: number;
  /** Most fills to return, 1 to 500; by default 500. */
  readonly limit?: number;
}

/**
 * A span of time in unix milliseconds, `from` inclusive and `to` exclusive. Without them it is everything until now.
 */
export interface StatementSpan {
  readonly from?: number;
  readonly to?: number;
}

/** A trade that is only imagined. */
export interface ImaginedLeg {
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  /** Contracts. */
  readonly qty: Decimal;
  /** US dollars per contract; the mark without it. */
  readonly price?: Decimal;
}

/** Trades in order, up to 64, and then a move of the market. */
export interface Imagined {
  readonly legs?: readonly ImaginedLeg[];
  /** Share by which every spot moves, -0.99 to 10: 0.1 is 10 % up. */
  readonly spotShift?: number;
  /** Added to every volatility, -5 to 5: 0.05 is five points more. */
  readonly volShift?: number;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Most rows of a statement in one answer. */
const STATEMENT_PAGE = 1_000;

export class AccountReads {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  /**
   * Cash, positions, resting orders; amounts in US dollars, quantities in contracts.
   *
   * @example (await venue.account.me()).buyingPower
   */
  me(): Promise<Account> {
    return this.#get('/v1/me');
  }

  /**
   * The account's locked money, with a line for each short series and each resting order.
   *
   * @example (await venue.account.margin()).locked
   */
  margin(): Promise<MarginReport> {
    return this.#get('/v1/margin');
  }

  /**
   * The account as trades and a move of the market would leave it: its amounts, its margin, and by underlying the profit
   * and loss at 41 prices, at once and at each expiry. Nothing is placed, checked or charged (CMB-4). Throws as
   * `orders.place` does for invalid legs, and `RefusedError` for a series that does not trade, or without a price and a
   * mark.
   *
   * @example
   * const legs = [{ seriesId, side: 'sell', qty: 1, price: 2_500 }];
   * const { account, curves } = await venue.account.simulate({ legs, spotShift: 0.1 });
   * console.log(account.marginCall, Math.min(...curves[0].expiries[0].pnl));
   */
  async simulate({ legs = [], ...shift }: Imagined): Promise<Simulation> {
    const headers = this.#credentials.headers();
    return this.#transport.post('/v1/simulate', { legs: legs.map(wireOrder), ...shift }, { headers });
  }

  /**
   * A page of fills, newest first: the newest 500, or the page asked for. Throws `RefusedError` for an invalid page.
   *
   * @example
   * const newest = await venue.account.fills({ limit: 10 });
   * const older = newest.length === 10 ? await venue.account.fills({ before: newest[9].id }) : [];
   */
  async fills(page: FillPage = {}): Promise<FillRecord[]> {
    return (await this.#get<FillList>('/v1/fills', { ...page })).fills;
  }

  /**
   * All fills, newest first, requested page by page.
   *
   * @example
   * for await (const fill of venue.account.allFills()) console.log(fill.seriesId, fill.qty, fill.price);
   */
  async *allFills(): AsyncGenerator<FillRecord, void> {
    for (let before: number | undefined; ; ) {
      const page = await this.#get<FillList>('/v1/fills', { before });
      yield* page.fills;
      if (page.before === undefined) return;
      before = page.before;
    }
  }

  /**
   * The account's equity by the hour, oldest first, at most 1,500 rows. An hour without a row has the equity of the last row
   * before it. Seconds in the span throw `RangeError` (HIS-4).
   *
   * @example (await venue.account.equity()).map(({ t, equity }) => [t, equity])
   */
  async equity(span: HourSpan = {}): Promise<EquityRow[]> {
    return (await this.#equity(span)).rows;
  }

  /**
   * All rows of a span, oldest first, requested page by page.
   *
   * @example
   * for await (const { t, equity } of venue.account.allEquity({ from: 0 })) console.log(t, equity);
   */
  allEquity(span: HourSpan & { readonly from: number }): AsyncGenerator<EquityRow, void> {
    return allRows(span, (page) => this.#equity(page));
  }

  /**
   * The account's cash movements in a span of time, oldest first, with a balance that adds up: trades, fees,
   * settlements, deposits, withdrawals. An answer has up to 1,000 rows; if it has a `next` there are more, which
   * `statementRows` fetches. Times are in unix milliseconds; seconds throw `RangeError`. Throws `UnavailableError`
   * while the venue's history is unavailable.
   *
   * @example (await venue.account.statement({ from: Date.now() - 86_400_000 })).closingBalance
   */
  async statement(span: StatementSpan = {}): Promise<Statement> {
    return this.#get('/v1/statement', spanQuery(span));
  }

  /**
   * The rows of a statement, oldest first, requested page by page.
   *
   * @example
   * for await (const row of venue.account.statementRows()) console.log(row);
   */
  async *statementRows(span: StatementSpan = {}): AsyncGenerator<StatementRow, void> {
    for (let query: Query = spanQuery(span); ; ) {
      const { rows, next, to } = await this.#get<Statement>('/v1/statement', query);
      yield* rows;
      if (next === undefined) return;
      query = { ...query, to, next };
    }
  }

  /**
   * The whole statement as CSV: a header line, then one line per row, oldest first (RFC 4180). Amounts are exact to
   * the micro, however large.
   *
   * @example (await venue.account.statementCsv()).split(',')[0] // 'id'
   */
  async statementCsv(span: StatementSpan = {}): Promise<string> {
    let csv = '';
    for await (const page of this.statementCsvPages(span)) csv += page;
    return csv;
  }

  /**
   * The same CSV in parts of up to 1,000 rows, always of whole lines, as they arrive.
   *
   * @example
   * for await (const part of venue.account.statementCsvPages()) console.log(part);
   */
  async *statementCsvPages(span: StatementSpan = {}): AsyncGenerator<string, void> {
    const query = { ...spanQuery(span), format: 'csv', limit: STATEMENT_PAGE };
    const headers = this.#credentials.headers();
    for (let next: string | undefined; ; ) {
      const page = await this.#transport.getText('/v1/statement', { query: { ...query, next }, headers });
      // Each answer starts with the header line.
      yield next === undefined ? page : page.slice(page.indexOf('\r\n') + 2);
      const lines = page.trimEnd().split('\r\n');
      if (lines.length <= STATEMENT_PAGE) return;
      next = lines.at(-1)!.split(',')[0]!;
    }
  }

  async #equity(span: HourSpan): Promise<EquityList> {
    return this.#get('/v1/equity', { ...hourQuery(span) });
  }

  #get<T>(path: string, query: Query = {}): Promise<T> {
    return this.#transport.get(path, { query, headers: this.#credentials.headers() });
  }
}

function spanQuery(span: StatementSpan): Query {
  for (const [field, ms] of Object.entries(span)) if (ms !== undefined) checkTime(field, ms, 'milliseconds');
  return { ...span };
}
