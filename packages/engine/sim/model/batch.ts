/** Batches in the model: actions in order, each on the state that the one before left (BAT-2, BAT-3). */

import {
  type AmendAction,
  BATCH_REJECT,
  type BatchAction,
  type CancelAction,
  type CancelAllAction,
  type GuardAction,
  type MarginModeAction,
  type OrderRef,
  type PlaceAction,
} from '@venue/protocol';
import type { BatchCommand } from '../../src/entry/command.ts';
import type { PlainOutcome } from '../description.ts';
import { placeCombo } from './combos.ts';
import { plain, plainTrades } from './describe.ts';
import { amend, duplicateOf, type ModelAccepted, type ModelRejected, placeOnce, spentOf } from './orders.ts';
import { retake } from './quoting/set-reserves.ts';
import { protect, raiseFloor, unfreeze } from './quoting/sets.ts';
import type { ModelAccount, ModelOrder } from './records.ts';
import { knownClientIds, pullOrders } from './resting.ts';
import { buyingPower, inMarginCall } from './risk.ts';
import type { ModelState } from './state.ts';
import { endWork, isSpent, look, rowsOf, spend, startWork } from './work.ts';

/** Visits of a position for a change of mode. */
const PER_SWITCHED = 10;

export function carryOut(
  state: ModelState,
  account: ModelAccount,
  { actions, authorization }: BatchCommand,
): PlainOutcome[] {
  startWork(state);
  const results = actions.map((action) => ({
    type: action.type,
    ...act(state, account, action, authorization),
  }));
  endWork(state);
  return results;
}

function act(
  state: ModelState,
  account: ModelAccount,
  action: BatchAction,
  authorization: BatchCommand['authorization'],
): PlainOutcome {
  const signer = authorization?.sessionKey ?? null;
  if (!['cancel', 'cancel-all', 'guard'].includes(action.type)) retakeStale(state, account);
  switch (action.type) {
    case 'place':
      return placed(state, account, action, signer);
    case 'combo': {
      const { clientId } = action;
      const early = duplicateOf(state, account, clientId) ?? spentOf(state);
      return early === undefined ? placeCombo(state, account, action, signer) : { ...early, clientId };
    }
    case 'amend':
      return amended(state, account, action, signer);
    case 'cancel':
      return cancel(state, account, action);
    case 'cancel-all':
      return cancelAll(state, account, action, authorization?.nonce);
    case 'guard':
      return guard(state, account, action);
    case 'protect':
      return { ...protect(state, account, action, authorization?.nonce) };
    case 'unfreeze':
      return { ...unfreeze(state, account, action) };
    case 'margin-mode':
      return switchMode(state, account, action);
  }
}

/** Frees what quotes that have left reserved, before an action that needs means. */
function retakeStale(state: ModelState, account: ModelAccount): void {
  const own = [...state.stale].filter(({ owner }) => owner === account.index);
  for (const set of own.sort((a, b) => a.number - b.number)) {
    if (isSpent(state)) continue;
    look(state, account);
    spend(state, rowsOf(state, set));
    retake(state, [set]);
  }
}

function placed(
  state: ModelState,
  account: ModelAccount,
  action: PlaceAction,
  signer: ModelOrder['signer'],
): PlainOutcome {
  const { clientId } = action;
  const outcome = placeOnce(state, account, action, signer);
  return outcome.status === 'duplicate' ? { ...outcome, clientId } : plainResult(outcome, clientId);
}

function amended(
  state: ModelState,
  account: ModelAccount,
  action: AmendAction,
  signer: ModelOrder['signer'],
): PlainOutcome {
  const order = find(state, account, action.ref);
  if (order !== undefined) {
    const amended = spentOf(state) ?? amend(state, order, { ...action, signer });
    return plainResult(amended, order.terms.clientId);
  }
  return plainResult(
    { status: 'rejected', reason: BATCH_REJECT.unknownOrder },
    'clientId' in action.ref ? action.ref.clientId : undefined,
  );
}

