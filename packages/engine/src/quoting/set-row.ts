/** Checks one row of a push to a quote set, on the ladders as the rows before it left them (QTS-2, DET-5). */

import {
  BATCH_REJECT,
  type MicrosLevel,
  type MicrosQuote,
  REJECT,
  ROW_REJECT,
  type RowFault,
} from '@venue/protocol';
import { type BookSide, BUY, SELL } from '../book/book.ts';
import { isAnnotation } from '../risk/annotations.ts';
import type { Risk } from '../risk/risk.ts';
import type { Account } from '../state/account.ts';
import type { Sid } from '../state/ids.ts';
import {
  countedDeltaMicros,
  isAboveLimit,
  ownerOfSet,
  type Protection,
  type QuoteSet,
  quotedMicros,
} from '../state/quote-sets.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { type RowPlan, standingLevels } from './quote-ladder.ts';
import { checkCrossed, checkQuantities, faultOf } from './row-faults.ts';

/** The ladders of a set in one series, and its annotations there. */
export interface Ladders {
  readonly bids: readonly MicrosLevel[];
  readonly asks: readonly MicrosLevel[];
  readonly iv: number | null;
  readonly delta: number | null;
}

/** The same as they will stand after the push. */
export interface Draft extends Ladders {
  readonly series: Series;
  /** As they stand before it. */
  readonly standing: Ladders;
  bids: readonly MicrosLevel[];
  asks: readonly MicrosLevel[];
  /** The last volatility that the push itself names and that may count for the model (RSK-2). */
  readonly annotation: number | undefined;
}

/** The plan of the rows of a push so far. The book changes once all of them are checked. */
export interface SetPlan {
  readonly state: State;
  /** When the push is carried out. */
  readonly ts: number;
  readonly account: Account;
  readonly risk: Risk;
  readonly set: QuoteSet;
  /** In order of their first rows. */
  readonly drafts: Map<Sid, Draft>;
  /** Levels of all sets of the account, those of the drafts included. */
  levelCount: number;
  /** No row may bring them above this. */
  readonly levelsMax: number;
  /** The plan of the row at hand. */
  readonly row: RowPlan;
}

/** The result of a row. A level that would trade is left out, and the rest of its row applies. */
export interface RowResult {
  readonly changes: boolean;
  readonly error: RowFault | null;
}

/** Plans a row, or says why it cannot be applied. */
export function planRow(plan: SetPlan, series: Series, row: MicrosQuote): RowResult {
  const { set, drafts } = plan;
  const { bids, asks } = plan.row;
  const fault = faultOf(series, row, plan.ts);
  if (fault !== null) return refused(fault);
  const before = drafts.get(series.sid) ?? draftOf(plan, series);
  const after: Draft = {
    ...{ series, standing: before.standing },
    bids: row.bids ?? before.bids,
    asks: row.asks ?? before.asks,
    iv: annotationOf(row.iv, before.iv),
    delta: annotationOf(row.delta, before.delta),
    annotation: isAnnotation(row.iv) ? row.iv : before.annotation,
  };
  readDraft(plan, after);
  const levelCount = plan.levelCount - countOf(before) + countOf(after);
  const refusal =
    checkCrossed(bids.bestPrice, asks.bestPrice) ??
    checkQuantities(series, stakeOf(plan, series), plan.row) ??
    (series.instrument.symbol === set.symbol ? null : ROW_REJECT.otherSymbol) ??
    checkAccount(plan, plan.row) ??
    (isAnyAbove(set.protection, after) ? ROW_REJECT.levelAboveLimit : null) ??
    (levelCount > Math.max(plan.levelCount, plan.levelsMax) ? ROW_REJECT.tooManyLevels : null);
  if (refusal !== null) return refused(refusal);
  after.bids = withoutTrading(plan, series, BUY, after.bids);
  after.asks = withoutTrading(plan, series, SELL, after.asks);
  const isCut = countOf(after) < bids.levels.length + asks.levels.length;
  drafts.set(series.sid, after);
  plan.levelCount += countOf(after) - countOf(before);
  const changes = !(areEqual(before.bids, after.bids) && areEqual(before.asks, after.asks));
  return { changes: changes || isCut, error: isCut ? BATCH_REJECT.postOnlyWouldTrade : null };
}

