/** The checks of a combo, in the order of ORD-1 and BAT-4, and of the account that it would leave (CMB-2). */

import {
  BATCH_REJECT,
  clampMicros,
  insufficientBuyingPower,
  insufficientMargin,
  MICROS_MAX,
  REJECT,
  type RejectReason,
  toMicros,
} from '@venue/protocol';
import type { OpenedLeg } from '../../entry/effects.ts';
import type { Account } from '../../state/account.ts';
import type { Position } from '../../state/positions.ts';
import type { State } from '../../state/state.ts';
import { checkSeries, largestTotalMicros, openingQtyMicros } from '../order-checks.ts';
import { bookSide } from '../resting.ts';
import { type Carried, comboVisits, groupVisits } from '../work.ts';
import type { ComboPlan, ComboRequest, SoundCombo } from './combo.ts';
import { planCombo } from './plan.ts';
import { type Outlook, rehearse } from './rehearsal.ts';

/** A combo that may be carried out, with a null plan if none of it trades, or the first reason why not. */
export type CheckedCombo =
  | { readonly combo: SoundCombo; readonly plan: ComboPlan | null }
  | { readonly reason: RejectReason };

/** The account is looked at without the combo and with it. */
const LOOKS = 2;

export function checkCombo(state: State, account: Account, request: ComboRequest): CheckedCombo {
  const sound = soundCombo(state, account, request);
  if (typeof sound === 'string') return { reason: sound };
  if (account.frozen) return { reason: REJECT.accountFrozen };
  const { work } = sound;
  work.look(account);
  const { isCalled, equityMicros } = sound.risk.get();
  const isDepleted = !isCalled && equityMicros <= 0;
  const unreduced = isCalled || isDepleted ? checkReducer(state, sound) : null;
  if (unreduced !== null) return { reason: isCalled ? unreduced : REJECT.equityDepleted };
  if (!sound.legs.every(hasOpposite)) return { reason: REJECT.noLiquidity };
  const series = sound.legs.map((leg) => leg.series);
  work.spend(groupVisits(state, account, series) * LOOKS);
  const plan = planCombo(state, sound);
  if (work.isSpent) return { reason: BATCH_REJECT.tooMuchWork };
  const unfilled = checkFill(sound, plan);
  if (unfilled !== null && !isCalled) return { reason: unfilled };
  if (plan !== null && !work.spend(comboVisits(carriedBy(plan)))) return { reason: BATCH_REJECT.tooMuchWork };
  if (plan !== null && !work.meet(state, plan.sets)) return { reason: BATCH_REJECT.tooMuchWork };
  // As of an order: in a margin call whether it can fill comes last (DET-3).
  const reason = isCalled
    ? (checkReduced(state, sound, plan) ?? unfilled)
    : checkAccount(state, sound, { plan, isDepleted });
  return reason === null ? { combo: sound, plan } : { reason };
}

function carriedBy({ legs, leaving }: ComboPlan): Carried {
  return { fills: legs.reduce((sum, { takes }) => sum + takes.length, 0), leaving };
}

/** The request with its series, or the first reason against what it names. A reason that ranks higher is said of any leg. */
function soundCombo(state: State, account: Account, request: ComboRequest): SoundCombo | RejectReason {
  const { legs, qtyMicros, netMicros, terms, work, risk } = request;
  const listed = legs.map(({ seriesId }) => state.seriesById.get(seriesId));
  const closed = listed.map((series) => checkSeries(state, series));
  for (const reason of [REJECT.unknownSeries, REJECT.seriesSettled, REJECT.seriesExpired])
    if (closed.includes(reason)) return reason;
  if (!(Number.isSafeInteger(qtyMicros) && qtyMicros > 0)) return REJECT.badQty;
  const combo: SoundCombo = {
    account,
    legs: legs.map(({ side, ratio }, i) => ({ series: listed[i]!, side, ratio })),
    qtyMicros: toMicros(qtyMicros),
    netMicros: netMicros === null ? null : toMicros(netMicros),
    terms,
    work,
    risk,
  };
  return combo.legs.every((leg) => isInRange(state, combo, leg)) ? combo : REJECT.badQty;
}