function plainResult(outcome: ModelAccepted | ModelRejected, clientId: string | undefined): PlainOutcome {
  if (outcome.status === 'rejected') return { ...outcome, clientId };
  const { qty, trades, rested, ...rest } = outcome;
  return {
    ...{ ...rest, clientId, trades: plainTrades(trades), rested: plain(rested) },
    ...(qty !== undefined && { qty: plain(qty) }),
  };
}

/** The account's own open order; another account's looks like one that does not exist. */
function find(state: ModelState, account: ModelAccount, ref: OrderRef): ModelOrder | undefined {
  const isMeant = ({ id, terms }: ModelOrder) =>
    'orderId' in ref ? id === ref.orderId : terms.clientId === ref.clientId;
  const meant = state.orders.filter((order) => order.set === null && isMeant(order));
  const found = meant.find(({ owner }) => owner === account.index);
  if (state.orderEvents.some(({ what, id }) => what === 'opened' && id === found?.id))
    state.notes.push('reference to an order of the same batch');
  if (found !== undefined) return found;
  if (meant.length > 0) state.notes.push('reference to an order of another account');
  else if ('orderId' in ref && ref.orderId <= state.lastOrderId)
    state.notes.push('reference to a closed order');
  else if (
    knownClientIds(state, account.index).some(
      ({ clientId }) => 'clientId' in ref && clientId === ref.clientId,
    )
  )
    state.notes.push('reference to a closed order by its client id');
  return undefined;
}

function cancel(state: ModelState, account: ModelAccount, { ref }: CancelAction): PlainOutcome {
  const found = find(state, account, ref);
  if (found === undefined) return { ok: false, orderId: 'orderId' in ref ? ref.orderId : 0 };
  pullOrders(state, 'user', (order) => order === found);
  return { ok: true, orderId: found.id };
}

function cancelAll(
  state: ModelState,
  account: ModelAccount,
  { scope, side }: CancelAllAction,
  nonce: number | undefined,
): PlainOutcome {
  for (const { symbol } of state.instruments) {
    const isMeant =
      scope === 'all' ||
      ('symbols' in scope
        ? scope.symbols.includes(symbol)
        : state.series.some((one) => one.symbol === symbol && scope.series.includes(one.seriesId)));
    if (isMeant) raiseFloor(state, account, symbol, nonce);
  }
  const pulled = pullOrders(state, 'user', (order) => {
    const { seriesId, symbol } = state.series[order.sid]!;
    const isInScope =
      scope === 'all' ||
      ('symbols' in scope ? scope.symbols.includes(symbol) : scope.series.includes(seriesId));
    return order.owner === account.index && isInScope && (side === undefined || order.side === side);
  });
  return { ok: pulled > 0, pulled };
}

/** Neither with sets nor in a call, nor into one; back only with buying power (DRM-1, DET-7). */
function switchMode(state: ModelState, account: ModelAccount, { mode }: MarginModeAction): PlainOutcome {
  const before = account.marginMode;
  if (mode === before) return { ok: true };
  if (!spend(state, account.positions.size * PER_SWITCHED))
    return { ok: false, reason: BATCH_REJECT.tooMuchWork };
  if (state.sets.some(({ owner }) => owner === account.index))
    return { ok: false, reason: BATCH_REJECT.modeBarsSets };
  const wasCalled = inMarginCall(state, account);
  account.marginMode = mode;
  const isBare = mode === 'per-leg' && buyingPower(state, account) < 0n;
  if (!wasCalled && !isBare && !inMarginCall(state, account)) return { ok: true };
  account.marginMode = before;
  return { ok: false, reason: BATCH_REJECT.modeNeedsBuyingPower };
}

/** Each guard replaces the one before (GRD-1). */
function guard(state: ModelState, account: ModelAccount, { ms }: GuardAction): PlainOutcome {
  if (ms > 0 && account.guardAt !== null) state.notes.push('guard renewed');
  account.guardAt = ms === 0 ? null : state.ts + ms;
  return { ok: true };
}
