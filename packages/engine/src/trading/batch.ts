/** Carries out the actions of a batch in order, each on the state that the one before left (BAT-2). */

import {
  type AmendAction,
  BATCH_REJECT,
  type BatchAction,
  type CancelAction,
  type CancelAllAction,
  type ComboAction,
  type GuardAction,
  type MarginModeAction,
  type OrderFlag,
  type OrderRef,
  type PlaceAction,
  type ProtectAction,
  type UnfreezeAction,
} from '@venue/protocol';
import { setMarginMode } from '../accounts/margin-mode.ts';
import type { OrderHandle } from '../book/book.ts';
import type { BatchCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { ActionResult, BatchDone, ComboResult, PlaceResult, SetResult } from '../entry/outcome.ts';
import { EntryRisk } from '../risk/entry-risk.ts';
import type { Account } from '../state/account.ts';
import { VISITS_PER_SWITCHED } from '../state/limits.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { amendOrder } from './amend.ts';
import { comboTerms, placeCombo } from './combos/place.ts';
import { type Declined, type Placed, placeOrder, type SignedBy } from './orders.ts';
import { OwnOrders } from './own-orders.ts';
import { protect, unfreeze } from './protect.ts';
import { makePushesStale, pullOfMany } from './pulls.ts';
import { pullResting } from './resting.ts';
import { retakeStale } from './set-reserves.ts';
import { Work } from './work.ts';

/** Where the actions of one batch take effect. */
interface Scene {
  readonly state: State;
  readonly effects: Effects;
  readonly account: Account;
  readonly signer: SignedBy;
  readonly work: Work;
  readonly own: OwnOrders;
  readonly risk: EntryRisk;
  /** Null without a signature. */
  readonly nonce: number | null;
}

/** A declined action changes nothing and stops no other (BAT-3). */
export function carryOutBatch(
  state: State,
  effects: Effects,
  account: Account,
  { actions, authorization }: BatchCommand,
): BatchDone {
  const signer = authorization && account.lastSession;
  const nonce = authorization?.nonce ?? null;
  const own = new OwnOrders(state, account);
  const risk = new EntryRisk(state, account);
  const scene = { state, effects, account, signer, nonce, work: new Work(), own, risk };
  return { account, results: actions.map((action) => carryOut(scene, action)) };
}

function carryOut(scene: Scene, action: BatchAction): ActionResult {
  if (!NEEDS_NO_MEANS.has(action.type)) retakeStale(scene.state, scene.effects, scene.account, scene.work);
  switch (action.type) {
    case 'place':
      return { type: 'place', ...place(scene, action) };
    case 'combo':
      return { type: 'combo', ...combo(scene, action) };
    case 'amend':
      return { type: 'amend', ...amend(scene, action) };
    case 'cancel':
      return cancel(scene, action);
    case 'cancel-all':
      return cancelWhere(scene, action);
    case 'guard':
      return setGuard(scene, action);
    case 'protect':
      return { type: 'protect', ...setProtection(scene, action) };
    case 'unfreeze':
      return { type: 'unfreeze', ...unfreezeSet(scene, action) };
    case 'margin-mode':
      return { type: 'margin-mode', ...setMode(scene, action) };
  }
}

/** Actions that do not ask what the account has. */
const NEEDS_NO_MEANS: ReadonlySet<BatchAction['type']> = new Set(['cancel', 'cancel-all', 'guard'] as const);

function place(
  scene: Scene,
  { type: _, seriesId, side, qtyMicros, priceMicros, ...terms }: PlaceAction,
): PlaceResult {
  const { state, effects, account, signer, work, risk } = scene;
  const { clientId, flag } = terms;
  const early = duplicateOf(scene, clientId) ?? spentOf(scene, clientId);
  if (early !== null) return early;
  const request = { seriesId, side, qtyMicros, priceMicros, terms, signer, work, risk };
  return resultOf(placeOrder(state, effects, account, request), clientId, flag);
}

/** A known client id comes before every other check, so that a retry never places a second order (CID-1). */
function duplicateOf({ state, account }: Scene, clientId: string | undefined) {
  const known = clientId === undefined ? null : state.clientIds.find(account.index, clientId, state.ts);
  if (known === null) return null;
  return { status: 'duplicate', orderId: known.orderId, clientId: known.clientId } as const;
}

/** Once an entry has looked at as much as it may, nothing more is placed or amended (BAT-7). */
function spentOf({ work }: Scene, clientId: string | undefined) {
  return work.isSpent ? ({ status: 'rejected', clientId, reason: BATCH_REJECT.tooMuchWork } as const) : null;
}

function combo(scene: Scene, { clientId, tif, ...asked }: ComboAction): ComboResult {
  const { state, effects, account, signer, work, risk } = scene;
  const early = duplicateOf(scene, clientId) ?? spentOf(scene, clientId);
  if (early !== null) return early;
  const terms = comboTerms(tif, clientId);
  const placed = placeCombo(state, effects, account, { ...asked, terms, signer, work, risk });
  if (placed.status === 'rejected') return { ...placed, clientId };
  const { status, orderId, trades } = placed;
  return { status, orderId, clientId, trades };
}

function amend(scene: Scene, action: AmendAction): PlaceResult {
  const { state, effects, account, signer, work, risk } = scene;
  const { ref } = action;
  const h = restingOf(state, account, ref);
  if (h === null) {
    const named = 'clientId' in ref ? ref.clientId : undefined;
    return { status: 'rejected', clientId: named, reason: BATCH_REJECT.unknownOrder };
  }
  const { clientId } = state.terms.of(state.orders.id(h));
  const spent = spentOf(scene, clientId);
  if (spent !== null) return spent;
  return resultOf(amendOrder(state, effects, h, { ...action, signer, work, risk }), clientId);
}

/** A reduce-only order tells the quantity it was cut to (TIF-3). */
function resultOf(placed: Placed | Declined, clientId: string | undefined, flag?: OrderFlag): PlaceResult {
  if (placed.status === 'rejected') return { status: 'rejected', clientId, reason: placed.reason };
  const { status, orderId, trades, restedMicros, qtyMicros, isPrevented } = placed;
  const cutMicros = flag === 'reduce-only' ? qtyMicros : undefined;
  const reason = isPrevented ? BATCH_REJECT.selfTradePrevented : undefined;
  return { status, orderId, clientId, trades, restedMicros, qtyMicros: cutMicros, reason };
}

/** An order that is gone or belongs to another account is not an error (DET-2). */
function cancel({ state, effects, account }: Scene, { ref }: CancelAction): ActionResult {
  const h = restingOf(state, account, ref);
  if (h === null) return { type: 'cancel', ok: false, orderId: 'orderId' in ref ? ref.orderId : 0 };
  const orderId = state.orders.id(h);
  pullResting(state, effects, h, 'user');
  return { type: 'cancel', ok: true, orderId };
}

function cancelWhere(scene: Scene, { scope, side }: CancelAllAction): ActionResult {
  const { state, effects, account, nonce, own } = scene;
  makePushesStale(state, account, { nonce, symbols: symbolsOf(state, scope) });
  const includes = seriesTest(scope);
  const pulled = pullOfMany(state, effects, { account, cause: 'user', includes, side, own });
  return { type: 'cancel-all', ok: pulled > 0, pulled };
}

function seriesTest(scope: CancelAllAction['scope']): (series: Series) => boolean {
  if (scope === 'all') return () => true;
  const names = new Set('symbols' in scope ? scope.symbols : scope.series);
  if ('symbols' in scope) return ({ instrument }) => names.has(instrument.symbol);
  return ({ seriesId }) => names.has(seriesId);
}

/** The underlyings that lie in a scope, if only with some of their series. */
function symbolsOf({ seriesById }: State, scope: CancelAllAction['scope']): readonly string[] | null {
  if (scope === 'all') return null;
  if ('symbols' in scope) return scope.symbols;
  return scope.series.flatMap((id) => seriesById.get(id)?.instrument.symbol ?? []);
}

function setProtection({ state, effects, account, ...scene }: Scene, action: ProtectAction): SetResult {
  const { nonce, work, risk } = scene;
  return protect(state, effects, account, { action, nonce, work, risk });
}

function unfreezeSet({ state, effects, account, work, risk }: Scene, action: UnfreezeAction): SetResult {
  return unfreeze(state, effects, account, { action, work, risk });
}

/** A guard replaces the one before; none removes it (GRD-1). */
function setGuard({ state, account }: Scene, { ms }: GuardAction): ActionResult {
  state.deadlines.setGuard(account.index, ms === 0 ? null : state.ts + ms);
  return { type: 'guard', ok: true };
}

function setMode({ state, effects, account, work }: Scene, action: MarginModeAction): SetResult {
  // Both modes are worked out over all positions.
  if (action.mode !== account.marginMode && !work.spend(account.positions.size * VISITS_PER_SWITCHED))
    return { ok: false, reason: BATCH_REJECT.tooMuchWork };
  const result = setMarginMode(state, account, action);
  if (result.ok) effects.accountChanged(account);
  return result;
}

/** The account's resting order, or null. */
function restingOf(state: State, account: Account, ref: OrderRef): OrderHandle | null {
  const orderId =
    'orderId' in ref ? ref.orderId : state.clientIds.find(account.index, ref.clientId, state.ts)?.orderId;
  const h = orderId === undefined ? null : state.orders.find(orderId);
  return h !== null && state.orders.owner(h) === account.index ? h : null;
}