/** Keeps positions and open interest in the exact range, as an order does (OWN-6). */
function isInRange(state: State, { account, qtyMicros }: SoundCombo, leg: OpenedLeg): boolean {
  const { series, side, ratio } = leg;
  const position = positionIn(state, account, leg);
  return largestTotalMicros(state, { account, position, series, side }) + qtyMicros * ratio <= MICROS_MAX;
}

function positionIn(state: State, account: Account, { series }: OpenedLeg): Position {
  return account.positions.get(series.sid) ?? state.positions.flat;
}

function hasOpposite({ series, side }: OpenedLeg): boolean {
  return series.book.best(bookSide(side === 'buy' ? 'sell' : 'buy')) !== null;
}

/**
 * In a margin call each leg reduces a position, by no more than it together with the orders that rest to reduce it
 * (CMB-2, DET-6).
 */
function checkReducer(state: State, { account, legs, qtyMicros }: SoundCombo): RejectReason | null {
  const reduces = (leg: OpenedLeg) => {
    const { qtyMicros: held, restingBuyMicros, restingSellMicros } = positionIn(state, account, leg);
    const [opposed, resting] = leg.side === 'buy' ? [-held, restingBuyMicros] : [held, restingSellMicros];
    return qtyMicros * leg.ratio + resting <= opposed;
  };
  return legs.every(reduces) ? null : REJECT.reduceOnly;
}

/** All or nothing for a fok (TIF-1). */
function checkFill({ qtyMicros, terms }: SoundCombo, plan: ComboPlan | null): RejectReason | null {
  return terms.tif === 'fok' && plan?.qtyMicros !== qtyMicros ? BATCH_REJECT.fokCannotFill : null;
}

/** In a margin call the maintenance margin must fall, and cash may not run out. */
function checkReduced(state: State, combo: SoundCombo, plan: ComboPlan | null): RejectReason | null {
  if (plan === null) return null;
  const { account } = combo;
  const { before, after } = rehearse(state, combo, plan);
  if (after.maintenanceMarginMicros >= before.maintenanceMarginMicros) return REJECT.reduceOnly;
  return isCashKept(account, before, after) ? null : REJECT.insufficientCash;
}

/** Margin must be on for a short that opens or grows; buying power must cover the rest, and no call may begin. */
function checkAccount(
  state: State,
  combo: SoundCombo,
  { plan, isDepleted }: { readonly plan: ComboPlan | null; readonly isDepleted: boolean },
): RejectReason | null {
  if (plan === null) return null;
  const { account, legs } = combo;
  const opens = legs.some(
    (leg) =>
      leg.side === 'sell' &&
      openingQtyMicros(positionIn(state, account, leg), plan.qtyMicros * leg.ratio) > 0,
  );
  if (opens && !account.marginEnabled) return REJECT.marginOff;
  const { before, after } = rehearse(state, combo, plan);
  // Marks alone can take the equity of covered shorts below zero: closing them lowers what they require (DRM-6).
  if (isDepleted && after.lockedMicros >= before.lockedMicros) return REJECT.equityDepleted;
  return checkBuyingPower(account, before, after) ?? (after.isCalled ? REJECT.reduceOnly : null);
}

/** Buying power may be negative only if it does not fall, as of a buy that lowers the risk (OWN-5). */
function checkBuyingPower(account: Account, before: Outlook, after: Outlook): RejectReason | null {
  const haveMicros = buyingPowerOf(before);
  const leftMicros = buyingPowerOf(after);
  if (leftMicros >= 0 || (leftMicros >= haveMicros && isCashKept(account, before, after))) return null;
  const amounts = { needMicros: clampMicros(haveMicros - leftMicros), haveMicros };
  // Reserves are the same on both sides.
  return after.lockedMicros > before.lockedMicros
    ? insufficientMargin(amounts)
    : insufficientBuyingPower(amounts);
}

function buyingPowerOf({ cashMicros, lockedMicros }: Outlook) {
  return clampMicros(cashMicros - lockedMicros);
}

/** Cash stays at or above zero, and what resting buys and quotes have reserved is not spent (FINE-9, QTS-4). */
function isCashKept({ reservedMicros }: Account, before: Outlook, after: Outlook): boolean {
  if (after.cashMicros < 0) return false;
  return after.cashMicros >= Math.min(reservedMicros, before.cashMicros);
}
