/**
 * Combos in the model: every quantity is walked by itself, and the account is looked at on a copy of everything that
 * really trades the legs (CMB-1, CMB-2).
 */

import {
  BATCH_REJECT,
  type ComboAction,
  insufficientBuyingPower,
  insufficientMargin,
  type OrderTerms,
  REJECT,
  type RejectReason,
} from '@venue/protocol';
import type { PlainOutcome } from '../description.ts';
import { seriesRefusal } from './checks.ts';
import { plain } from './describe.ts';
import { type Meeting, opposite, type Taker, trade } from './matching.ts';
import { clamp, floorDiv, least, MOST, positive, sum } from './numbers.ts';
import { plainMicros } from './plain-micros.ts';
import type { ModelAccount, ModelOrder, ModelSeries } from './records.ts';
import { close } from './resting.ts';
import { buyingPower, equity, inMarginCall, locked, maintenance, openInterest, reserved } from './risk.ts';
import { bookSide, type ModelState, positionIn } from './state.ts';
import { restingQty } from './units.ts';
import { Walk } from './walk.ts';
import { carriedVisits, groupVisits, look, looks, meet, spend, trialVisits } from './work.ts';

interface Leg {
  readonly series: ModelSeries;
  readonly side: 'buy' | 'sell';
  readonly ratio: bigint;
}

interface Combo {
  readonly account: ModelAccount;
  readonly legs: readonly Leg[];
  readonly qty: bigint;
  readonly net: bigint | null;
  readonly isFok: boolean;
}

/** Executes a combo whose client id is not known. */
export function placeCombo(
  state: ModelState,
  account: ModelAccount,
  action: ComboAction,
  signer: ModelOrder['signer'],
): PlainOutcome {
  const { clientId, tif } = action;
  const combo = comboOf(state, account, action);
  if (typeof combo === 'string') return { status: 'rejected', reason: combo, clientId };
  const units = unitsOf(state, combo);
  noteCombo(state, combo, units);
  const reason = refusalOf(state, combo, units);
  if (reason !== undefined) return { status: 'rejected', reason, clientId };
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  const terms: OrderTerms = { tif, stp: 'taker', ...(clientId !== undefined && { clientId }) };
  noteOpened(state, id, combo, terms);
  const trades = tradeLegs(state, combo, { id, terms, signer, units });
  close(state, account.index, id, units === combo.qty ? 'filled' : 'ioc');
  const status = units === combo.qty ? 'filled' : units > 0n ? 'partial' : 'cancelled';
  return { status, orderId: id, clientId, trades };
}

function noteCombo(state: ModelState, combo: Combo, units: bigint): void {
  const { account, legs, qty } = combo;
  if (inMarginCall(state, account) && units > 0n) state.notes.push('combo in a margin call');
  const isWalled = legs.some(({ series, side }) =>
    bookSide(state, series.sid, opposite(side)).some(({ owner }) => owner === account.index),
  );
  if (isWalled && units < qty) state.notes.push('combo stopped by an own order');
  if (units === 0n) return;
  const pieces = legs.map((leg) =>
    walkLeg(state, combo, leg, { qty: units * leg.ratio, walk: new Walk(state) }),
  );
  if (legs.some(({ ratio }, i) => (pieces[i]?.at(-1)?.qty ?? ratio) < ratio))
    state.notes.push('micro of a combo over several levels');
}

function noteOpened(state: ModelState, id: number, combo: Combo, terms: OrderTerms): void {
  const { account, legs, qty, net } = combo;
  const owner = account.index;
  const { clientId } = terms;
  if (clientId !== undefined) state.clientIds.push({ owner, clientId, orderId: id, closedAt: null });
  const named = legs.map(({ series, side, ratio }) => `${side}:${ratio}:${series.sid}`).join();
  state.orderEvents.push({ what: 'combo', id, owner, legs: named, net, qty, terms });
}

