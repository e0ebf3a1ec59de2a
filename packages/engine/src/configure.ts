/** The parameters in force, as state (FINE-4). */

import { ZERO } from '@venue/protocol';
import type { ConfigureCommand, RaisedLevel, RekeyCommand } from './entry/command.ts';
import { assertReadable } from './entry/feature-level.ts';
import type { OutcomeOf } from './entry/outcome.ts';
import { beginSpots } from './expiry/recent-spots.ts';
import type { VenueParameters } from './state/parameters.ts';
import type { State } from './state/state.ts';

/** The immutable parameter that the new parameters would change, or the feature level if it would fall. */
export function parameterConflict(
  inForce: VenueParameters | null,
  proposed: VenueParameters,
): 'fundingMode' | 'marginPremium' | 'version' | null {
  if (inForce === null) return null;
  if (inForce.version > proposed.version) return 'version';
  if (inForce.fundingMode !== proposed.fundingMode) return 'fundingMode';
  return inForce.marginPremium !== proposed.marginPremium ? 'marginPremium' : null;
}

/** Throws `NewerLogError` for parameters of a newer node: this one must stop rather than misread later entries. */
export function configure(state: State, command: ConfigureCommand): OutcomeOf<'configure'> {
  const outcome = putInForce(state, command);
  // The first id in the log stands, no matter which node drew it.
  state.venue ??= command.venue ?? null;
  return outcome;
}

/** Replaces the id of a log that was copied (VEN-1). */
export function rekey(state: State, { venue }: RekeyCommand): OutcomeOf<'rekey'> {
  state.venue = venue;
  return { venue };
}

function putInForce(state: State, { parameters }: ConfigureCommand): OutcomeOf<'configure'> {
  assertReadable(state, parameters.version, `entry ${state.seq} (configure)`);
  if (!('symbols' in parameters)) return raise(state, parameters);
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
      spots: [],
      jump: null,
      sources: new Map(),
      windows: new Map(),
      decisions: new Map(),
      rolledFor: '',
      series: [],
    });
  }
  for (const instrument of state.instruments.values()) beginSpots(state, instrument);
  return { changed: true };
}

/** Two nodes may raise the level simultaneously, and one of them may be late. */
function raise(state: State, { version }: RaisedLevel): OutcomeOf<'configure'> {
  const { parameters } = state;
  if (parameters === null || version <= parameters.version) return { changed: false };
  state.parameters = { ...parameters, version };
  return { changed: true };
}
