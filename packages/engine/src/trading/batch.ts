/** Carries out the actions of a batch in order, each on the state that the one before left (BAT-2). */

import type { BatchCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { BatchDone } from '../entry/outcome.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';

/** A declined action changes nothing and stops no other (BAT-3). */
export function carryOutBatch(
  _state: State,
  _effects: Effects,
  _account: Account,
  _command: BatchCommand,
): BatchDone {
  throw new Error('not yet');
}
