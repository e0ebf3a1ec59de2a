/** Spent sign-in challenges, remembered for as long as a challenge of the same age could still be posted (AUTH-1). */

import type { Address } from '@venue/protocol';
import type { SignInCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import { CHALLENGE_REMEMBERED_MS, FAILED_CHALLENGES_MAX } from '../state/limits.ts';
import type { SpentChallenge } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { checkOpening, openAccount } from './opening.ts';

/**
 * Spends the challenge of an address whether or not its signature was valid, and opens the account if it was. If two
 * nodes receive the same signed challenge, the second is refused.
 */
export function signIn(
  state: State,
  effects: Effects,
  { address, after, signed }: SignInCommand,
): OutcomeOf<'sign-in'> {
  const { spentChallenges } = state;
  const last = lastSpent(state, address, state.ts);
  if (last !== undefined && last.seq > after) return { refusal: 'noChallenge' };
  if (!signed && last === undefined && spentChallenges.size >= FAILED_CHALLENGES_MAX)
    return { account: null, opened: false };
  // Moves the address to the end: the map is in order of spending.
  spentChallenges.delete(address);
  spentChallenges.set(address, { seq: state.seq, ts: state.ts });
  if (!signed) return { account: null, opened: false };
  const refusal = checkOpening(state, address);
  return refusal === null ? openAccount(state, effects, address) : { refusal };
}

/** The last challenge that an address spent; undefined if that was too long ago to matter. */
export function lastSpent(
  { spentChallenges }: State,
  address: Address,
  nowMs: number,
): SpentChallenge | undefined {
  const spent = spentChallenges.get(address);
  return spent !== undefined && nowMs - spent.ts <= CHALLENGE_REMEMBERED_MS ? spent : undefined;
}

export function pruneChallenges({ spentChallenges, ts }: State): void {
  for (const [address, spent] of spentChallenges) {
    if (ts - spent.ts <= CHALLENGE_REMEMBERED_MS) return;
    spentChallenges.delete(address);
  }
}