/** An annotation stays until it is named again. The binary form can carry what is no number; that names nothing. */
function annotationOf(named: number | undefined, before: number | null): number | null {
  return named !== undefined && Number.isFinite(named) ? named : before;
}

function refused(error: RowFault): RowResult {
  return { changes: false, error };
}

/** Compares a draft with the set's resting quotes; the result stands in the plan's row. */
export function readDraft({ state, set, row }: Pick<SetPlan, 'state' | 'set' | 'row'>, draft: Draft): void {
  const standing = set.rows.get(draft.series.sid);
  row.bids.read(state.orders, standing?.bids ?? [], draft.bids);
  row.asks.read(state.orders, standing?.asks ?? [], draft.asks);
}

function draftOf({ state, set }: SetPlan, series: Series): Draft {
  const row = set.rows.get(series.sid);
  const standing = {
    bids: standingLevels(state.orders, row?.bids ?? []),
    asks: standingLevels(state.orders, row?.asks ?? []),
    iv: row?.iv ?? null,
    delta: row?.delta ?? null,
  };
  return { series, standing, ...standing, annotation: undefined };
}

export function countOf({ bids, asks }: Pick<Ladders, 'bids' | 'asks'>): number {
  return bids.length + asks.length;
}

/** The stake of the account in the series beside this set's quotes. */
function stakeOf({ state, account, set }: SetPlan, { sid }: Series) {
  const position = account.positions.get(sid) ?? state.positions.flat;
  const quoted = quotedMicros(state, account.index, sid, set);
  return {
    heldMicros: position.qtyMicros,
    bidMicros: position.restingBuyMicros + quoted.bidMicros,
    askMicros: position.restingSellMicros + quoted.askMicros,
  };
}

/** The account's reason against a row that places a level which does not stand: without one it may only pull. */
function checkAccount({ account, risk }: SetPlan, { bids, asks }: RowPlan): RowFault | null {
  if (bids.placedCount === 0 && asks.placedCount === 0) return null;
  if (account.frozen) return REJECT.accountFrozen;
  if (risk.isCalled) return REJECT.reduceOnly;
  if (risk.equityMicros <= 0) return REJECT.equityDepleted;
  return asks.placedCount > 0 && !account.marginEnabled ? REJECT.marginOff : null;
}

/** True if a level could never trade as a whole, a standing one with a new delta included. */
function isAnyAbove(protection: Protection, { bids, asks, delta }: Draft): boolean {
  const counted = countedDeltaMicros(delta);
  const isAbove = (level: MicrosLevel) => isAboveLimit(protection, level[1], counted);
  return bids.some(isAbove) || asks.some(isAbove);
}

/** The levels that meet no order of anybody's; this set's own quotes in the series are no obstacle. */
function withoutTrading(
  { state: { orders }, set }: SetPlan,
  { book }: Series,
  side: BookSide,
  levels: readonly MicrosLevel[],
): readonly MicrosLevel[] {
  const [best] = levels;
  if (best === undefined || !book.crosses(side, best[0])) return levels;
  const owner = ownerOfSet(set);
  let h = book.best(side === BUY ? SELL : BUY);
  while (h !== null && orders.owner(h) === owner) h = book.next(h);
  if (h === null) return levels;
  const opposite = orders.price(h);
  return levels.filter(([price]) => (side === BUY ? price < opposite : price > opposite));
}

export function areEqual(some: readonly MicrosLevel[], others: readonly MicrosLevel[]): boolean {
  return (
    some === others ||
    (some.length === others.length &&
      some.every(([price, qty], k) => price === others[k]![0] && qty === others[k]![1]))
  );
}
