/** Repairs by an operator in the books of payouts: adopt, void, freeze (CUS-4). Each is audited with its reason. */

import { openAccount } from '../accounts/opening.ts';
import type { AdoptCommand, FreezeWithdrawalsCommand, VoidCommand } from '../entry/custody-command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import type { Payout } from '../state/account.ts';
import { isOutstanding, recordPayout } from '../state/custody.ts';
import { payIn } from '../state/ledger.ts';
import { EPOCH_SPAN } from '../state/limits.ts';
import type { State } from '../state/state.ts';
import { auditAction } from './audit.ts';
import { giveToHouse, isFunder } from './house.ts';
import { hasCustody, NO_CUSTODY } from './mode.ts';
import { debitPayout } from './payouts.ts';

/**
 * Records a payout that the chain shows as committed and this ledger lost with a newer copy: the account is debited,
 * into debt if its cash is gone, or the house for its funder (CUS-8). Only numbers of earlier epochs, which no payout to
 * come can have. Repeating it changes nothing.
 */
export function adoptPayout(state: State, effects: Effects, command: AdoptCommand): OutcomeOf<'adopt'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const outcome = adoptOnce(state, effects, command);
  auditAction(state, command, outcome);
  return outcome;
}

function adoptOnce(state: State, effects: Effects, command: AdoptCommand): OutcomeOf<'adopt'> {
  const { custody } = state;
  const { payoutId, address, amountMicros, txHash } = command;
  const known = custody.payoutByNumber.get(payoutId);
  if (known !== undefined) {
    const isSame = known.account.address === address && known.amountMicros === amountMicros;
    return isSame && known.txHash === txHash ? { payout: known } : { refusal: 'payoutKnown' };
  }
  if (state.accountByAddress.get(address)?.frozen) return { refusal: 'accountFrozen' };
  if (payoutId >= custody.epoch * EPOCH_SPAN) return { refusal: 'payoutOfThisEpoch' };
  if (amountMicros > state.fundedMicros) return { refusal: 'depositsMissing' };

  // Nothing below may fail.
  const { account } = openAccount(state, effects, address);
  const isOfHouse = isFunder(state, account);
  const payout: Payout = {
    ...{ id: custody.payouts.length + 1, payoutId, account, amountMicros, requestedAt: state.ts },
    ...{ isOfHouse, isAdopted: true, proof: null, txHash, voidedAt: null, waits: null, approvals: [] },
  };
  recordPayout(custody, payout);
  custody.isBindingUnused = false;
  debitPayout(state, effects, payout);
  effects.accountChanged(account);
  return { payout };
}

/** Gives the cash of a requested payout back. The operator has made sure that no transaction can still commit it. */
export function voidPayout(state: State, effects: Effects, command: VoidCommand): OutcomeOf<'void'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const payout = state.custody.payouts[command.id - 1];
  const outcome =
    payout === undefined
      ? ({ refusal: 'unknownWithdrawal' } as const)
      : isOutstanding(payout)
        ? { payout }
        : ({ refusal: 'payoutNotRequested' } as const);
  auditAction(state, command, outcome);
  if ('payout' in outcome) giveBack(state, effects, outcome.payout);
  return outcome;
}

function giveBack(state: State, effects: Effects, payout: Payout): void {
  const { custody } = state;
  const { account, amountMicros, isOfHouse } = payout;
  payout.voidedAt = state.ts;
  payout.waits = null;
  custody.payoutByNumber.delete(payout.payoutId);
  custody.pendingMicros -= BigInt(amountMicros);
  if (isOfHouse) {
    giveToHouse(state, effects, amountMicros);
  } else {
    payIn(state, account, amountMicros);
    effects.cashMoved(account, { kind: 'void', cashMicros: amountMicros, payoutId: payout.id });
  }
  effects.accountChanged(account);
}

/** Refuses an account's withdrawals, or lets them again. Cash, positions and trading stay as they are. */
export function freezeWithdrawals(
  state: State,
  command: FreezeWithdrawalsCommand,
): OutcomeOf<'freeze-withdrawals'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const { frozenWithdrawals } = state.custody;
  const { address, frozen } = command;
  const outcome = state.accountByAddress.has(address)
    ? { address, frozen }
    : ({ refusal: 'unknownAccount' } as const);
  auditAction(state, command, outcome);
  if ('refusal' in outcome) return outcome;
  if (frozen) frozenWithdrawals.add(address);
  else frozenWithdrawals.delete(address);
  return outcome;
}
