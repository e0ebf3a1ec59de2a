/** The market maker's ladders in the model (MM-3, MM-4, FINE-15). */

import { houseLineExceeded, type MicrosLevel, type MicrosQuote } from '@venue/protocol';
import type { PullCommand, QuoteSessionCommand, QuotesCommand } from '../../../src/entry/command.ts';
import type { Side } from '../../../src/state/series.ts';
import { houseLine } from '../custody.ts';
import { annotateMark, byModel, mark } from '../marks.ts';
import { rest, trade, V1_TERMS } from '../matching.ts';
import { clamp, floorDiv, least, MOST, most, positive, sum } from '../numbers.ts';
import { plainMicros } from '../plain-micros.ts';
import type { ModelAccount, ModelOrder, ModelSeries } from '../records.ts';
import { pullOrders } from '../resting.ts';
import { cost, exposure, openInterest } from '../risk.ts';
import { bookSide, MAKER, type ModelState, parametersOf, positionIn, restingOf } from '../state.ts';
import { Walk } from '../walk.ts';
import { pullStaleSets } from './sets.ts';

export interface ModelQuotesOutcome {
  applied: number;
  kept: number;
  rowErrors: { i: number; error: string }[];
  unknownSids: number[];
}

interface Level {
  readonly price: bigint;
  readonly qty: bigint;
}

interface Ladder {
  readonly side: Side;
  /** Best first; null leaves the side unchanged. */
  readonly levels: readonly Level[] | null;
}

/**
 * A new attempt gets the next number, and the quotes of all earlier sessions are pulled; a known attempt gets its old
 * number.
 */
export function registerQuoteSession(
  state: ModelState,
  { attemptId }: QuoteSessionCommand,
): { session: number } {
  const known = state.quoteAttempts.indexOf(attemptId);
  if (known >= 0) return { session: known + 1 };
  state.quoteAttempts.push(attemptId);
  state.quoteSession = state.quoteAttempts.length;
  pullQuotes(state);
  state.lastQuoteTs = state.ts;
  return { session: state.quoteSession };
}

export function pull(state: ModelState, { session }: PullCommand): { pulled: number } | { refusal: string } {
  if (session === 0 || session !== state.quoteSession) return { refusal: 'noQuoteSession' };
  state.lastQuoteTs = state.ts;
  return { pulled: pullQuotes(state) };
}

export function pushQuotes(
  state: ModelState,
  { session, rows }: QuotesCommand,
): ModelQuotesOutcome | { refusal: string } {
  if (session !== null && (session === 0 || session !== state.quoteSession))
    return { refusal: 'noQuoteSession' };
  state.lastQuoteTs = state.ts;
  const outcome: ModelQuotesOutcome = { applied: 0, kept: 0, rowErrors: [], unknownSids: [] };
  rows.forEach((row, i) => {
    pushRow(state, row, i, outcome);
  });
  return outcome;
}

function pushRow(state: ModelState, row: MicrosQuote, i: number, outcome: ModelQuotesOutcome): void {
  const series = state.series.find((listed) => row.sid === listed.sid);
  if (series === undefined) {
    outcome.unknownSids.push(row.sid);
    return;
  }
  const ladders = [ladder('buy', row.bids), ladder('sell', row.asks)];
  const error = rowError(state, series, ladders);
  if (error !== undefined) {
    outcome.rowErrors.push({ i, error });
    return;
  }
  series.iv = row.iv ?? series.iv;
  if (row.iv !== undefined) annotateMark(state, state.accounts[MAKER]!, series, row.iv);
  series.delta = row.delta ?? series.delta;
  if (replace(state, series, ladders)) outcome.applied += 1;
  else outcome.kept += 1;
}

function ladder(side: Side, levels: readonly MicrosLevel[] | null): Ladder {
  return {
    side,
    levels: levels?.map(([price, qty]) => ({ price: BigInt(price), qty: BigInt(qty) })) ?? null,
  };
}

