/** Prunes spent nonces and challenges, and parked approvals that nobody answered: part of maintenance. */

import type { State } from '../state/state.ts';
import { pruneChallenges } from './challenges.ts';
import { pruneParked } from './parked.ts';
import { pruneSpentNonces } from './sessions.ts';

/** Prunes nonces and challenges that can no longer be posted, approvals that have lapsed, client ids of old orders, and floors of pushes. */
export function pruneSpent(state: State): void {
  pruneSpentNonces(state);
  pruneChallenges(state);
  pruneParked(state);
  state.clientIds.prune(state.ts);
  state.pushFloors.prune(state.ts);
}