function comboOf(
  state: ModelState,
  account: ModelAccount,
  { legs: named, qtyMicros, netMicros, tif }: ComboAction,
): Combo | RejectReason {
  const listed = named.map(({ seriesId }) => state.series.find((series) => series.seriesId === seriesId));
  const refusals = listed.map((series) =>
    series === undefined ? REJECT.unknownSeries : seriesRefusal(state, series),
  );
  for (const reason of [REJECT.unknownSeries, REJECT.seriesSettled, REJECT.seriesExpired])
    if (refusals.includes(reason)) return reason;
  const qty = BigInt(qtyMicros);
  const legs = named.map(({ side, ratio }, i) => ({ series: listed[i]!, side, ratio: BigInt(ratio) }));
  const totals = legs.flatMap((leg) => totalsWith(state, account, leg, qty * leg.ratio));
  if (qty === 0n || totals.some((total) => total > MOST)) return REJECT.badQty;
  return { account, legs, qty, net: netMicros === null ? null : BigInt(netMicros), isFok: tif === 'fok' };
}

function totalsWith(state: ModelState, account: ModelAccount, { series, side }: Leg, qty: bigint): bigint[] {
  const held = positionIn(account, series.sid).qty;
  const own = bookSide(state, series.sid, side).filter(({ owner }) => owner === account.index);
  const resting = sum(own.map(({ remaining }) => remaining));
  return [positive(side === 'buy' ? held : -held) + resting + qty, openInterest(state, series.sid) + qty];
}

/** The first reason against a combo of which so much would trade. */
function refusalOf(state: ModelState, combo: Combo, units: bigint): RejectReason | undefined {
  const { account, legs, qty, isFok } = combo;
  if (account.frozen) return REJECT.accountFrozen;
  look(state, account);
  const isCalled = inMarginCall(state, account);
  const isDepleted = !isCalled && equity(state, account) <= 0n;
  const isReducer = legs.every((leg) => reduces(state, account, leg, qty));
  if (isCalled && !isReducer) return REJECT.reduceOnly;
  if (isDepleted && !isReducer) return REJECT.equityDepleted;
  if (legs.some(({ series, side }) => bookSide(state, series.sid, opposite(side)).length === 0))
    return REJECT.noLiquidity;
  const grouped = groupVisits(
    state,
    account,
    legs.map(({ series }) => series),
  );
  if (!spend(state, planVisits(state, combo, units) + 2 * grouped)) return BATCH_REJECT.tooMuchWork;
  const unfilled = isFok && units < qty ? BATCH_REJECT.fokCannotFill : undefined;
  if (units === 0n || (unfilled !== undefined && !isCalled)) return unfilled;
  const { walk, pieces } = walkAll(state, combo, units);
  const fills = sum(pieces.map((taken) => BigInt(taken!.length)));
  if (!spend(state, carriedVisits(walk, { fills: Number(fills), isCombo: true })))
    return BATCH_REJECT.tooMuchWork;
  if (!meet(state, walk.sets)) return BATCH_REJECT.tooMuchWork;
  return isCalled
    ? (calledRefusal(state, combo, units) ?? unfilled)
    : (unfilled ?? riskRefusal(state, combo, { units, isDepleted }));
}

function reduces(
  state: ModelState,
  account: ModelAccount,
  { series, side, ratio }: Leg,
  qty: bigint,
): boolean {
  const held = positionIn(account, series.sid).qty;
  const opposed = side === 'buy' ? -held : held;
  return qty * ratio + restingQty(state, account, series, side) <= opposed;
}

/** The account on a copy in which the legs have traded, and in one where it did not take part in what they did. */
interface Copies {
  readonly without: { readonly state: ModelState; readonly account: ModelAccount };
  readonly with: { readonly state: ModelState; readonly account: ModelAccount };
}

function copiesOf(state: ModelState, combo: Combo, units: bigint): Copies {
  const after = tradedCopy(state, combo, units);
  const before = tradedCopy(state, combo, units);
  const { cash, positions } = combo.account;
  const out = before.accounts[combo.account.index]!;
  Object.assign(out, { cash, positions: structuredClone(positions) });
  return {
    without: { state: before, account: out },
    with: { state: after, account: after.accounts[combo.account.index]! },
  };
}

function tradedCopy(state: ModelState, combo: Combo, units: bigint): ModelState {
  const accounts = state.accounts.map((account) => ({ ...account, fills: [] }));
  const copy = structuredClone({ ...state, accounts, audit: [], tape: [], notes: [] });
  const account = copy.accounts[combo.account.index]!;
  const legs = combo.legs.map((leg) => ({ ...leg, series: copy.series[leg.series.sid]! }));
  const terms: OrderTerms = { tif: 'ioc', stp: 'taker' };
  tradeLegs(copy, { ...combo, account, legs }, { id: 0, terms, signer: null, units });
  return copy;
}

