/** Pushes to quote sets: every row is checked, then the reserve, then the book changes once (QTS-1, QTS-4). */

import { type Micros, type MicrosQuote, type RejectReason, SET_LEVELS_MAX } from '@venue/protocol';
import { BUY, SELL } from '../book/book.ts';
import type { QuoteSetCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf, Refused, RowError } from '../entry/outcome.ts';
import { annotate } from '../risk/annotations.ts';
import { riskOf } from '../risk/margin.ts';
import { meansMicros, reserveRefusal, SetNeed } from '../risk/set-reserve.ts';
import type { Account } from '../state/account.ts';
import {
  annotateRow,
  contractsLeftMicros,
  makeWhole,
  ownerOfSet,
  type QuoteSet,
  type SetRow,
} from '../state/quote-sets.ts';
import type { Series, Side } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import type { SignedBy } from '../trading/orders.ts';
import { changeQuoted, freezeIfUsedUp, liftQuote } from '../trading/set-quotes.ts';
import { setReserve } from '../trading/set-reserves.ts';
import { moveLadder } from './move-ladder.ts';
import { SidePlan } from './quote-ladder.ts';
import { type Draft, planRow, type RowResult, readDraft, type SetPlan } from './set-row.ts';

/** A push to one set, without its signature. */
export interface SetPush {
  readonly set: number;
  /** Null without a signature. */
  readonly nonce: number | null;
  readonly rows: readonly MicrosQuote[];
}

/** A push that would be carried out. */
export interface PlannedPush {
  readonly plan: SetPlan;
  /** The result of each row; null for one of an unknown series. */
  readonly results: readonly (RowResult | null)[];
  readonly wanted: Wanted;
}

/** Why nothing of a push is carried out, as the outcome of its entry. */
export type PushRefused = Refused | { readonly status: 'rejected'; readonly reason: RejectReason };

/** Carries out a push, or refuses it: then nothing but the session's nonce changes. */
export function pushToSet(
  state: State,
  effects: Effects,
  account: Account,
  command: QuoteSetCommand,
): OutcomeOf<'quote-set'> {
  const { authorization, rows } = command;
  if (rows === null) return { status: 'refused' };
  const nonce = authorization?.nonce ?? null;
  const planned = planPush(state, account, { set: command.set, nonce, rows }, state.ts);
  if (!('plan' in planned)) return planned;
  const { plan, results, wanted } = planned;
  const { set } = plan;
  // Nothing below may fail.
  const signer = authorization && account.lastSession;
  for (const draft of plan.drafts.values()) carryOut(plan, draft, signer);
  if (wanted.refills) makeWhole(set);
  if (nonce !== null) state.pushFloors.raise(account.index, set.number, nonce);
  set.lastPushTs = state.ts;
  state.quoteSets.noteChange(set);
  setReserve(state, effects, set, wanted.reserveMicros);
  freezeIfUsedUp(state, set);
  return outcomeOf(rows, results);
}

/** Plans a push at a time, or says why it is refused. Changes nothing. */
export function planPush(
  state: State,
  account: Account,
  { set: number, nonce, rows }: SetPush,
  ts: number,
): PlannedPush | PushRefused {
  const set = state.quoteSets.find(account.index, number);
  if (set === null) return { refusal: 'unknownSet' };
  const lastNonce = nonce === null ? null : state.pushFloors.of(account.index, set);
  if (nonce !== null && lastNonce !== null && nonce <= lastNonce) return { refusal: 'stalePush', lastNonce };
  if (isFrozen(set, ts)) return { refusal: 'setFrozen' };
  const plan = beginPlan(state, account, set, ts);
  const results = rows.map((row) => {
    const series = state.series[row.sid];
    return series === undefined ? null : planRow(plan, series, row);
  });
  const wanted = wantedOf(plan);
  const reason = wanted.places ? reserveRefusal(wanted, () => meansMicros(state, set, plan.risk)) : null;
  return reason === null ? { plan, results, wanted } : { status: 'rejected', reason };
}

function isFrozen({ freeze }: QuoteSet, ts: number): boolean {
  return freeze !== null && (freeze.until === null || ts < freeze.until);
}

function beginPlan(state: State, account: Account, set: QuoteSet, ts: number): SetPlan {
  const row = { bids: new SidePlan('buy'), asks: new SidePlan('sell') };
  const risk = riskOf(state, account);
  return { state, ts, account, risk, set, drafts: new Map(), ...levelsOf(state, account), row };
}

/** How many levels the account has in all its sets, and how many it may have (QTS-2). */
function levelsOf(state: State, account: Account): Pick<SetPlan, 'levelCount' | 'levelsMax'> {
  const levelCount = levelCountOf(state, account);
  const { setLevelsMax, markMakers } = parametersOf(state);
  if (account.address !== null && markMakers.includes(account.address))
    return { levelCount, levelsMax: SET_LEVELS_MAX };
  let taken = state.orders.countOfOthers;
  for (const address of markMakers) {
    const maker = state.accountByAddress.get(address);
    if (maker !== undefined) taken -= levelCountOf(state, maker);
  }
  return { levelCount, levelsMax: Math.min(SET_LEVELS_MAX, levelCount + setLevelsMax - taken) };
}