/** The side after the row: its own levels, or those already resting. */
function levelsAfter(state: ModelState, series: ModelSeries, { side, levels }: Ladder): readonly Level[] {
  if (levels !== null) return levels;
  const own = bookSide(state, series.sid, side).filter((order) => order.owner === MAKER);
  return own.map((order) => ({ price: order.price, qty: order.remaining }));
}

function rowError(state: ModelState, series: ModelSeries, ladders: readonly Ladder[]): string | undefined {
  if (series.status !== 'live' || state.ts >= series.expiryTs * 1000) return 'series expired';
  if (!ladders.every(wellFormed)) return 'malformed ladder';
  const [bid, ask] = ladders.map((side) => levelsAfter(state, series, side)[0]?.price);
  if (bid !== undefined && ask !== undefined && bid >= ask) return 'crossed ladder';
  if (!ladders.every((side) => ladderFits(state, series, side))) return 'bad qty';
  return houseLineRefusal(state, series, ladders);
}

/** Every level positive, prices strictly worsening. */
function wellFormed({ side, levels }: Ladder): boolean {
  return (levels ?? []).every(({ price, qty }, at) => {
    if (price <= 0n || qty <= 0n) return false;
    const better = levels![at - 1]?.price;
    return better === undefined || (side === 'buy' ? price < better : price > better);
  });
}

/** True if every total stays in the exact range even if the whole side fills (NUM-1). */
function ladderFits(state: ModelState, series: ModelSeries, ladder: Ladder): boolean {
  const { side, levels } = ladder;
  const total = sum(levelsAfter(state, series, ladder).map(({ qty }) => qty));
  const held = positionIn(state.accounts[MAKER]!, series.sid).qty;
  const others = bookSide(state, series.sid, side).filter(({ owner }) => owner !== MAKER);
  const totals = [
    ...(levels ?? []).map(({ price, qty }) => cost(price, qty)),
    (side === 'buy' ? positive(held) : positive(-held)) + total,
    openInterest(state, series.sid) + total,
    sum(others.map(({ remaining }) => remaining)) + total,
  ];
  return totals.every((amount) => amount <= MOST);
}

/**
 * A row may not take the maker past its line, whichever side fills completely, valued at the mark after the row; a row
 * that reduces the exposure is accepted even past the line (HOUSE-1, FINE-15).
 */
function houseLineRefusal(
  state: ModelState,
  series: ModelSeries,
  ladders: readonly Ladder[],
): string | undefined {
  const maker = state.accounts[MAKER]!;
  const held = positionIn(maker, series.sid).qty;
  const [bids, asks] = ladders.map((side) => levelsAfter(state, series, side));
  if (bids!.length === 0 && asks!.length === 0) return undefined;
  const left = byModel(state) ? mark(state, series) : markLeft(state, series, bids!, asks!);
  const need = clamp(most(bought(state, series, held, bids!, left), sold(state, series, held, asks!, left)));
  const others = state.series.filter((other) => other !== series);
  const elsewhere = sum(
    others.map((other) => exposure(state, other, positionIn(maker, other.sid).qty, mark(state, other))),
  );
  const headroom = houseLine(state) - elsewhere;
  const isHeldAnyway =
    need <= exposure(state, series, held, mark(state, series)) || need <= exposure(state, series, held, left);
  return need > headroom && !isHeldAnyway
    ? houseLineExceeded({ needMicros: plainMicros(need), headroomMicros: plainMicros(headroom) })
    : undefined;
}

/** The mark after placing the levels one by one, bids first, and trading with other accounts' orders. */
function markLeft(
  state: ModelState,
  series: ModelSeries,
  bids: readonly Level[],
  asks: readonly Level[],
): bigint {
  const walk = new Walk(state);
  const others = (side: Side) => bookSide(state, series.sid, side).filter(({ owner }) => owner !== MAKER);
  const [buys, sells] = [others('buy'), others('sell')];
  const restingBids = bids.map((level) => placed(walk, level, sells, (price) => price <= level.price));
  const restingAsks = asks.map((level) => placed(walk, level, buys, (price) => price >= level.price));
  const prices = (orders: readonly ModelOrder[], levels: readonly Level[]) => [
    ...orders.filter((order) => walk.fillable(order) > 0n).map(({ price }) => price),
    ...levels.filter(({ qty }) => qty > 0n).map(({ price }) => price),
  ];
  const bid = prices(buys, restingBids).reduce<bigint | undefined>((a, b) => most(a ?? b, b), undefined);
  const ask = prices(sells, restingAsks).reduce<bigint | undefined>((a, b) => least(a ?? b, b), undefined);
  return bid !== undefined && ask !== undefined ? floorDiv(bid + ask, 2n) : (bid ?? ask ?? 0n);
}