function calledRefusal(state: ModelState, combo: Combo, units: bigint): RejectReason | undefined {
  const copies = copiesOf(state, combo, units);
  const before = maintenance(copies.without.state, copies.without.account);
  if (maintenance(copies.with.state, copies.with.account) >= before) return REJECT.reduceOnly;
  return keepsCash(state, combo, copies) ? undefined : REJECT.insufficientCash;
}

function requiresLess(copies: Copies): boolean {
  const before = locked(copies.without.state, copies.without.account);
  return locked(copies.with.state, copies.with.account) < before;
}

function riskRefusal(
  state: ModelState,
  combo: Combo,
  { units, isDepleted }: { readonly units: bigint; readonly isDepleted: boolean },
): RejectReason | undefined {
  const { account, legs } = combo;
  const opens = legs.some(({ series, side, ratio }) => {
    const long = positive(positionIn(account, series.sid).qty);
    const resting = restingQty(state, account, series, 'sell');
    const opening = positive(units * ratio + resting - long) - positive(resting - long);
    return side === 'sell' && opening > 0n;
  });
  if (opens && !account.marginEnabled) return REJECT.marginOff;
  const copies = copiesOf(state, combo, units);
  if (isDepleted && !requiresLess(copies)) return REJECT.equityDepleted;
  if (isDepleted) state.notes.push('relief of a depleted account by a combo');
  const have = buyingPower(copies.without.state, copies.without.account);
  const left = buyingPower(copies.with.state, copies.with.account);
  if (left < 0n && !(left >= have && keepsCash(state, combo, copies))) {
    const amounts = { needMicros: plainMicros(clamp(have - left)), haveMicros: plainMicros(have) };
    const rises =
      locked(copies.with.state, copies.with.account) > locked(copies.without.state, copies.without.account);
    return rises ? insufficientMargin(amounts) : insufficientBuyingPower(amounts);
  }
  if (left < 0n) state.notes.push('combo with negative buying power');
  return inMarginCall(copies.with.state, copies.with.account) ? REJECT.reduceOnly : undefined;
}

/** Not below zero, and nothing that is reserved is spent. */
function keepsCash(state: ModelState, { account }: Combo, copies: Copies): boolean {
  const { cash } = copies.with.account;
  const free = cash - reserved(state, account);
  return cash >= 0n && (free >= 0n || cash >= account.cash);
}

/** The largest quantity whose last micro costs at most the net: each leg alone, then all on shared allowances. */
function unitsOf(state: ModelState, combo: Combo): bigint {
  const alone = unitsAlone(state, combo);
  const isShared = (units: bigint) => {
    const walk = new Walk(state);
    return isGood(state, combo, units, () => walk);
  };
  if (alone === 0n || isShared(alone)) return alone;
  state.notes.push('legs of a combo share an allowance');
  return largestBelow(alone, isShared);
}

