/** Entries that stop the engine. */

import {
  apply,
  decodeEntry,
  NewerLogError,
  NO_EFFECTS,
  restoreState,
  type State,
  stateLines,
} from '@venue/engine';
import type { LogEntry } from '@venue/log';

/**
 * Tries an entry on a copy of the state. An entry that can be applied was applied, and a client was told so; only one
 * that stops the engine may be skipped. Throws `NewerLogError` for an entry of a newer release: other nodes apply it, so
 * skipping it would give this node a different state.
 */
export function canApply(state: State, stored: LogEntry): boolean {
  const entry = decodeEntry(stored);
  const copy = restoreState(stateLines(state));
  try {
    apply(copy, entry, NO_EFFECTS);
    return true;
  } catch (error) {
    if (error instanceof NewerLogError) throw error;
    return false;
  }
}
