/** Reports of the batcher about payouts that it does not make, and the terms that approvers sign to let them through. */

import type {
  ApprovePayoutCommand,
  HaltPayoutsCommand,
  PayoutWaitCommand,
} from '../entry/custody-command.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import type { Payout } from '../state/account.ts';
import { isOutstanding } from '../state/custody.ts';
import { APPROVALS_PER_PAYOUT_MAX } from '../state/limits.ts';
import type { State } from '../state/state.ts';
import { auditAction } from './audit.ts';
import { hasCustody, NO_CUSTODY } from './mode.ts';

/** Notes why no payout can be made at present, or with null that they are made again (CUS-7). */
export function haltPayouts(state: State, { reason }: HaltPayoutsCommand): OutcomeOf<'halt-payouts'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  state.custody.halted = reason;
  return { halted: reason };
}

/** Notes why one payout waits, or with null that it waits no more (CUS-16). */
export function notePayoutWait(state: State, { id, reason }: PayoutWaitCommand): OutcomeOf<'payout-wait'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const payout = requestedPayout(state, id);
  if ('refusal' in payout) return payout;
  payout.waits = reason;
  return { payout };
}

/**
 * Adds an approver's signature to a payout, in place of an earlier one by the same approver. The ledger does not know
 * who may approve: the batcher and the checker do, and verify it.
 */
export function approvePayout(state: State, command: ApprovePayoutCommand): OutcomeOf<'approve-payout'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const outcome = tryApprove(state, command);
  auditAction(state, command, outcome);
  return outcome;
}

function tryApprove(
  state: State,
  { id, approver, signature }: ApprovePayoutCommand,
): OutcomeOf<'approve-payout'> {
  const payout = requestedPayout(state, id);
  if ('refusal' in payout) return payout;
  const others = payout.approvals.filter((one) => one.approver !== approver);
  if (others.length >= APPROVALS_PER_PAYOUT_MAX) return { refusal: 'tooManyApprovals' };
  payout.approvals = [...others, { approver, signature }];
  return { payout };
}

function requestedPayout(
  { custody }: State,
  id: number,
): Payout | { readonly refusal: 'unknownWithdrawal' | 'payoutNotRequested' } {
  const payout = custody.payouts[id - 1];
  if (payout === undefined) return { refusal: 'unknownWithdrawal' };
  return isOutstanding(payout) ? payout : { refusal: 'payoutNotRequested' };
}
