/** What was spent and can be forgotten: part of maintenance. */

import type { State } from '../state/state.ts';
import { forgetChallenges } from './challenges.ts';
import { forgetSpentNonces } from './sessions.ts';

/** Forgets the nonces and challenges that can be posted no more. */
export function forgetSpent(state: State): void {
  forgetSpentNonces(state);
  forgetChallenges(state);
}
