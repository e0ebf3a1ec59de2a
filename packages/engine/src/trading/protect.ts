/** Makes, changes, ends and unfreezes quote sets (QTS-3). */

import {
  BATCH_REJECT,
  type ProtectAction,
  REJECT,
  type RejectReason,
  toMicros,
  type UnfreezeAction,
  ZERO,
} from '@venue/protocol';
import type { OrderHandle } from '../book/book.ts';
import type { Effects } from '../entry/effects.ts';
import type { SetResult } from '../entry/outcome.ts';
import type { EntryRisk } from '../risk/entry-risk.ts';
import { meansMicros, reserveRefusal, SetNeed } from '../risk/set-reserve.ts';
import type { Account } from '../state/account.ts';
import type { Sid } from '../state/ids.ts';
import {
  countedOf,
  isAboveLimit,
  makeWhole,
  ownerOfSet,
  type Protection,
  type QuoteSet,
} from '../state/quote-sets.ts';
import type { State } from '../state/state.ts';
import { pullQuotesWhere, pullSet } from './set-quotes.ts';
import { isQuoting, setReserve } from './set-reserves.ts';
import type { Work } from './work.ts';

/**
 * Makes a set, or changes its protection: it is unfrozen, its allowance whole, and levels above a lower limit leave. A
 * quantity of 0 ends it. One that is carried out leaves earlier pushes stale, also of a set that has ended since (QTS-1).
 */
export function protect(
  state: State,
  effects: Effects,
  account: Account,
  { action, nonce, ...means }: Means & { readonly action: ProtectAction; readonly nonce: number | null },
): SetResult {
  const result = putInForce(state, effects, account, { action, ...means });
  if (result.ok && nonce !== null) state.pushFloors.raise(account.index, action.set, nonce);
  return result;
}

/** Bounds of an action, and the risk of its account. */
interface Means {
  readonly work: Work;
  readonly risk: EntryRisk;
}

function putInForce(
  state: State,
  effects: Effects,
  account: Account,
  { action, ...means }: Means & { readonly action: ProtectAction },
): SetResult {
  const { set: number, symbol } = action;
  const known = state.quoteSets.find(account.index, number);
  if (action.qtyMicros === 0) {
    if (known !== null) end(state, effects, known);
    return { ok: true };
  }
  const protection = protectionOf(action);
  const reason = protectRefusal(state, account, { symbol, known, ...means });
  if (reason !== null) return { ok: false, reason };
  const { quoteSets, ts } = state;
  if (known === null) {
    quoteSets.open(account.index, number, { symbol, protection, ts });
    return { ok: true };
  }
  const declined = takeOn(state, effects, known, { protection, ...means });
  if (declined !== null) return { ok: false, reason: declined };
  known.symbol = symbol;
  known.lastPushTs = ts;
  return { ok: true };
}

function protectionOf({ windowMs, qtyMicros, deltaMicros, frozenMs }: ProtectAction): Protection {
  return {
    windowMs,
    qtyMicros: toMicros(qtyMicros),
    deltaMicros: deltaMicros === undefined ? null : toMicros(deltaMicros),
    frozenMs,
  };
}

function protectRefusal(
  state: State,
  account: Account,
  { symbol, known, work, risk }: Means & { readonly symbol: string; readonly known: QuoteSet | null },
): RejectReason | null {
  if (!state.instruments.has(symbol)) return REJECT.unknownSeries;
  if (account.frozen) return REJECT.accountFrozen;
  // Quotes are margined one by one, whatever else the account holds (QTS-2).
  if (account.marginMode !== 'per-leg') return BATCH_REJECT.modeBarsSets;
  // A set is worth memory to the venue only if its owner has something to quote with.
  if (known === null && !work.look(account)) return BATCH_REJECT.tooMuchWork;
  if (known === null && risk.get().equityMicros <= 0) return REJECT.equityDepleted;
  const moves = known !== null && known.symbol !== symbol;
  return moves && isQuoting(known) ? BATCH_REJECT.setHasQuotes : null;
}

/** Lets a set quote again, with a whole allowance. */
export function unfreeze(
  state: State,
  effects: Effects,
  account: Account,
  { action, ...means }: Means & { readonly action: UnfreezeAction },
): SetResult {
  const set = state.quoteSets.find(account.index, action.set);
  if (set === null) return { ok: false, reason: BATCH_REJECT.unknownSet };
  const reason = takeOn(state, effects, set, { protection: set.protection, ...means });
  return reason === null ? { ok: true } : { ok: false, reason };
}

/** Puts a protection in force with a whole allowance, unless buying power does not cover its reserve. */
function takeOn(
  state: State,
  effects: Effects,
  set: QuoteSet,
  { protection, work, risk }: Means & { readonly protection: Protection },
): RejectReason | null {
  work.look(state.accounts[set.account]!);
  if (!work.spend(state.orders.countOf(ownerOfSet(set)))) return BATCH_REJECT.tooMuchWork;
  const isAbove = (sid: Sid, qtyMicros: number) =>
    isAboveLimit(protection, qtyMicros, countedOf(set.rows.get(sid)));
  const need = new SetNeed(state).addStanding(set, (sid, { qtyMicros }) => !isAbove(sid, qtyMicros));
  const reserveMicros = need.reserveMicros(protection.qtyMicros);
  const have = () => meansMicros(state, set, risk.get());
  const reason = reserveRefusal({ reserveMicros, hasAsks: need.hasAsks }, have);
  if (reason !== null) return reason;
  // Nothing below may fail.
  const { orders, quoteSets } = state;
  pullQuotesWhere(state, set, (series, h: OrderHandle) => isAbove(series.sid, orders.remaining(h)));
  set.protection = protection;
  makeWhole(set);
  quoteSets.noteChange(set);
  setReserve(state, effects, set, reserveMicros);
  return null;
}

function end(state: State, effects: Effects, set: QuoteSet): void {
  pullSet(state, set);
  setReserve(state, effects, set, ZERO);
  state.quoteSets.close(set);
}
