/** The parameters in force, as state (FINE-4). */

import { ZERO } from '@venue/protocol';
import type { ConfigureCommand, VenueParameters } from './command.ts';
import type { OutcomeOf } from './outcome.ts';
import type { State } from './state.ts';

/** What of the parameters can never change on one log, and would. */
export function parameterConflict(
  inForce: VenueParameters | null,
  proposed: VenueParameters,
): 'fundingMode' | 'marginPremium' | null {
  if (inForce === null) return null;
  if (inForce.fundingMode !== proposed.fundingMode) return 'fundingMode';
  return inForce.marginPremium !== proposed.marginPremium ? 'marginPremium' : null;
}

export function configure(state: State, { parameters }: ConfigureCommand): OutcomeOf<'configure'> {
  const conflict = parameterConflict(state.parameters, parameters);
  if (conflict !== null) return { changed: false, conflict };
  state.parameters = parameters;
  const named = new Set(parameters.symbols.map(({ symbol }) => symbol));
  for (const instrument of state.instruments.values()) instrument.active = named.has(instrument.symbol);
  for (const { symbol, assetClass } of parameters.symbols) {
    if (state.instruments.has(symbol)) continue;
    state.instruments.set(symbol, {
      symbol,
      assetClass,
      active: true,
      spotMicros: ZERO,
      sources: new Map(),
      windows: new Map(),
      decisions: new Map(),
      rolledFor: '',
      series: [],
    });
  }
  return { changed: true };
}
