/** Reads what a day's result is measured against: the equity of the day's beginning, and what was paid in since. */

import type { EquityRow, Statement, StatementRow } from '@venue/protocol';
import type { MarketStores } from '../../../market/state.ts';
import { type DayBase, dayStartMs } from '../../../session/day-base.ts';
import type { Holdings, SessionStores } from '../../../session/state.ts';

const DAY_MS = 86_400_000;
/** The history leaves out hours without a change, and a log that lasts has all accounts again at each start. */
const STILL_MS = 30 * DAY_MS;

/**
 * The equity at the day's beginning (HIS-4), or where the account has none that old: nothing, if it was opened today, else
 * the first sample of today. Null without any. What moves in the minute in which a sample is taken counts as after it.
 *
 * @param rows by the hour, oldest first
 * @param statement its cash since the day's beginning, in all pages
 */
export function dayBase(
  rows: readonly EquityRow[],
  statement: Pick<Statement, 'openingBalance' | 'completeFrom' | 'rows'>,
  startMs: number,
): DayBase | null {
  const paidInSince = (ms: number) =>
    statement.rows.filter(({ ts }) => ts >= ms).reduce((sum, row) => sum + paidInOf(row), 0);
  const before = rows.findLast(({ t }) => t <= startMs);
  if (before !== undefined) return { sinceMs: startMs, equity: before.equity, paidIn: paidInSince(startMs) };
  const { openingBalance, completeFrom, rows: moves } = statement;
  if (openingBalance === 0 && completeFrom <= startMs && moves.length > 0)
    return { sinceMs: moves[0]!.ts, equity: 0, paidIn: paidInSince(startMs) };
  const [first] = rows;
  return first === undefined
    ? null
    : { sinceMs: first.t, equity: first.equity, paidIn: paidInSince(first.t) };
}

/** The cash that a movement brings in from outside: trades, fees and settlements are the account's own result. */
function paidInOf({ kind, change }: StatementRow): number {
  return kind === 'trade' || kind === 'liquidation' || kind === 'settlement' ? 0 : change;
}

export interface DayResultOptions {
  readonly stores: SessionStores & Pick<MarketStores, 'link'>;
  readonly readEquity: (span: { readonly from: number }) => Promise<readonly EquityRow[]>;
  /** One page: the newer rows are in the pages after it. */
  readonly readStatement: (span: { readonly from: number }) => Promise<Statement>;
  readonly readRows: (span: { readonly from: number }) => AsyncIterable<StatementRow>;
  /** Takes one read from the allowance; false while there is none. */
  readonly take: () => boolean;
  readonly venueNow: () => number;
}

const AGAIN_MS = 30_000;
/** After a payment: the history is a moment behind the account. */
const SETTLES_MS = 3_000;

/** Reads the day's base once a day for each account, and again when money was paid in or out. */
export class DayResult {
  readonly #options: DayResultOptions;
  #of: string | null = null;
  /** Equity less all results: it moves with fees and with what is paid in or out. */
  #own = 0;
  #dueMs = 0;
  #isReading = false;
  #hasBase = false;

  constructor(options: DayResultOptions) {
    this.#options = options;
  }

  /** To be called every second or so. */
  async step(): Promise<void> {
    const { stores, take, venueNow } = this.#options;
    const { state, address } = stores.session.getState();
    const { account } = stores.holdings.getState();
    if (state !== 'ready' || address === null || account?.address !== address) return;
    const nowMs = venueNow();
    const of = `${address} ${dayStartMs(nowMs)}`;
    // An account that signs in again has lost what the page knew of it.
    const isLost = this.#hasBase && stores.holdings.getState().dayBase === null;
    if (of !== this.#of || isLost) this.#dueMs = nowMs;
    else if (this.#hasMoved(account)) this.#dueMs = nowMs + SETTLES_MS;
    this.#of = of;
    this.#own = ownOf(account);
    if (nowMs < this.#dueMs || this.#isReading || !take()) return;
    this.#isReading = true;
    this.#hasBase = false;
    this.#dueMs = Number.POSITIVE_INFINITY;
    await this.#read(address, dayStartMs(nowMs)).catch(() => {
      this.#dueMs = nowMs + AGAIN_MS;
    });
    this.#isReading = false;
  }

  /** Test money is paid in once, when the account begins: a fall of it is a fee. */
  #hasMoved(account: NonNullable<Holdings['account']>): boolean {
    const moved = ownOf(account) - this.#own;
    const isReal = this.#options.stores.link.getState().mode === 'deposits';
    return isReal ? Math.abs(moved) > ROUNDING : moved > ROUNDING;
  }

  async #read(address: string, startMs: number): Promise<void> {
    const { stores, readEquity, readStatement, readRows } = this.#options;
    const [equities, page] = await Promise.all([
      readEquity({ from: startMs - STILL_MS }),
      readStatement({ from: startMs }),
    ]);
    const rows = page.next === undefined ? page.rows : await Array.fromAsync(readRows({ from: startMs }));
    if (stores.session.getState().address !== address) return;
    const base = dayBase(equities, { ...page, rows }, startMs);
    stores.holdings.setState({ dayBase: base });
    this.#hasBase = base !== null;
  }
}

/** Dollars: sums of decimals are not exact, and fees are at least a millionth. */
const ROUNDING = 1e-4;

function ownOf({ equity, realizedPnl, unrealizedPnl }: NonNullable<Holdings['account']>): number {
  return equity - realizedPnl - unrealizedPnl;
}
