/** Custody in the model: deposits, held deposits and payouts; every sum is recomputed (DEP-1, DEP-2, PAY-2, PAY-3). */

import type { ErrorName } from '@venue/protocol';
import type {
  CommitCommand,
  DepositCommand,
  ReleaseCommand,
  WithdrawCommand,
} from '../../src/entry/command.ts';
import { clamp, MOST, sum } from './numbers.ts';
import { buyingPower, locked } from './risk.ts';
import {
  accountAt,
  type ModelAccount,
  type ModelPayout,
  type ModelState,
  openAccount,
  parametersOf,
} from './state.ts';

type Refusal = { refusal: ErrorName };

/** Maximum number of outstanding payouts per account. */
const OUTSTANDING_MAX = 16;

export function takeDeposit(
  state: ModelState,
  command: DepositCommand,
): Refusal | { status: 'credited' | 'duplicate' | 'held' } {
  if (!hasCustody(state)) return { refusal: 'notFound' };
  const { kind: _, ...deposit } = command;
  const known = state.deposits.find(
    ({ txHash, logIndex }) => txHash === deposit.txHash && logIndex === deposit.logIndex,
  );
  if (known !== undefined) {
    const fields = Object.keys(known) as (keyof typeof known)[];
    const others = fields.filter((field) => known[field] !== deposit[field]);
    if (others.length === 0) return { status: 'duplicate' };
    state.notes.push(`deposit with another ${others.join(' and ')}`);
    return { refusal: 'depositConflict' };
  }
  const siblings = state.deposits.filter(({ txHash }) => txHash === deposit.txHash);
  const { blockNumber, blockHash } = deposit;
  if (siblings.some((one) => one.blockNumber !== blockNumber || one.blockHash !== blockHash)) {
    const level = parametersOf(state).version;
    state.notes.push(`deposit of a transaction from another block at level ${level < 3 ? 'below 3' : '3'}`);
    if (level >= 3) return { refusal: 'depositConflict' };
  } else if (siblings.length > 0) state.notes.push('deposit beside another of its transaction');
  const amount = BigInt(deposit.amountMicros);
  if (paidIn(state) + amount > paidInMax) return { refusal: 'depositTooLarge' };
  if (paidIn(state) + amount === paidInMax) state.notes.push('deposit up to all that the ledger can hold');
  state.deposits.push(deposit);
  return { status: credit(state, deposit.address, amount) };
}

/** A deposit for an address that never signed in freezes its account (DEP-2). */
function credit(state: ModelState, address: DepositCommand['address'], amount: bigint): 'credited' | 'held' {
  const known = accountAt(state, address);
  const account = known ?? openAccount(state, 'trader', address);
  if (known === undefined) account.frozen = true;
  if (account.frozen) {
    if (known !== undefined) state.notes.push('deposit held beside another');
    return 'held';
  }
  account.cash += amount;
  return 'credited';
}

export function releaseHeld(
  state: ModelState,
  { address }: ReleaseCommand,
): Refusal | { account: ModelAccount; released: bigint } {
  if (!hasCustody(state)) return { refusal: 'notFound' };
  const account = accountAt(state, address);
  if (account === undefined || !account.frozen) return { refusal: 'nothingHeld' };
  const released = sum(heldOf(state, account));
  account.frozen = false;
  account.cash += released;
  return { account, released };
}

export function withdraw(
  state: ModelState,
  account: ModelAccount,
  command: WithdrawCommand,
): Refusal | { need: bigint; have: bigint } | { payout: ModelPayout } {
  if (!hasCustody(state)) return { refusal: 'notFound' };
  const amount = BigInt(command.amountMicros);
  if (amount <= 0n) return { refusal: 'amountNotPositive' };
  if (account.frozen) return { refusal: 'accountFrozen' };
  noteGate(state, account, amount);
  const have = withdrawable(state, account);
  if (amount > have) return { need: amount, have };
  if (outstandingOf(state, account).length >= OUTSTANDING_MAX) return { refusal: 'tooManyWithdrawals' };
  account.cash -= amount;
  const payout: ModelPayout = {
    id: state.payouts.length + 1,
    owner: account.index,
    amount,
    requestedAt: state.ts,
    txHash: null,
  };
  state.payouts.push(payout);
  return { payout };
}

/** The gate exactly as specified: buying power, whose cash is already reduced, less pending withdrawals (PAY-2). */
export function withdrawable(state: ModelState, account: ModelAccount): bigint {
  const pending = sum(outstandingOf(state, account).map(({ amount }) => amount));
  return clamp(buyingPower(state, account) - pending);
}

function noteGate(state: ModelState, account: ModelAccount, amount: bigint): void {
  const have = withdrawable(state, account);
  const found: Record<string, boolean> = {
    'withdrawal of all that the gate lets through': amount === have,
    'withdrawal a micro past the gate': amount === have + 1n,
    'withdrawal stopped by what is locked': amount > have && amount <= have + locked(state, account),
    'withdrawal stopped by what is pending': amount > have && amount <= buyingPower(state, account),
    'withdrawal beside what is locked': amount <= have && locked(state, account) > 0n,
    'withdrawal of a profit': amount <= have && amount > depositedBy(state, account),
  };
  state.notes.push(...Object.keys(found).filter((situation) => found[situation]));
}

/** All of them, or none if one does not exist or was committed in another transaction (PAY-3). */
export function commit(
  state: ModelState,
  { ids, txHash }: CommitCommand,
): Refusal | { payouts: readonly ModelPayout[] } {
  if (!hasCustody(state)) return { refusal: 'notFound' };
  const named = ids.map((id) => state.payouts.find((payout) => payout.id === id));
  const isWrong = (payout?: ModelPayout) => payout === undefined || ![null, txHash].includes(payout.txHash);
  if (named.some(isWrong)) {
    if (named.some((payout) => payout?.txHash === null)) state.notes.push('commit refused as a whole');
    return { refusal: named.find(isWrong) === undefined ? 'unknownWithdrawal' : 'committedElsewhere' };
  }
  const payouts = named.map((payout) => payout!);
  if (payouts.some((payout) => payout.txHash === txHash)) state.notes.push('commit repeated');
  if (new Set(ids).size < ids.length) state.notes.push('payout named twice in a commit');
  if (new Set(payouts.map(({ owner }) => owner)).size > 1) state.notes.push('commit for several accounts');
  for (const payout of payouts) payout.txHash = txHash;
  return { payouts };
}

/** Deposits minus withdrawals. */
export function paidIn(state: ModelState): bigint {
  const deposited = state.deposits.map(({ amountMicros }) => BigInt(amountMicros));
  return sum(deposited) - sum(state.payouts.map(({ amount }) => amount));
}

/** Half the exact range. */
export const paidInMax = MOST / 2n;

/** An account's held deposits: all deposits of its address until the release. */
export function heldOf(state: ModelState, { frozen, address }: ModelAccount): bigint[] {
  const own = state.deposits.filter((deposit) => frozen && deposit.address === address);
  return own.map(({ amountMicros }) => BigInt(amountMicros));
}

export function outstandingOf(state: ModelState, { index }: ModelAccount): ModelPayout[] {
  return state.payouts.filter(({ owner, txHash }) => owner === index && txHash === null);
}

function depositedBy(state: ModelState, { address }: ModelAccount): bigint {
  const own = state.deposits.filter((deposit) => deposit.address === address);
  return sum(own.map(({ amountMicros }) => BigInt(amountMicros)));
}

function hasCustody(state: ModelState): boolean {
  return parametersOf(state).fundingMode === 'deposits';
}
