/** Withdrawals and their payouts: requested, committed on chain, or voided (PAY-2, PAY-3). */

import { ExactSum, type Micros, toMicros } from '@venue/protocol';
import type { Authorization, WithdrawCommand } from '../entry/command.ts';
import type { CommitCommand } from '../entry/custody-command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import { houseHeadroomMicros } from '../quoting/house-line.ts';
import { buyingPowerMicros } from '../risk/margin.ts';
import type { Account, Payout, PayoutProof } from '../state/account.ts';
import { isOutstanding, recordPayout } from '../state/custody.ts';
import { MAKER } from '../state/ids.ts';
import { payOut } from '../state/ledger.ts';
import { EPOCH_SPAN, WITHDRAWALS_OUTSTANDING_MAX } from '../state/limits.ts';
import { parametersOf, type State } from '../state/state.ts';
import { isFunder, takeFromHouse } from './house.ts';
import { hasCustody, NO_CUSTODY } from './mode.ts';

/**
 * Debits the account immediately and requests a payout to the account's own address (OWN-56). The gate is buying power
 * minus pending withdrawals (PAY-2). A withdrawal by the funder takes capital out of the house (CUS-8).
 */
export function withdraw(
  state: State,
  effects: Effects,
  account: Account,
  { amountMicros, authorization }: WithdrawCommand,
): OutcomeOf<'withdraw'> {
  const refusal = withdrawalRefusal(state, account, amountMicros);
  if (refusal !== null) return refusal;

  // Nothing below may fail.
  const proof = proofOf(account, authorization);
  const payout = newPayout(state, { account, amountMicros, proof, isOfHouse: isFunder(state, account) });
  recordPayout(state.custody, payout);
  debitPayout(state, effects, payout);
  effects.accountChanged(account);
  return { payout };
}

/** Takes the amount of a payout from its account, or from the house for a payout of its capital (CUS-8). */
export function debitPayout(state: State, effects: Effects, payout: Payout): void {
  const { id: payoutId, account, amountMicros, isOfHouse } = payout;
  if (isOfHouse) {
    takeFromHouse(state, effects, amountMicros);
    return;
  }
  payOut(state, account, amountMicros);
  effects.cashMoved(account, { kind: 'withdrawal', cashMicros: toMicros(-amountMicros), payoutId });
}

/** A payout under the next id, in the ledger's present epoch (CUS-3). */
function newPayout(
  { custody, ts }: State,
  terms: Pick<Payout, 'account' | 'amountMicros' | 'proof' | 'isOfHouse'>,
): Payout {
  const id = custody.payouts.length + 1;
  const payoutId = custody.epoch * EPOCH_SPAN + id;
  return {
    id,
    payoutId,
    ...terms,
    requestedAt: ts,
    isAdopted: false,
    txHash: null,
    voidedAt: null,
    waits: null,
    approvals: [],
  };
}

/** Remembers what the wallet and its session key signed, so that the payer need not believe the ledger (CUS-5). */
function proofOf(account: Account, authorization: Authorization | undefined): PayoutProof | null {
  if (authorization === undefined) return null;
  const { sessionKey, nonce, signature } = authorization;
  const { expiresAt, approval, attestation } = account.sessions.get(sessionKey)!;
  return { sessionKey, nonce, signature, expiresAt, approval, attestation };
}

function withdrawalRefusal(
  state: State,
  account: Account,
  amountMicros: Micros,
): Exclude<OutcomeOf<'withdraw'>, { payout: Payout }> | null {
  if (!hasCustody(state)) return NO_CUSTODY;
  if (amountMicros <= 0) return { refusal: 'amountNotPositive' };
  if (account.frozen) return { refusal: 'accountFrozen' };
  if (state.custody.frozenWithdrawals.has(account.address!)) return { refusal: 'withdrawalsFrozen' };
  const outstanding = account.payouts.filter(isOutstanding);
  const haveMicros = isFunder(state, account)
    ? freeCapitalMicros(state)
    : withdrawableMicros(state, account, outstanding);
  if (amountMicros > haveMicros) return { needMicros: amountMicros, haveMicros };
  const { payoutMinMicros: leastMicros } = parametersOf(state);
  if (amountMicros < leastMicros && amountMicros !== haveMicros) return { leastMicros };
  return outstanding.length < WITHDRAWALS_OUTSTANDING_MAX ? null : { refusal: 'tooManyWithdrawals' };
}

function withdrawableMicros(state: State, account: Account, outstanding: readonly Payout[]): Micros {
  const have = new ExactSum().add(buyingPowerMicros(state, account));
  for (const payout of outstanding) have.add(-payout.amountMicros);
  return have.clamped();
}

/** The capital of the house that backs no position: never more than the maker's cash (CUS-8). */
function freeCapitalMicros(state: State): Micros {
  const { cashMicros } = state.accounts[MAKER]!;
  const free = Math.min(cashMicros, state.custody.houseFundedMicros, houseHeadroomMicros(state));
  return Math.max(0, free) as Micros;
}

/** Records the transaction that committed payouts on chain: all of them, or none. Repeating it changes nothing (PAY-3). */
export function commitPayouts(state: State, { ids, txHash }: CommitCommand): OutcomeOf<'commit'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const { custody } = state;
  const payouts: Payout[] = [];
  for (const id of ids) {
    const payout = custody.payouts[id - 1];
    if (payout === undefined) return { refusal: 'unknownWithdrawal' };
    if (payout.voidedAt !== null) return { refusal: 'payoutVoided' };
    if (payout.txHash !== null && payout.txHash !== txHash) return { refusal: 'committedElsewhere' };
    payouts.push(payout);
  }

  // Nothing below may fail.
  for (const payout of payouts) {
    if (!isOutstanding(payout)) continue;
    custody.isBindingUnused = false;
    payout.txHash = txHash;
    payout.waits = null;
    custody.pendingMicros -= BigInt(payout.amountMicros);
    custody.committedMicros += BigInt(payout.amountMicros);
  }
  return { payouts };
}
