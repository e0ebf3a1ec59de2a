/** Pushes to quote sets in the model (QTS-1, QTS-2, DET-5): rows in order, and the book changes once at the end. */

import {
  type Address,
  BATCH_REJECT,
  decimalToMicros,
  type ErrorName,
  type MicrosLevel,
  type MicrosQuote,
  REJECT,
  type RejectReason,
} from '@venue/protocol';
import type { QuoteSetCommand } from '../../../src/entry/command.ts';
import type { Side } from '../../../src/state/series.ts';
import { annotateMark } from '../marks.ts';
import { rest, V1_TERMS } from '../matching.ts';
import { MOST, positive, sum } from '../numbers.ts';
import type { ModelAccount, ModelSeries, ModelSet } from '../records.ts';
import { pullOrders } from '../resting.ts';
import { cost, equity, inMarginCall, openInterest } from '../risk.ts';
import { bookSide, type ModelState, parametersOf, positionIn } from '../state.ts';
import { quotesOf } from '../walk.ts';
import { keepReserve, type Quoted, uncovered } from './set-reserves.ts';
import { floorOf, freezeIfUsedUp, isAboveLimit, noteRefill, raiseFloor, setOf, WHOLE } from './sets.ts';

const LEVELS_OF_SIDE_MAX = 64;
const LEVELS_OF_ACCOUNT_MAX = 4_096;
const SIDES = ['buy', 'sell'] as const;

export interface ModelPushed {
  applied: number;
  kept: number;
  rowErrors: { i: number; error: string }[];
  unknownSids: number[];
}

interface Level {
  readonly price: bigint;
  readonly qty: bigint;
}

type Ladders = Readonly<Record<Side, readonly Level[]>>;

/** The set as it would be after the rows so far. */
interface Draft {
  readonly account: ModelAccount;
  readonly set: ModelSet;
  /** By sid, in the order in which the push named them first. */
  readonly ladders: Map<number, Ladders>;
  /** The volatilities that its rows name, in order. */
  readonly named: { readonly sid: number; readonly iv: number }[];
}

export function pushToSet(
  state: ModelState,
  account: ModelAccount,
  command: QuoteSetCommand,
):
  | ModelPushed
  | { refusal: ErrorName; lastNonce?: number }
  | { status: 'rejected'; reason: RejectReason }
  | { status: 'refused' } {
  const outcome: ModelPushed = { applied: 0, kept: 0, rowErrors: [], unknownSids: [] };
  const { rows } = command;
  if (rows === null) {
    state.notes.push('push refused whole on arrival');
    return { status: 'refused' };
  }
  const set = setOf(account, state, command.set);
  if (set === undefined) return { refusal: 'unknownSet' };
  const { nonce, sessionKey } = command.authorization ?? {};
  const floor = floorOf(state, set);
  if (nonce !== undefined && nonce <= floor) {
    noteStale(state, set, nonce);
    return { refusal: 'stalePush', lastNonce: floor };
  }
  if (set.frozenUntil === 'unfreeze' || (set.frozenUntil ?? 0) > state.ts) return { refusal: 'setFrozen' };
  const copy: ModelSet = { ...set, rows: new Map(set.rows) };
  const draft: Draft = { account, set: copy, ladders: new Map(), named: [] };
  rows.forEach((row, i) => {
    takeRow(state, draft, row, i, outcome);
  });
  const { reason, reserve } = tested(state, set, draft);
  if (reason !== undefined) return { status: 'rejected', reason };
  if (copy.used < set.used) noteRefill(state, set, 'by a push');
  for (const { sid, iv } of draft.named) annotateMark(state, account, state.series[sid]!, iv);
  Object.assign(set, copy, { touchedTs: state.ts });
  raiseFloor(state, account, set.number, nonce);
  place(state, draft, set, sessionKey ?? null);
  keepReserve(state, set, reserve);
  freezeIfUsedUp(state, set);
  return outcome;
}

function noteStale(state: ModelState, set: ModelSet, nonce: number): void {
  const above = state.floors.filter(
    (floor) =>
      floor.owner === set.owner && [set.number, set.symbol].includes(floor.of) && floor.nonce >= nonce,
  );
  if (above.every(({ of }) => of === set.symbol)) state.notes.push('push overtaken by a cancel');
  if (above.every(({ act }) => act === 'guard')) state.notes.push('push overtaken by a guard');
}

/** Tests what the set would reserve, and makes its allowance whole if its window is over (QTS-3, QTS-4). */
function tested(
  state: ModelState,
  set: ModelSet,
  { set: copy, ladders }: Draft,
): { reserve: bigint; reason?: RejectReason } {
  const placed = [...ladders].flatMap(([sid, of]) => quoted(sid, of));
  const untouched = quotesOf(state, set).filter(({ sid }) => !ladders.has(sid));
  const quotes = [...untouched, ...placed];
  const placesNew = placed.some((level) => standing(state, set, level) === undefined);
  const isOver = set.firstFillTs !== null && state.ts >= set.firstFillTs + set.protection.windowMs;
  const whole = uncovered(state, isOver ? { ...copy, ...WHOLE } : copy, quotes);
  if (whole.refusal !== undefined && placesNew) return { reserve: 0n, reason: whole.refusal };
  if (whole.refusal !== undefined) {
    state.notes.push('pulls of a set past its means');
    return { reserve: uncovered(state, copy, quotes).reserve };
  }
  if (isOver) Object.assign(copy, WHOLE);
  return { reserve: whole.reserve };
}

