/** Gives covered positions to the house together: buying back their shorts would leave longs that nobody can seize (DRM-4). */

import {
  clampMicros,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeilClamped,
  mulDivFloorClamped,
  toMicros,
} from '@venue/protocol';
import type { Effects } from '../entry/effects.ts';
import { isTradable } from '../expiry/listings.ts';
import { coverageOf, type GroupCoverage } from '../risk/coverage.ts';
import { isInMarginCall } from '../risk/margin.ts';
import { atLeastIntrinsicMicros } from '../risk/marks.ts';
import { positionMarkMicros } from '../risk/risk-marks.ts';
import type { Account } from '../state/account.ts';
import { bookHandover, type HandoverLeg } from '../state/booking.ts';
import { HOUSE } from '../state/ids.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import type { Debts } from './debts.ts';

/** One entry's share of a liquidation run. */
export interface Slice {
  readonly state: State;
  readonly effects: Effects;
  readonly debts: Debts;
}

/** Positions that cover each other, and the most that they can lose. */
interface Bundle {
  readonly held: GroupCoverage['held'];
  readonly mostMicros: Micros;
}

/**
 * Gives pairs and groups to the house, one by one, while the call lasts; those with a short that may not be taken stay.
 * Returns how many positions went.
 */
export function handOver(slice: Slice, account: Account, mayTake: (series: Series) => boolean): number {
  if (account.marginMode === 'per-leg') return 0;
  const { state } = slice;
  let given = 0;
  for (const group of coverageOf(state, account, ({ qtyMicros }) => qtyMicros)) {
    for (const bundle of bundlesOf(group)) {
      const isTakeable = bundle.held.every(
        ({ series, qtyMicros }) => isTradable(series, state.ts) && (qtyMicros > 0 || mayTake(series)),
      );
      if (!isTakeable) continue;
      if (!isInMarginCall(state, account)) return given;
      give(slice, account, bundle);
      given += bundle.held.length;
    }
  }
  return given;
}

/** Each pair of rule A, or under rule B the whole group. */
function bundlesOf({ rule, held, pairs, requirementMicros }: GroupCoverage): Bundle[] {
  if (rule === 'B') return [{ held, mostMicros: requirementMicros }];
  return pairs.map(({ short, long, qtyMicros, eachMicros }) => ({
    held: [
      { series: short, qtyMicros: toMicros(-qtyMicros) },
      { series: long, qtyMicros },
    ],
    mostMicros: mulDivCeilClamped(eachMicros, qtyMicros, MICROS_PER_UNIT),
  }));
}

/** At their values together, at least 0 and at most what is required; and no further into debt than any liquidation. */
function give({ state, effects, debts }: Slice, account: Account, { held, mostMicros }: Bundle): void {
  const legs = held.map((one) => valued(state, one));
  const worth = sumOf(legs, true) - sumOf(legs, false);
  const wanted = worth < 0n ? 0 : Math.min(Number(worth), mostMicros);
  const paidMicros = clampMicros(Math.min(wanted, debts.roomMicros(account)));
  state.lastOrderId += 1;
  const orderId = state.lastOrderId;
  const house = state.accounts[HOUSE]!;
  debts.across([account], () =>
    bookHandover(state, effects, balanced(legs, BigInt(paidMicros)), {
      from: { account, orderId, kind: 'liquidation', signer: null },
      to: { account: house, orderId, kind: 'trade', signer: null },
      paidMicros,
    }),
  );
}

/** As when the house takes a naked short (LIQ-1): at its mark alone a deep pair that nobody quotes would leave its loss to it. */
function valued(state: State, { series, qtyMicros }: GroupCoverage['held'][number]): HandoverLeg {
  const priceMicros = atLeastIntrinsicMicros(series, positionMarkMicros(state, series));
  const valueMicros =
    qtyMicros < 0
      ? mulDivCeilClamped(priceMicros, -qtyMicros, MICROS_PER_UNIT)
      : mulDivFloorClamped(priceMicros, qtyMicros, MICROS_PER_UNIT);
  return { series, qtyMicros, priceMicros, valueMicros };
}

function sumOf(legs: readonly HandoverLeg[], ofShorts: boolean): bigint {
  let sum = 0n;
  for (const { qtyMicros, valueMicros } of legs) if (qtyMicros < 0 === ofShorts) sum += BigInt(valueMicros);
  return sum;
}

/** Lowers the values of the side that counts for too much, the last first, until both differ by what is paid. */
function balanced(legs: readonly HandoverLeg[], paid: bigint): HandoverLeg[] {
  const excess = sumOf(legs, true) - sumOf(legs, false) - paid;
  let left = excess < 0n ? -excess : excess;
  const lowered = legs.toReversed().map((leg) => {
    if (leg.qtyMicros < 0 !== excess > 0n) return leg;
    const cut = BigInt(leg.valueMicros) < left ? leg.valueMicros : Number(left);
    left -= BigInt(cut);
    return { ...leg, valueMicros: toMicros(leg.valueMicros - cut) };
  });
  return lowered.toReversed();
}
