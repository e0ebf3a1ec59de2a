/** The margin that an order takes or frees, by the mode of its account. */

import { MICROS_PER_UNIT, type Micros, mulDivFloorClamped, toMicros, ZERO } from '@venue/protocol';
import { ENTRY_MARGIN } from '@venue/protocol/margin';
import type { Account } from '../state/account.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { requirementRiseMicros } from './defined-risk.ts';
import { marginMicros } from './margin.ts';
import { marginUnitMicros } from './units.ts';

export interface Sold {
  readonly series: Series;
  /** The quantity that trades or rests. */
  readonly qtyMicros: number;
  /** The part of it beyond the free long. */
  readonly openingMicros: Micros;
}

/** The margin that a sell takes, at least 0: by the contract of its opening part alone (ORD-4), else the rise (DRM-3). */
export function sellNeedMicros(state: State, account: Account, sold: Sold): Micros {
  const { series, qtyMicros, openingMicros } = sold;
  if (account.marginMode === 'defined-risk') {
    const rise = requirementRiseMicros(state, account, { series, changeMicros: -qtyMicros });
    return toMicros(Math.max(0, rise));
  }
  return openingMicros === 0
    ? ZERO
    : marginMicros(marginUnitMicros(state, series, ENTRY_MARGIN), openingMicros);
}

export interface Bought {
  readonly series: Series;
  /** The quantity that trades. */
  readonly qtyMicros: Micros;
  /** The part of it that closes a short. */
  readonly closingMicros: number;
}

/** The margin that a buy frees: by the contract the units of its closing part (OWN-4), else what it no longer requires. */
export function releasedMicros(
  state: State,
  account: Account,
  { series, qtyMicros, closingMicros }: Bought,
): Micros {
  if (account.marginMode === 'defined-risk')
    return toMicros(0 - requirementRiseMicros(state, account, { series, changeMicros: qtyMicros }));
  return mulDivFloorClamped(marginUnitMicros(state, series, ENTRY_MARGIN), closingMicros, MICROS_PER_UNIT);
}
