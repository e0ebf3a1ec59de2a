/** Why the engine declines an order: the complete list, in the order of the checks (ORD-1). */

import { formatCents, type Micros } from '../units.ts';
import { AMOUNT_REJECT, type Filled, filledText, needHave } from './amounts.ts';
import type { CodeOf } from './refusal.ts';

/** Reasons without numbers. The dash is U+2014. */
export const REJECT = {
  unknownSeries: 'unknown series',
  seriesSettled: 'series settled',
  seriesExpired: 'series expired',
  badQty: 'bad qty',
  badPrice: 'bad price',
  accountFrozen: 'account frozen — no linked wallet address',
  insufficientCash: 'insufficient cash',
  reduceOnly: 'margin call — reduce-only (buy back shorts)',
  equityDepleted: 'account equity depleted',
  noLiquidity: 'no liquidity',
  marginOff: 'margin is off — enable margin to sell short',
} as const;

/** Reasons that only actions of a batch have (BAT-4); their places among the checks are those of ORD-1's ladder. */
export const BATCH_REJECT = {
  orderExpired: 'order expired',
  tooManyTimedOrders: 'too many timed orders',
  tooManyRestingOrders: 'too many resting orders',
  nothingToReduce: 'nothing to reduce',
  tooMuchWork: 'too much work',
  postOnlyWouldTrade: 'post-only would trade',
  fokCannotFill: 'fok cannot fill',
  selfTradePrevented: 'self-trade prevented',
  unknownOrder: 'unknown order',
  filledMoreThanExpected: 'filled more than expected',
  setFrozen: 'frozen — unfreeze the set first',
  unknownSet: 'unknown set',
  setHasQuotes: 'set has quotes',
  modeNeedsBuyingPower: 'margin mode needs buying power',
  modeBarsSets: 'margin mode bars quote sets',
} as const;

/** Faults of a row of quotes or prices that no order has (OWN-8, DET-5, FEED-1). */
export const ROW_REJECT = {
  malformedRow: 'malformed row',
  malformedPrint: 'malformed print',
  tooManyLevels: 'too many levels',
  notBestFirst: 'levels must stand best first',
  crossedLadder: 'crossed ladder',
  otherSymbol: "not the set's symbol",
  levelAboveLimit: 'level above the limit',
  badSource: 'bad source',
  tooManySources: 'too many sources',
} as const;

export type ReasonName =
  | keyof typeof REJECT
  | keyof typeof BATCH_REJECT
  | keyof typeof ROW_REJECT
  | keyof typeof AMOUNT_REJECT;

/** The code of a reason, as results of a batch carry it (ERR-1). */
export type ReasonCode = CodeOf<ReasonName>;

export type RejectReason =
  | (typeof REJECT)[keyof typeof REJECT]
  | (typeof BATCH_REJECT)[keyof typeof BATCH_REJECT]
  | Filled<(typeof AMOUNT_REJECT)[keyof typeof AMOUNT_REJECT]>;

/** The fault of a row of quotes or prices. */
export type RowFault = RejectReason | (typeof ROW_REJECT)[keyof typeof ROW_REJECT] | 'unknown symbol';

/** Buying power does not cover the margin of a new or growing short. `need` excludes the fee (FINE-9). */
export function insufficientMargin(amounts: { needMicros: Micros; haveMicros: Micros }): RejectReason {
  return filledText(AMOUNT_REJECT.insufficientMargin, needHave(amounts));
}

/** @example insufficientBuyingPower({ needMicros, haveMicros }) // insufficient buying power (need ~12.50, have 3.00) */
export function insufficientBuyingPower(amounts: { needMicros: Micros; haveMicros: Micros }): RejectReason {
  return filledText(AMOUNT_REJECT.insufficientBuyingPower, needHave(amounts));
}

/** The market maker's own exposure limit (HOUSE-1). */
export function houseLineExceeded(amounts: { needMicros: Micros; headroomMicros: Micros }): RejectReason {
  const { needMicros, headroomMicros } = amounts;
  const gaps = { need: formatCents(needMicros), headroom: formatCents(headroomMicros) };
  return filledText(AMOUNT_REJECT.houseLineExceeded, gaps);
}
