/** The state of a venue with listings, without a node around it. */

import { apply, type Command, createState, NO_EFFECTS, type OutcomeOf, type State } from '@venue/engine';
import type { Micros, MicrosQuote } from '@venue/protocol';
import { loadConfig } from '../src/config.ts';

const START_MS = Date.UTC(2026, 5, 1, 12);
const DAY_S = 86_400;
const EXPIRIES = 8;

/** A venue with one underlying at 100 and 656 series; the maker bids 1 for 1 in the one with sid 1. */
export function listedState(): State {
  const state = createState();
  enter(state, { kind: 'configure', parameters: loadConfig({ VENUE_SYMBOLS: 'X:crypto' }).parameters });
  const price = { symbol: 'X', source: 'a', priceMicros: 100_000_000 as Micros };
  enter(state, { kind: 'prints', prints: [price] });
  const expiries = Array.from({ length: EXPIRIES }, (_, k) => START_MS / 1_000 + (k + 1) * DAY_S);
  enter(state, { kind: 'maintain', expiries });
  pushOn(state, [{ sid: 1, bids: [[1_000_000, 1_000_000]], asks: [], iv: 0.5 }]);
  return state;
}

/** Applies a push of the maker as one entry. */
export function pushOn(state: State, rows: readonly MicrosQuote[]) {
  const outcome = enter(state, { kind: 'quotes', session: null, rows });
  if ('refusal' in outcome) throw new Error(outcome.refusal);
  return outcome;
}

function enter<C extends Command>(state: State, command: C): OutcomeOf<C['kind']> {
  const entry = { seq: state.seq + 1, ts: START_MS, command };
  return apply(state, entry, NO_EFFECTS) as OutcomeOf<C['kind']>;
}
