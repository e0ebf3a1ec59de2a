/** The price of every underlying, and whether it is fresh at the log's time. */

import type { State } from '@venue/engine';
import { instrumentsView } from '../../views/market.ts';
import { type Change, type Content, NO_CHANGES } from './content.ts';

const MEMBER = 'spots';

export class SpotsContent implements Content {
  readonly #state: State;
  #seq: number;
  #rows: ReadonlyMap<string, string>;

  constructor(state: State) {
    this.#state = state;
    this.#seq = state.seq;
    this.#rows = rowsOf(state);
  }

  snapshot(): string {
    return `"${MEMBER}":[${[...this.#rows.values()].join(',')}]`;
  }

  changes(): readonly Change[] {
    if (this.#state.seq === this.#seq) return NO_CHANGES;
    this.#seq = this.#state.seq;
    const before = this.#rows;
    this.#rows = rowsOf(this.#state);
    const changed = [...this.#rows].filter(([symbol, json]) => before.get(symbol) !== json);
    const gone = [...before.keys()].filter((symbol) => !this.#rows.has(symbol));
    return [
      ...changed.map(([key, json]) => ({ member: MEMBER, key, json })),
      ...gone.map((key) => ({ member: MEMBER, key, json: JSON.stringify({ symbol: key, gone: true }) })),
    ];
  }
}

function rowsOf(state: State): ReadonlyMap<string, string> {
  return new Map(instrumentsView(state, state.ts).map((row) => [row.symbol, JSON.stringify(row)]));
}
