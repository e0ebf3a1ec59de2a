/** Quote sets in the model: protection, and what each of its turns does to the quotes (QTS-1 to QTS-5, DET-5). */

import {
  BATCH_REJECT,
  type ProtectAction,
  REJECT,
  type RejectReason,
  type UnfreezeAction,
} from '@venue/protocol';
import { MILLION } from '../numbers.ts';
import type { ModelAccount, ModelFloor, ModelOrder, ModelSet } from '../records.ts';
import { pullOrders } from '../resting.ts';
import { equity } from '../risk.ts';
import { instrumentOf, type ModelState } from '../state.ts';
import { deltaOf, isUsedUp, quotesOf } from '../walk.ts';
import { isSpent, look, spend } from '../work.ts';
import { keepReserve, uncovered } from './set-reserves.ts';

export type ModelSetResult = { readonly ok: true } | { readonly ok: false; readonly reason: RejectReason };

/** So many quotes leave in one tick, with the rest of the last set. */
const EXPIRING_MAX = 20_000;

/** An allowance of which nothing is used. */
export const WHOLE = { used: 0n, usedDelta: 0n, firstFillTs: null, frozenUntil: null } as const;

export function setOf({ index }: ModelAccount, state: ModelState, number: number): ModelSet | undefined {
  return state.sets.find((set) => set.owner === index && set.number === number);
}

/** The floor that a signed act or a guard leaves for pushes, of a set or of all sets of an underlying (QTS-1). */
export function raiseFloor(
  state: ModelState,
  { index: owner }: ModelAccount,
  of: number | string,
  nonce: number | undefined,
  act: ModelFloor['act'] = 'signed',
): void {
  if (nonce !== undefined) state.floors.push({ owner, of, nonce, act });
}

/** The nonce that a push must exceed; 0 without any. */
export function floorOf(
  { floors }: ModelState,
  { owner, number, symbol }: ModelSet,
  acts: readonly ModelFloor['act'][] = ['signed', 'guard'],
): number {
  const own = floors.filter(
    ({ owner: whose, of, act }) => whose === owner && [number, symbol].includes(of) && acts.includes(act),
  );
  return Math.max(0, ...own.map(({ nonce }) => nonce));
}

export function protect(
  state: ModelState,
  account: ModelAccount,
  action: ProtectAction,
  nonce: number | undefined,
): ModelSetResult {
  const result = putInForce(state, account, action);
  if (result.ok) raiseFloor(state, account, action.set, nonce);
  return result;
}

function putInForce(state: ModelState, account: ModelAccount, action: ProtectAction): ModelSetResult {
  const known = setOf(account, state, action.set);
  if (action.qtyMicros === 0) return end(state, known);
  if (instrumentOf(state, action.symbol) === undefined) return declined(REJECT.unknownSeries);
  if (account.frozen) return declined(REJECT.accountFrozen);
  if (account.marginMode !== 'per-leg') return declined(BATCH_REJECT.modeBarsSets);
  if (known === undefined) look(state, account);
  if (known === undefined && isSpent(state)) return declined(BATCH_REJECT.tooMuchWork);
  if (known === undefined && equity(state, account) <= 0n) {
    state.notes.push('protect depleted');
    return declined(REJECT.equityDepleted);
  }
  const set = known ?? emptySet(account, action);
  const quotes = quotesOf(state, set);
  if (set.symbol !== action.symbol && quotes.length > 0) return declined(BATCH_REJECT.setHasQuotes);
  if (known !== undefined && !looksAtAll(state, account, known)) return declined(BATCH_REJECT.tooMuchWork);
  const changed: ModelSet = { ...set, ...WHOLE, symbol: action.symbol, protection: protectionOf(action) };
  const kept = quotes.filter(({ sid, remaining }) => !isAboveLimit(changed, sid, remaining));
  const { reserve, refusal } = uncovered(state, changed, kept);
  if (refusal !== undefined) return declined(refusal);
  if (kept.length < quotes.length) state.notes.push('level lowered by protect');
  noteRefill(state, set, 'by protect');
  pullOrders(state, 'user', (order) => quotes.includes(order) && !kept.includes(order));
  if (known === undefined) state.sets.push(set);
  Object.assign(set, changed, { touchedTs: state.ts });
  keepReserve(state, set, reserve);
  return { ok: true };
}

/** False if there is no more work for the quotes of the set (BAT-7). */
function looksAtAll(state: ModelState, account: ModelAccount, set: ModelSet): boolean {
  look(state, account);
  return spend(state, quotesOf(state, set).length);
}

