/** The parameters in force, as state (FINE-4). */

import { ZERO } from '@venue/protocol';
import type { ConfigureCommand, VenueParameters } from './command.ts';
import type { OutcomeOf } from './outcome.ts';
import type { State } from './state.ts';

/** Rises whenever an entry comes to mean something else than before. */
export const ENGINE_VERSION = 1;

/** The log has entries that mean more than this node knows. No entry is at fault: the node has to be upgraded. */
export class NewerLogError extends Error {
  override name = 'NewerLogError';

  constructor(version: number) {
    super(`the log is of version ${version} and this node reads up to ${ENGINE_VERSION}: upgrade it`);
  }
}

/** What of the parameters can never change on one log, or go back, and would. */
export function parameterConflict(
  inForce: VenueParameters | null,
  proposed: VenueParameters,
): 'fundingMode' | 'marginPremium' | 'version' | null {
  if (inForce === null) return null;
  if (inForce.version > proposed.version) return 'version';
  if (inForce.fundingMode !== proposed.fundingMode) return 'fundingMode';
  return inForce.marginPremium !== proposed.marginPremium ? 'marginPremium' : null;
}

/** Throws `NewerLogError` for parameters of a newer node: this one must stop rather than misread what follows. */
export function configure(state: State, { parameters }: ConfigureCommand): OutcomeOf<'configure'> {
  if (parameters.version > ENGINE_VERSION) throw new NewerLogError(parameters.version);
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
