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
import { positionMarkMicros } from '../risk/marks.ts';
import type { Account } from '../state/account.ts';
import { MAKER } from '../state/ids.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';

/** Entry-level margin of a short, cost of a long, both at a mark that the series has or would have. */
export function exposureMicros(state: State, series: Series, qtyMicros: number, markMicros: Micros): Micros {
  if (qtyMicros === 0) return ZERO;
  if (qtyMicros > 0) return mulDivCeilClamped(markMicros, qtyMicros, MICROS_PER_UNIT);
  return shortMarginAtMicros(state, series, { markMicros, qtyMicros: toMicros(-qtyMicros) });
}

/** Exposure of the maker over all its positions, kept up to date series by series while a push is applied. */
export class HouseLine {
  readonly #state: State;
  /** May leave the exact range only upwards, where every row is refused anyway. */
  #total = 0;

  constructor(state: State, { positions }: Account) {
    this.#state = state;
    for (let place = 0; place < positions.size; place++) {
      const position = positions.at(place);
      // Most are flat: the maker has one wherever it quotes.
      if (position.qtyMicros !== 0) this.#total += this.ofMicros(position.series, position.qtyMicros);
    }
  }

  /** Exposure over all positions. */
  get totalMicros(): Micros {
    return clampMicros(this.#total);
  }

  /** Exposure of what is held in a series, at its mark. */
  ofMicros(series: Series, heldMicros: number): Micros {
    return heldMicros === 0
      ? ZERO
      : exposureMicros(this.#state, series, heldMicros, positionMarkMicros(series));
  }

  /** What the maker may still take on, if a position of its own of that exposure were gone: negative past the line. */
  headroomMicros(ownMicros: Micros): Micros {
    return clampMicros(parametersOf(this.#state).houseLineMicros - (this.#total - ownMicros));
  }

  /** Takes in that the exposure in a series went from one amount to another. */
  moved(beforeMicros: Micros, afterMicros: Micros): void {
    this.#total += afterMicros - beforeMicros;
  }
}

/** What the maker's positions use of its line. */
export function houseExposureMicros(state: State): Micros {
  return new HouseLine(state, state.accounts[MAKER]!).totalMicros;
}

/** What of the line is left; negative past it. */
export function houseHeadroomMicros(state: State): Micros {
  return clampMicros(parametersOf(state).houseLineMicros - houseExposureMicros(state));
}
