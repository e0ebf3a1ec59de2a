/** Prunes spent nonces and challenges: part of maintenance. */

import type { State } from '../state/state.ts';
import { pruneChallenges } from './challenges.ts';
import { pruneSpentNonces } from './sessions.ts';

/** Prunes nonces and challenges that can no longer be posted. */
export function pruneSpent(state: State): void {
  pruneSpentNonces(state);
  pruneChallenges(state);
}
