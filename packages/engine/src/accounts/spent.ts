/** Prunes spent nonces and challenges: part of maintenance. */

import type { State } from '../state/state.ts';
import { forgetChallenges } from './challenges.ts';
import { forgetSpentNonces } from './sessions.ts';

/** Prunes nonces and challenges that can no longer be posted. */
export function forgetSpent(state: State): void {
  forgetSpentNonces(state);
  forgetChallenges(state);
}
