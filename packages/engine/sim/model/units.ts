/** The margin of one short contract, and what of an account it applies to. */

import { inTheMoney, intrinsic, mark } from './marks.ts';
import { ceilDiv, clamp, most, positive, sum } from './numbers.ts';
import type { ModelAccount, ModelSeries } from './records.ts';
import { instrumentOf, type ModelState, ordersOf, parametersOf, restingOf } from './state.ts';

/** Percentages of the short-margin formula. */
const RATES = {
  entry: { shock: 20n, floor: 10n },
  maintenance: { shock: 12n, floor: 6n },
} as const;

export type MarginKind = keyof typeof RATES;

/** Margin per contract of a short; its premium term is the mark, or the larger of mark and intrinsic (MAR-1). */
export function unit(
  state: ModelState,
  series: ModelSeries,
  kind: MarginKind,
  premium = mark(state, series),
): bigint {
  const { spot } = instrumentOf(state, series.symbol)!;
  const { shock, floor } = RATES[kind];
  const outOfTheMoney = positive(-inTheMoney(series, spot));
  const shocked = ceilDiv(spot * shock, 100n) - outOfTheMoney;
  const risk = most(shocked, ceilDiv(series.strike * floor, 100n));
  const byIntrinsic = parametersOf(state).marginPremium === 'intrinsic';
  return clamp(risk + (byIntrinsic ? most(premium, intrinsic(series, spot)) : premium));
}

/** The series in which the account has a position or an order; no other affects its equity or margin. */
export function seriesOf(state: ModelState, account: ModelAccount): ModelSeries[] {
  const quoted = new Set(ordersOf(state, account.index).map(({ sid }) => sid));
  return state.series.filter(({ sid }) => account.positions.has(sid) || quoted.has(sid));
}

export function restingQty(
  state: ModelState,
  account: ModelAccount,
  series: ModelSeries,
  side: 'buy' | 'sell',
): bigint {
  return sum(restingOf(state, account.index, series.sid, side).map((order) => order.remaining));
}
