/** Why the engine declines an order: the complete list, in the order of the checks (ORD-1). */

import { formatCents, type Micros } from './units.ts';

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

type NeedHave = `(need ~${string}, have ${string})`;

export type RejectReason =
  | (typeof REJECT)[keyof typeof REJECT]
  | (typeof BATCH_REJECT)[keyof typeof BATCH_REJECT]
  | `insufficient margin for short ${NeedHave}`
  | `insufficient buying power ${NeedHave}`
  | `house line exceeded (need ~${string}, headroom ${string})`;

/** Buying power does not cover the margin of a new or growing short. `need` excludes the fee (FINE-9). */
export function insufficientMargin(amounts: { needMicros: Micros; haveMicros: Micros }): RejectReason {
  return `insufficient margin for short ${needHave(amounts)}`;
}

/** @example insufficientBuyingPower({ needMicros, haveMicros }) // insufficient buying power (need ~12.50, have 3.00) */
export function insufficientBuyingPower(amounts: { needMicros: Micros; haveMicros: Micros }): RejectReason {
  return `insufficient buying power ${needHave(amounts)}`;
}

/** The market maker's own exposure limit (HOUSE-1). */
export function houseLineExceeded(amounts: { needMicros: Micros; headroomMicros: Micros }): RejectReason {
  return `house line exceeded (need ~${formatCents(amounts.needMicros)}, headroom ${formatCents(amounts.headroomMicros)})`;
}

/** The amounts of a reason, with two decimals: `(need ~12.50, have 3.00)`. */
export function needHave(amounts: { needMicros: Micros; haveMicros: Micros }): NeedHave {
  return `(need ~${formatCents(amounts.needMicros)}, have ${formatCents(amounts.haveMicros)})`;
}