function quoted(sid: number, ladders: Ladders): Quoted[] {
  return SIDES.flatMap((side) =>
    ladders[side].map(({ price, qty }) => ({ sid, side, price, remaining: qty })),
  );
}

function standing(state: ModelState, set: ModelSet, { sid, side, price, remaining }: Quoted) {
  return quotesOf(state, set).find(
    (quote) =>
      quote.sid === sid && quote.side === side && quote.price === price && quote.remaining === remaining,
  );
}

/** A level that stands before and after keeps its place. */
function place(state: ModelState, { account, ladders }: Draft, set: ModelSet, signer: Address | null): void {
  const wanted = [...ladders].flatMap(([sid, of]) => quoted(sid, of));
  const found = wanted.map((level) => standing(state, set, level));
  pullOrders(state, 'user', (order) => order.set === set && ladders.has(order.sid) && !found.includes(order));
  wanted.forEach(({ sid, side, price, remaining: qty }, at) => {
    if (found[at] !== undefined) return;
    state.lastOrderId += 1;
    const series = state.series[sid]!;
    const order = { id: state.lastOrderId, account, series, side, price, qty, signer, terms: V1_TERMS };
    rest(state, order, qty, set);
  });
}

function takeRow(state: ModelState, draft: Draft, row: MicrosQuote, i: number, outcome: ModelPushed): void {
  const series = state.series.find(({ sid }) => sid === row.sid);
  if (series === undefined) {
    outcome.unknownSids.push(row.sid);
    return;
  }
  const before = laddersOf(state, draft, series.sid);
  const after: Ladders = { buy: levelsOf(row.bids) ?? before.buy, sell: levelsOf(row.asks) ?? before.sell };
  const error =
    faultOf(state, series, row) ??
    faultBeside(state, draft, series, after) ??
    setFault(state, draft, series, { row, before, after });
  if (error !== undefined) {
    outcome.rowErrors.push({ i, error });
    state.notes.push(`row of a set: ${error}`);
    return;
  }
  annotate(draft.set, row);
  if (row.iv !== undefined) draft.named.push({ sid: row.sid, iv: row.iv });
  const left = withoutTrading(state, draft, series, before, after);
  const isCut = SIDES.some((side) => left[side].length < after[side].length);
  if (isCut) {
    outcome.rowErrors.push({ i, error: BATCH_REJECT.postOnlyWouldTrade });
    state.notes.push(`row of a set: ${BATCH_REJECT.postOnlyWouldTrade}`);
  }
  draft.ladders.set(series.sid, left);
  const isKept = SIDES.every((side) => isSame(before[side], left[side]));
  if (isKept && !isCut) outcome.kept += 1;
  else outcome.applied += 1;
}

function levelsOf(levels: readonly MicrosLevel[] | null): Level[] | undefined {
  return levels?.map(([price, qty]) => ({ price: BigInt(price), qty: BigInt(qty) }));
}

function isSame(one: readonly Level[], other: readonly Level[]): boolean {
  return one.length === other.length && one.every((level) => has(other, level));
}

function has(levels: readonly Level[], { price, qty }: Level): boolean {
  return levels.some((level) => level.price === price && level.qty === qty);
}

/** As the rows before left them. */
function laddersOf(state: ModelState, { set, ladders }: Draft, sid: number): Ladders {
  const of = (side: Side) =>
    bookSide(state, sid, side)
      .filter((order) => isOf(order.set, set))
      .map(({ price, remaining: qty }) => ({ price, qty }));
  return ladders.get(sid) ?? { buy: of('buy'), sell: of('sell') };
}

function isOf(one: ModelSet | null, { owner, number }: ModelSet): boolean {
  return one !== null && one.owner === owner && one.number === number;
}

/** The fault of a row by itself, as the maker's rows are judged. */
function faultOf(state: ModelState, series: ModelSeries, { bids, asks }: MicrosQuote): string | undefined {
  if (series.status === 'settled') return REJECT.seriesSettled;
  if (series.status === 'pending-review' || state.ts >= series.expiryTs * 1000) return REJECT.seriesExpired;
  const fault = sideFault('buy', levelsOf(bids) ?? []) ?? sideFault('sell', levelsOf(asks) ?? []);
  return fault ?? crossedFault(levelsOf(bids) ?? [], levelsOf(asks) ?? []);
}

function sideFault(side: Side, levels: readonly Level[]): string | undefined {
  if (levels.length > LEVELS_OF_SIDE_MAX) return 'too many levels';
  for (const [at, { price, qty }] of levels.entries()) {
    if (price <= 0n) return REJECT.badPrice;
    if (qty <= 0n || cost(price, qty) > MOST) return REJECT.badQty;
    const better = levels[at - 1]?.price;
    if (better !== undefined && (side === 'buy' ? price >= better : price <= better))
      return 'levels must stand best first';
  }
  return undefined;
}