function levelCountOf({ quoteSets, orders }: State, { index }: Account): number {
  let count = 0;
  for (const set of quoteSets.of(index)) count += orders.countOf(ownerOfSet(set));
  return count;
}

function outcomeOf(rows: readonly MicrosQuote[], results: PlannedPush['results']) {
  const rowErrors: RowError[] = [];
  const unknownSids: number[] = [];
  let applied = 0;
  let kept = 0;
  results.forEach((result, i) => {
    if (result === null) {
      unknownSids.push(rows[i]!.sid);
      return;
    }
    const { changes, error } = result;
    if (error !== null) rowErrors.push({ i, error });
    if (changes) applied += 1;
    else if (error === null) kept += 1;
  });
  return { applied, kept, rowErrors, unknownSids };
}

/** The reserve that the push would leave, and whether it makes the allowance whole. */
export interface Wanted {
  /** True if the push places a level that does not stand. */
  readonly places: boolean;
  readonly refills: boolean;
  readonly reserveMicros: Micros;
  readonly hasAsks: boolean;
}

/**
 * A push that places nothing is never declined, so that an account may always pull; it does not make the allowance
 * whole if buying power does not cover that.
 */
function wantedOf(plan: SetPlan): Wanted {
  const { state, set } = plan;
  const need = needOf(plan);
  const { hasAsks } = need;
  const places = placesAny(plan);
  const isDue = set.firstFillTs !== null && plan.ts >= set.firstFillTs + set.protection.windowMs;
  const whole = {
    places,
    refills: isDue,
    reserveMicros: need.reserveMicros(set.protection.qtyMicros),
    hasAsks,
  };
  if (isDue && (places || reserveRefusal(whole, () => meansMicros(state, set, plan.risk)) === null))
    return whole;
  return { ...whole, refills: false, reserveMicros: need.reserveMicros(contractsLeftMicros(set)) };
}

function needOf({ state, set, drafts }: SetPlan): SetNeed {
  const need = new SetNeed(state).addRows(set, (sid) => !drafts.has(sid));
  for (const { series, bids, asks } of drafts.values()) {
    addLevels(need, series, 'buy', bids);
    addLevels(need, series, 'sell', asks);
  }
  return need;
}

function addLevels(need: SetNeed, series: Series, side: Side, levels: Draft['bids']): void {
  for (const [price, qty] of levels)
    need.add(series, { side, priceMicros: price as Micros, qtyMicros: qty as Micros });
}

function placesAny(plan: SetPlan): boolean {
  const { bids, asks } = plan.row;
  for (const draft of plan.drafts.values()) {
    readDraft(plan, draft);
    if (bids.placedCount > 0 || asks.placedCount > 0) return true;
  }
  return false;
}

function carryOut(plan: SetPlan, draft: Draft, signer: SignedBy): void {
  const { state, set } = plan;
  const { bids, asks } = plan.row;
  const { series } = draft;
  annotate(state, plan.account, series, draft.annotation);
  readDraft(plan, draft);
  // An annotation without a level is dropped (QTS-2).
  if (!bids.changes && !asks.changes && !set.rows.has(series.sid)) return;
  const row = state.quoteSets.rowOf(set, series.sid);
  annotateRow(set, row, draft);
  if (!bids.changes && !asks.changes) return;
  // A new level may cross one of the set's own that is about to leave.
  if (mayMeet(series, bids, asks)) for (const side of [bids, asks]) pullPlanned(state, side);
  moveSide(plan, { series, row, signer }, bids);
  moveSide(plan, { series, row, signer }, asks);
  state.quoteSets.dropIfEmpty(set, row);
}

function mayMeet({ book }: Series, bids: SidePlan, asks: SidePlan): boolean {
  const [bid, ask] = [bids.bestPrice, asks.bestPrice];
  return (bid !== null && book.crosses(BUY, bid)) || (ask !== null && book.crosses(SELL, ask));
}

function pullPlanned(state: State, plan: SidePlan): void {
  for (let k = 0; k < plan.pulledCount; k++) liftQuote(state, plan.pulled[k]!);
  plan.pulledCount = 0;
}

interface SetSide {
  readonly series: Series;
  readonly row: SetRow;
  readonly signer: SignedBy;
}

function moveSide({ state, set }: SetPlan, { series, row, signer }: SetSide, plan: SidePlan): void {
  const [ids, standing] = plan.side === 'buy' ? [row.bids, row.bidMicros] : [row.asks, row.askMicros];
  moveLadder(state, { series, owner: ownerOfSet(set), ids, signer }, plan);
  changeQuoted(row, series, plan.side, plan.wantedMicros - standing);
}