function end(state: ModelState, set: ModelSet | undefined): ModelSetResult {
  if (set === undefined) return { ok: true };
  if (pullOrders(state, 'user', (order) => order.set === set) > 0) state.notes.push('set ended with quotes');
  state.sets = state.sets.filter((other) => other !== set);
  state.stale.delete(set);
  state.filled.delete(set);
  return { ok: true };
}

function declined(reason: RejectReason): ModelSetResult {
  return { ok: false, reason };
}

function emptySet({ index }: ModelAccount, action: ProtectAction): ModelSet {
  const protection = protectionOf(action);
  return {
    ...{ owner: index, number: action.set, symbol: action.symbol, protection },
    ...{ ...WHOLE, shown: { protection, used: 0n, usedDelta: 0n, counted: 0n } },
    ...{ rows: new Map(), touchedTs: 0, reserve: 0n },
  };
}

function protectionOf({ windowMs, qtyMicros, deltaMicros, frozenMs }: ProtectAction): ModelSet['protection'] {
  const delta = deltaMicros === undefined ? null : BigInt(deltaMicros);
  return { windowMs, qty: BigInt(qtyMicros), delta, frozenMs };
}

export function unfreeze(state: ModelState, account: ModelAccount, action: UnfreezeAction): ModelSetResult {
  const set = setOf(account, state, action.set);
  if (set === undefined) return declined(BATCH_REJECT.unknownSet);
  if (!looksAtAll(state, account, set)) return declined(BATCH_REJECT.tooMuchWork);
  const { reserve, refusal } = uncovered(state, { ...set, ...WHOLE }, quotesOf(state, set));
  if (refusal !== undefined) return declined(refusal);
  noteRefill(state, set, 'by unfreeze');
  Object.assign(set, WHOLE);
  keepReserve(state, set, reserve);
  return { ok: true };
}

export function noteRefill(state: ModelState, { used, frozenUntil }: ModelSet, how: string): void {
  if (used > 0n) state.notes.push(`allowance whole ${how}`);
  if (frozenUntil !== null) state.notes.push(`set no longer frozen, ${how}`);
}

/** True for a level that the protection would never let trade whole. */
export function isAboveLimit(set: ModelSet, sid: number, qty: bigint): boolean {
  const { protection } = set;
  if (qty > protection.qty) return true;
  return protection.delta !== null && qty * deltaOf(set, sid) > protection.delta * MILLION;
}

/** Counts a fill of a quote, whose remaining quantity is already without it. */
export function countFill(state: ModelState, { set, sid }: ModelOrder, qty: bigint): void {
  if (set === null) return;
  set.used += qty;
  set.usedDelta += qty * deltaOf(set, sid);
  set.firstFillTs ??= state.ts;
  state.filled.add(set);
  state.stale.add(set);
  freezeIfUsedUp(state, set);
}

/** All quotes leave in the entry that uses the allowance up; before the window's end a push would not refill it. */
export function freezeIfUsedUp(state: ModelState, set: ModelSet): void {
  const { used: qty, usedDelta: delta, firstFillTs, protection } = set;
  if (firstFillTs === null || !isUsedUp(set, quotesOf(state, set), { qty, delta })) return;
  state.notes.push(qty === protection.qty ? 'set frozen by contracts' : 'set frozen by delta');
  const { frozenMs, windowMs } = protection;
  set.frozenUntil = frozenMs === 0 ? 'unfreeze' : Math.max(state.ts + frozenMs, firstFillTs + windowMs);
  if (pullOrders(state, 'user', (order) => order.set === set) > 0) state.notes.push('set frozen with quotes');
}

/** A series that a set has no quote in any more loses its annotations (QTS-2). */
export function forgetRows(state: ModelState): void {
  for (const set of state.sets) {
    const quoted = quotesOf(state, set).map(({ sid }) => sid);
    for (const sid of set.rows.keys()) {
      if (quoted.includes(sid)) continue;
      set.rows.delete(sid);
      state.notes.push('annotation without a level dropped');
    }
  }
}

/** Without a push that was carried out, quotes grow stale like the maker's, the oldest first (QTS-5). */
export function pullStaleSets(state: ModelState, quoteTtlMs: number): void {
  const stale = state.sets.filter(({ touchedTs }) => state.ts - touchedTs >= quoteTtlMs);
  let left = EXPIRING_MAX;
  for (const set of stale.sort(
    (a, b) => a.touchedTs - b.touchedTs || a.owner - b.owner || a.number - b.number,
  )) {
    if (left <= 0) return;
    const pulled = pullOrders(state, 'user', (order) => order.set === set);
    left -= pulled;
    if (pulled > 0) state.notes.push('stale set pulled');
  }
}
