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
 * Whether the engine can apply an entry, tried on a copy of the state. What could be applied was, and somebody was told so,
 * so only an entry that stops the engine may be left out. Throws `NewerLogError` for one that a newer release wrote: other
 * nodes apply it, and without it this one would have another state than they.
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