function largestBelow(above: bigint, holds: (units: bigint) => boolean): bigint {
  let [low, high] = [0n, above];
  while (high - low > 1n) {
    const middle = low + floorDiv(high - low, 2n);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function isGood(state: ModelState, combo: Combo, units: bigint, walkFor: () => Walk): boolean {
  let cost = 0n;
  for (const leg of combo.legs) {
    const taken = walkLeg(state, combo, leg, { qty: units * leg.ratio, walk: walkFor() });
    if (taken === null) return false;
    const last = worst(taken, leg.ratio);
    cost += leg.side === 'buy' ? last : -last;
  }
  return combo.net === null || cost <= combo.net;
}

function walkAll(state: ModelState, combo: Combo, units: bigint) {
  const walk = new Walk(state);
  const pieces = combo.legs.map((leg) => walkLeg(state, combo, leg, { qty: units * leg.ratio, walk }));
  return { walk, pieces };
}

/** The largest quantity that each leg gives alone. */
function unitsAlone(state: ModelState, combo: Combo): bigint {
  return largestBelow(combo.qty + 1n, (units) => isGood(state, combo, units, () => new Walk(state)));
}

/**
 * Visits of a plan: each leg alone as far as for a micro more than all of them give; all together for as much; and where
 * they do not give that together, the quotes whose sets they share, by trials, and all together once more.
 */
function planVisits(state: ModelState, combo: Combo, units: bigint): number {
  const alone = unitsAlone(state, combo);
  const next = least(alone + 1n, combo.qty);
  const each = combo.legs.map((leg) => passed(state, combo, leg, { units: next, walk: new Walk(state) }));
  if (alone === 0n) return looks(each.flat());
  const together = passedByAll(state, combo, alone);
  const visits = looks([...each.flat(), ...together.flat()]);
  if (units === alone) return visits;
  const quotes = together.flat().filter(({ set }) => {
    const meeting = together.filter((met) => met.some((order) => order.set === set));
    return set !== null && meeting.length > 1;
  });
  const again = units === 0n ? 0 : looks(passedByAll(state, combo, units).flat());
  return visits + trialVisits(alone, quotes.length) + again;
}

function passedByAll(state: ModelState, combo: Combo, units: bigint): ModelOrder[][] {
  const walk = new Walk(state);
  return combo.legs.map((leg) => passed(state, combo, leg, { units, walk }));
}

/** The orders that a leg looks at until it has enough, up to an own one or a price that no micro can pay. */
function passed(
  state: ModelState,
  combo: Combo,
  leg: Leg,
  { units, walk }: { readonly units: bigint; readonly walk: Walk },
): ModelOrder[] {
  const orders: ModelOrder[] = [];
  let left = units * leg.ratio;
  for (const resting of bookSide(state, leg.series.sid, opposite(leg.side))) {
    if (left === 0n || resting.owner === combo.account.index || isTooDear(state, combo, leg, resting)) break;
    orders.push(resting);
    const taken = least(left, walk.fillable(resting));
    if (taken > 0n) walk.take(resting, taken);
    left -= taken;
  }
  return orders;
}

/** Even with all else of a micro at the best prices. */
function isTooDear(state: ModelState, { legs, net }: Combo, leg: Leg, { price }: ModelOrder): boolean {
  if (net === null) return false;
  const costs = legs.map((each) => {
    const best = bookSide(state, each.series.sid, opposite(each.side))[0]!.price;
    const cost = each === leg ? best * (each.ratio - 1n) + price : best * each.ratio;
    return each.side === 'buy' ? cost : -cost;
  });
  return sum(costs) > net;
}

interface Piece {
  readonly price: bigint;
  readonly qty: bigint;
}

/** The orders that a leg takes, up to the first of its own account; null if they are not enough. */
function walkLeg(
  state: ModelState,
  { account }: Combo,
  { series, side }: Leg,
  { qty, walk }: { readonly qty: bigint; readonly walk: Walk },
): Piece[] | null {
  const pieces: Piece[] = [];
  let left = qty;
  for (const resting of bookSide(state, series.sid, opposite(side))) {
    if (left === 0n || resting.owner === account.index) break;
    const taken = least(left, walk.fillable(resting));
    if (taken === 0n) continue;
    walk.take(resting, taken);
    pieces.push({ price: resting.price, qty: taken });
    left -= taken;
  }
  return left === 0n ? pieces : null;
}

/** The price of the last micros, one by one. */
function worst(pieces: readonly Piece[], micros: bigint): bigint {
  let left = micros;
  return sum(
    pieces.toReversed().map(({ price, qty }) => {
      const taken = least(left, qty);
      left -= taken;
      return price * taken;
    }),
  );
}

interface Trading {
  readonly id: number;
  readonly terms: OrderTerms;
  readonly signer: ModelOrder['signer'];
  readonly units: bigint;
}

/** Leg after leg, as orders without a limit would; what traded, as sid, side, price and quantity. */
function tradeLegs(state: ModelState, { account, legs }: Combo, trading: Trading): unknown[][] {
  const { units, ...of } = trading;
  if (units === 0n) return [];
  return legs.flatMap(({ series, side, ratio }) => {
    const taker: Taker = { ...of, account, series, side, price: null, qty: units * ratio };
    const { trades } = trade(state, taker);
    return trades.map(({ resting, qty }: Meeting) => [series.sid, side, plain(resting.price), plain(qty)]);
  });
}