/** The rest of a level after it has traded with the orders it crosses, best first. */
function placed(
  walk: Walk,
  level: Level,
  against: readonly ModelOrder[],
  crosses: (price: bigint) => boolean,
): Level {
  let { qty } = level;
  for (const order of against) {
    if (!crosses(order.price)) break;
    const traded = least(qty, walk.fillable(order));
    if (traded === 0n) continue;
    qty -= traded;
    walk.take(order, traded);
  }
  return { price: level.price, qty };
}

/** Every bid fills, best first: the short is closed before a long opens, which counts with at least its cost. */
function bought(
  state: ModelState,
  series: ModelSeries,
  held: bigint,
  bids: readonly Level[],
  left: bigint,
): bigint {
  let position = held;
  const opened: Level[] = [];
  for (const { price, qty } of bids) {
    const opens = positive(qty - positive(-position));
    if (opens > 0n) opened.push({ price, qty: opens });
    position += qty;
  }
  const long = sum(opened.map(({ qty }) => qty));
  const paid = sum(opened.map(({ price, qty }) => cost(price, qty)));
  return exposure(state, series, position - long, left) + most(exposure(state, series, long, left), paid);
}

/** Every ask fills: a newly opened short counts with the mark as its premium, or the best ask if higher. */
function sold(
  state: ModelState,
  series: ModelSeries,
  held: bigint,
  asks: readonly Level[],
  left: bigint,
): bigint {
  const total = sum(asks.map(({ qty }) => qty));
  const opens = positive(total - positive(held));
  const premium = most(left, asks[0]?.price ?? 0n);
  return exposure(state, series, held - (total - opens), left) + exposure(state, series, -opens, premium);
}

/** Replaces the maker's resting orders to match the ladders. Returns true if anything changed. */
function replace(state: ModelState, series: ModelSeries, ladders: readonly Ladder[]): boolean {
  const maker = state.accounts[MAKER]!;
  let changed = false;
  const missing: { side: Side; level: Level }[] = [];
  for (const { side, levels } of ladders) {
    if (levels === null) continue;
    const own = restingOf(state, MAKER, series.sid, side);
    const same = (level: Level) => own.find((o) => o.price === level.price && o.remaining === level.qty);
    const kept = levels.map(same);
    const dropped = own.filter((order) => !kept.includes(order));
    pullOrders(state, 'user', (order) => dropped.includes(order));
    missing.push(...levels.filter((level) => !same(level)).map((level) => ({ side, level })));
    changed ||= dropped.length > 0;
  }
  for (const { side, level } of missing) quote(state, maker, series, side, level);
  return changed || missing.length > 0;
}

function quote(state: ModelState, maker: ModelAccount, series: ModelSeries, side: Side, level: Level): void {
  state.lastOrderId += 1;
  const taker = {
    id: state.lastOrderId,
    account: maker,
    series,
    side,
    ...level,
    signer: null,
    terms: V1_TERMS,
  };
  const { left } = trade(state, taker);
  if (left > 0n) rest(state, taker, left);
}

/** A maker that has not pushed within the time to live loses its quotes (MM-4), and so do sets (QTS-5). */
export function pullStaleQuotes(state: ModelState): void {
  pullStaleSets(state, parametersOf(state).quoteTtlMs);
  if (state.ts - state.lastQuoteTs < parametersOf(state).quoteTtlMs) return;
  pullQuotes(state);
}

function pullQuotes(state: ModelState): number {
  return pullOrders(state, 'user', ({ owner }) => owner === MAKER);
}