function crossedFault(bids: readonly Level[], asks: readonly Level[]): string | undefined {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  return bid !== undefined && ask !== undefined && bid >= ask ? 'crossed ladder' : undefined;
}

/** Beside the side that stays, and beside all else that may add up to a total (NUM-1). */
function faultBeside(
  state: ModelState,
  { account, set }: Draft,
  series: ModelSeries,
  after: Ladders,
): string | undefined {
  const crossed = crossedFault(after.buy, after.sell);
  if (crossed !== undefined) return crossed;
  const held = positionIn(account, series.sid).qty;
  const totals = SIDES.flatMap((side) => {
    const others = bookSide(state, series.sid, side).filter((order) => !isOf(order.set, set));
    const own = others.filter(({ owner }) => owner === account.index);
    const remaining = (orders: typeof others) => sum(orders.map((order) => order.remaining));
    const wanted = sum(after[side].map(({ qty }) => qty));
    return [
      positive(side === 'buy' ? held : -held) + remaining(own) + wanted,
      openInterest(state, series.sid) + wanted,
      remaining(others) + wanted,
    ];
  });
  return totals.every((total) => total <= MOST) ? undefined : REJECT.badQty;
}

interface RowChange {
  readonly row: MicrosQuote;
  readonly before: Ladders;
  readonly after: Ladders;
}

/** The refusal by the set and its account. */
function setFault(
  state: ModelState,
  draft: Draft,
  series: ModelSeries,
  change: RowChange,
): string | undefined {
  const { account, set } = draft;
  const { row, before, after } = change;
  if (series.symbol !== set.symbol) return "not the set's symbol";
  const places = (side: Side) => after[side].some((level) => !has(before[side], level));
  if (places('buy') || places('sell')) {
    if (account.frozen) return REJECT.accountFrozen;
    if (inMarginCall(state, account)) return REJECT.reduceOnly;
    if (equity(state, account) <= 0n) return REJECT.equityDepleted;
    if (places('sell') && !account.marginEnabled) return REJECT.marginOff;
  }
  const annotated: ModelSet = { ...set, rows: new Map(set.rows) };
  annotate(annotated, row);
  const levels = SIDES.flatMap((side) => after[side]);
  if (levels.some(({ qty }) => isAboveLimit(annotated, series.sid, qty))) return 'level above the limit';
  const { sid } = series;
  return tooMany(state, draft, { sid, before, after }) ? 'too many levels' : undefined;
}

/** A row that adds levels beyond what the account may have, or all accounts together that are no mark makers. */
function tooMany(
  state: ModelState,
  { account, set, ladders }: Draft,
  { sid, before, after }: { sid: number; before: Ladders; after: Ladders },
): boolean {
  const drafted = [...ladders].filter(([other]) => other !== sid).map(([, own]) => own);
  const quotes = state.orders.filter((order) => order.set !== null);
  const untouched = quotes.filter(
    (order) => !isOf(order.set, set) || (order.sid !== sid && !ladders.has(order.sid)),
  );
  const own = untouched.filter(({ owner }) => owner === account.index);
  const counted = (levels: Ladders) =>
    [...drafted, levels].flatMap(({ buy, sell }) => [...buy, ...sell]).length;
  if (counted(after) <= counted(before)) return false;
  if (own.length + counted(after) > LEVELS_OF_ACCOUNT_MAX) return true;
  const { markMakers, setLevelsMax } = parametersOf(state);
  const isFree = ({ address }: ModelAccount) => address !== null && markMakers.includes(address);
  if (isFree(account)) return false;
  const others = untouched.filter(({ owner }) => !isFree(state.accounts[owner]!));
  if (others.length + counted(after) <= setLevelsMax) return false;
  state.notes.push('too many levels of all sets');
  return true;
}

/** An annotation stays until it is named again. */
function annotate(set: ModelSet, { sid, iv, delta }: MicrosQuote): void {
  const known = set.rows.get(sid) ?? { iv: null, given: null, delta: null };
  const given = delta ?? known.given;
  set.rows.set(sid, { iv: iv ?? known.iv, given, delta: given === null ? null : absoluteMicros(given) });
}

/** Rounded up to the micro, unless it is one exactly. */
function absoluteMicros(delta: number): bigint {
  const size = Math.abs(delta);
  return BigInt(decimalToMicros(size) ?? Math.ceil(size * 1_000_000));
}

/** Leaves out new levels that would meet anything but the set's own quotes. */
function withoutTrading(
  state: ModelState,
  { set }: Draft,
  series: ModelSeries,
  before: Ladders,
  after: Ladders,
): Ladders {
  const meets = (side: Side, { price }: Level) =>
    bookSide(state, series.sid, side === 'buy' ? 'sell' : 'buy').some(
      (order) => !isOf(order.set, set) && (side === 'buy' ? price >= order.price : price <= order.price),
    );
  const left = (side: Side) => after[side].filter((level) => has(before[side], level) || !meets(side, level));
  return { buy: left('buy'), sell: left('sell') };
}
