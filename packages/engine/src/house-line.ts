/** The market maker's own exposure limit (HOUSE-1). */

import {
  clampMicros,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeilClamped,
  toMicros,
  ZERO,
} from '@venue/protocol';
import { ENTRY, marginMicros, marginTerms } from './margin.ts';
import { intrinsicMicros, positionMarkMicros } from './marks.ts';
import { type Account, MAKER, parametersOf, type Series, type State } from './state.ts';

/** Entry-level margin of a short, cost of a long, both at a mark that the series has or would have. */
export function exposureMicros(state: State, series: Series, qtyMicros: number, markMicros: Micros): Micros {
  if (qtyMicros === 0) return ZERO;
  if (qtyMicros > 0) return mulDivCeilClamped(markMicros, qtyMicros, MICROS_PER_UNIT);
  return marginMicros(unitAtMicros(state, series, markMicros), toMicros(-qtyMicros));
}

/** Margin of one short contract at entry level (MAR-1) with a mark that the series need not have. */
function unitAtMicros(state: State, series: Series, markMicros: Micros): Micros {
  const { spotMicros, shockMicros, floorMicros } = marginTerms(state, series, ENTRY);
  const isFloored = parametersOf(state).marginPremium === 'intrinsic';
  const premium = isFloored ? Math.max(markMicros, intrinsicMicros(series, spotMicros)) : markMicros;
  return clampMicros(premium + Math.max(shockMicros, floorMicros));
}

/** Exposure of the maker over all its positions, kept up to date series by series while a push is applied. */
export class HouseLine {
  readonly #state: State;
  readonly #maker: Account;
  /** May leave the exact range only upwards, where every row is refused anyway. */
  #total = 0;

  constructor(state: State, maker: Account) {
    this.#state = state;
    this.#maker = maker;
    for (const { series } of maker.positions.values()) this.#total += this.#of(series);
  }

  /** Exposure over all positions. */
  get totalMicros(): Micros {
    return clampMicros(this.#total);
  }

  /** What the maker may still take on, if its position in the series were gone: negative past the line. */
  headroomMicros(series: Series): Micros {
    const others = this.#total - this.#of(series);
    return clampMicros(parametersOf(this.#state).houseLineMicros - others);
  }

  /** Runs a change of one series and keeps the total in step with it. */
  across<T>(series: Series, change: () => T): T {
    const before = this.#of(series);
    const result = change();
    this.#total += this.#of(series) - before;
    return result;
  }

  #of(series: Series): Micros {
    const held = this.#maker.positions.get(series.sid)?.qtyMicros ?? 0;
    return exposureMicros(this.#state, series, held, positionMarkMicros(series));
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
