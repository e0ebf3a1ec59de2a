/** The market maker's own exposure limit (HOUSE-1). */

import {
  clampMicros,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeilClamped,
  toMicros,
  ZERO,
} from '@venue/protocol';
import { shortMarginAtMicros } from '../risk/margin.ts';
import { positionMarkMicros } from '../risk/risk-marks.ts';
import type { Account } from '../state/account.ts';
import { MAKER } from '../state/ids.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';

/** Entry margin of a short, cost of a long, both at a given mark, which may differ from the series' current one. */
export function exposureMicros(state: State, series: Series, qtyMicros: number, markMicros: Micros): Micros {
  if (qtyMicros === 0) return ZERO;
  if (qtyMicros > 0) return mulDivCeilClamped(markMicros, qtyMicros, MICROS_PER_UNIT);
  return shortMarginAtMicros(state, series, { markMicros, qtyMicros: toMicros(-qtyMicros) });
}

/** Exposure of the maker over all its positions, updated series by series while a push is applied. */
export class HouseLine {
  readonly #state: State;
  readonly #maker: Account;
  /** Leaves the exact range only upwards, where every row is refused anyway. */
  #total = 0;

  constructor(state: State, maker: Account) {
    this.#state = state;
    this.#maker = maker;
    this.recount();
  }

  /** Sums the exposure of all positions again: a fill that uses a quote set up moves marks of other series too (QTS-3). */
  recount(): void {
    const { positions } = this.#maker;
    this.#total = 0;
    for (let place = 0; place < positions.size; place++) {
      const position = positions.at(place);
      // Most positions are flat: the maker has one in every series it quotes.
      if (position.qtyMicros !== 0) this.#total += this.ofMicros(position.series, position.qtyMicros);
    }
  }

  /** Exposure over all positions. */
  get totalMicros(): Micros {
    return clampMicros(this.#total);
  }

  /** Exposure of a position in a series, at its mark. */
  ofMicros(series: Series, heldMicros: number): Micros {
    return heldMicros === 0
      ? ZERO
      : exposureMicros(this.#state, series, heldMicros, positionMarkMicros(this.#state, series));
  }

  /** The exposure the maker may still take on if a position of `ownMicros` were gone; negative past the line. */
  headroomMicros(ownMicros: Micros): Micros {
    return clampMicros(houseLineMicros(this.#state) - (this.#total - ownMicros));
  }

  /** Updates the total after the exposure in a series has changed. */
  moved(beforeMicros: Micros, afterMicros: Micros): void {
    this.#total += afterMicros - beforeMicros;
  }
}

/** The part of the house line used by the maker's positions. */
export function houseExposureMicros(state: State): Micros {
  return new HouseLine(state, state.accounts[MAKER]!).totalMicros;
}

/** The rest of the house line; negative past it. */
export function houseHeadroomMicros(state: State): Micros {
  return clampMicros(houseLineMicros(state) - houseExposureMicros(state));
}

/** The exposure that the maker may have: a figure of the configuration, or what was funded for it (CUS-8). */
export function houseLineMicros(state: State): Micros {
  const { houseLineFunded, houseLineMicros: configured } = parametersOf(state);
  const isFunded = houseLineFunded && state.custody.binding !== null;
  return isFunded ? state.custody.houseFundedMicros : configured;
}
