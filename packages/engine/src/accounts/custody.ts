/** Real money (`deposits` mode): the vault's deposits, held deposits, withdrawals and their payouts. */

import { type ErrorName, ExactSum, type Micros, toMicros } from '@venue/protocol';
import type { CommitCommand, DepositCommand, ReleaseCommand, WithdrawCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import { CUSTODY_LEVEL, levelInForce } from '../entry/feature-level.ts';
import type { OutcomeOf, Refused } from '../entry/outcome.ts';
import { buyingPowerMicros } from '../risk/margin.ts';
import type { Account, Payout } from '../state/account.ts';
import { hold, payIn, payOut, release } from '../state/ledger.ts';
import { FUNDED_MAX_MICROS, WITHDRAWALS_OUTSTANDING_MAX } from '../state/limits.ts';
import type { Deposit } from '../state/records.ts';
import { parametersOf, type State } from '../state/state.ts';
import { openAccount } from './opening.ts';

/**
 * Credits a deposit once (DEP-1). A deposit for an address without an account is held, like all further ones until the
 * release: owed to the owner, but out of reach (DEP-2).
 */
export function takeDeposit(
  state: State,
  effects: Effects,
  { kind: _, ...deposit }: DepositCommand,
): OutcomeOf<'deposit'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const key = depositKey(deposit);
  const known = state.custody.deposits.get(key);
  if (known !== undefined) return isSame(known, deposit) ? { status: 'duplicate' } : CONFLICT;
  if (levelInForce(state) >= CUSTODY_LEVEL && isFromAnotherBlock(state, deposit)) return CONFLICT;
  if (state.fundedMicros + deposit.amountMicros > FUNDED_MAX_MICROS) return { refusal: 'depositTooLarge' };

  // Nothing below may fail.
  recordDeposit(state, deposit);
  const { account, opened } = openAccount(state, effects, deposit.address);
  if (opened) account.frozen = true;
  const { amountMicros: cashMicros, txHash } = deposit;
  (account.frozen ? hold : payIn)(state, account, cashMicros);
  if (!account.frozen) effects.cashMoved(account, { kind: 'deposit', cashMicros, txHash });
  effects.accountChanged(account);
  return { status: account.frozen ? 'held' : 'credited' };
}

/** Remembers a deposit by its log, and its transaction by the block that it was seen in (CUS-2). */
export function recordDeposit({ custody }: State, deposit: Deposit): void {
  const { deposits, firstOfTransaction } = custody;
  deposits.set(depositKey(deposit), deposit);
  const first = firstOfTransaction.get(deposit.txHash);
  if (first === undefined) firstOfTransaction.set(deposit.txHash, deposit);
  else if (first !== null && !isInSameBlock(first, deposit)) firstOfTransaction.set(deposit.txHash, null);
}

/**
 * True if the ledger knows the transaction from another block: a reorganisation has moved it, and its logs have other
 * indexes there, so the pair alone would credit it twice (CUS-2).
 */
function isFromAnotherBlock({ custody }: State, deposit: Deposit): boolean {
  const first = custody.firstOfTransaction.get(deposit.txHash);
  return first !== undefined && (first === null || !isInSameBlock(first, deposit));
}

function isInSameBlock(a: Deposit, b: Deposit): boolean {
  return a.blockNumber === b.blockNumber && a.blockHash === b.blockHash;
}

/** Identifies a deposit, so that it is credited once. */
function depositKey({ txHash, logIndex }: Pick<Deposit, 'txHash' | 'logIndex'>): string {
  return `${txHash}:${logIndex}`;
}

function isSame(a: Deposit, b: Deposit): boolean {
  return a.address === b.address && a.amountMicros === b.amountMicros && isInSameBlock(a, b);
}

const CONFLICT: Refused = { refusal: 'depositConflict' };

/** Pays the held deposits into the account and ends the freeze (DEP-2, FINE-12). */
export function releaseHeld(
  state: State,
  effects: Effects,
  { address }: ReleaseCommand,
): OutcomeOf<'release'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const account = state.accountByAddress.get(address);
  if (account === undefined || !account.frozen) return { refusal: 'nothingHeld' };

  // Nothing below may fail.
  const releasedMicros = release(account);
  account.frozen = false;
  effects.cashMoved(account, { kind: 'release', cashMicros: releasedMicros });
  effects.accountChanged(account);
  return { account, releasedMicros };
}

/**
 * Debits the account immediately and requests a payout to the account's own address (OWN-56). The gate is buying power
 * minus pending withdrawals (PAY-2).
 */
export function withdraw(
  state: State,
  effects: Effects,
  account: Account,
  { amountMicros }: WithdrawCommand,
): OutcomeOf<'withdraw'> {
  const refusal = withdrawalRefusal(state, account, amountMicros);
  if (refusal !== null) return refusal;

  // Nothing below may fail.
  payOut(state, account, amountMicros);
  const { custody } = state;
  const payout: Payout = {
    id: custody.payouts.length + 1,
    account,
    amountMicros,
    requestedAt: state.ts,
    txHash: null,
  };
  custody.payouts.push(payout);
  account.payouts.push(payout);
  custody.pendingMicros += BigInt(amountMicros);
  const cashMicros = toMicros(-amountMicros);
  effects.cashMoved(account, { kind: 'withdrawal', cashMicros, payoutId: payout.id });
  effects.accountChanged(account);
  return { payout };
}

function withdrawalRefusal(
  state: State,
  account: Account,
  amountMicros: Micros,
): Exclude<OutcomeOf<'withdraw'>, { payout: Payout }> | null {
  if (!hasCustody(state)) return NO_CUSTODY;
  if (amountMicros <= 0) return { refusal: 'amountNotPositive' };
  if (account.frozen) return { refusal: 'accountFrozen' };
  const outstanding = account.payouts.filter(isOutstanding);
  const have = new ExactSum().add(buyingPowerMicros(state, account));
  for (const payout of outstanding) have.add(-payout.amountMicros);
  const haveMicros = have.clamped();
  if (amountMicros > haveMicros) return { needMicros: amountMicros, haveMicros };
  return outstanding.length < WITHDRAWALS_OUTSTANDING_MAX ? null : { refusal: 'tooManyWithdrawals' };
}

/** True until it is committed on chain: a payout has two states, and never reverts (PAY-3). */
export function isOutstanding({ txHash }: Payout): boolean {
  return txHash === null;
}

/** Records the transaction that committed payouts on chain: all of them, or none. Repeating it changes nothing (PAY-3). */
export function commitPayouts(state: State, { ids, txHash }: CommitCommand): OutcomeOf<'commit'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const { custody } = state;
  const payouts: Payout[] = [];
  for (const id of ids) {
    const payout = custody.payouts[id - 1];
    if (payout === undefined) return { refusal: 'unknownWithdrawal' };
    if (payout.txHash !== null && payout.txHash !== txHash) return { refusal: 'committedElsewhere' };
    payouts.push(payout);
  }

  // Nothing below may fail.
  for (const payout of payouts) {
    if (!isOutstanding(payout)) continue;
    payout.txHash = txHash;
    custody.pendingMicros -= BigInt(payout.amountMicros);
    custody.committedMicros += BigInt(payout.amountMicros);
  }
  return { payouts };
}

/** Paper cash cannot be deposited or withdrawn; the routes do not exist then, so this is a second safeguard. */
function hasCustody(state: State): boolean {
  return parametersOf(state).fundingMode === 'deposits';
}

const NO_CUSTODY = { refusal: 'notFound' } as const satisfies { refusal: ErrorName };
