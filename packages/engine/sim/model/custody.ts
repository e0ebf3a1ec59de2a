/** Custody in the model: deposits, held deposits and payouts; every sum is recomputed (DEP-1, DEP-2, PAY-2, PAY-3). */

import type { ErrorName } from '@venue/protocol';
import type { WithdrawCommand } from '../../src/entry/command.ts';
import type { CommitCommand, DepositCommand, ReleaseCommand } from '../../src/entry/custody-command.ts';
import { clamp, least, MOST, positive, sum } from './numbers.ts';
import type { ModelAccount, ModelPayout } from './records.ts';
import { buyingPower, locked, makerExposure } from './risk.ts';
import { accountAt, MAKER, type ModelState, openAccount, parametersOf } from './state.ts';

type Refusal = { refusal: ErrorName };

/** Maximum number of outstanding payouts per account. */
const OUTSTANDING_MAX = 16;

export function takeDeposit(
  state: ModelState,
  command: DepositCommand,
): Refusal | { status: 'credited' | 'duplicate' | 'held' } {
  if (!hasCustody(state)) return { refusal: 'notFound' };
  const { kind: _, chainId, vault, ...deposit } = command;
  const { binding } = state;
  if (binding !== null && !(binding.chainId === chainId && binding.vault === vault)) {
    state.notes.push(vault === undefined ? 'deposit of no vault' : 'deposit of another vault');
    return { refusal: 'otherVault' };
  }
  const known = state.deposits.find(
    ({ txHash, logIndex }) => txHash === deposit.txHash && logIndex === deposit.logIndex,
  );
  if (known !== undefined) {
    const fields = Object.keys(deposit) as (keyof typeof deposit)[];
    const others = fields.filter((field) => known[field] !== deposit[field]);
    if (others.length === 0) return { status: 'duplicate' };
    state.notes.push(`deposit with another ${others.join(' and ')}`);
    return { refusal: 'depositConflict' };
  }
  const siblings = state.deposits.filter(({ txHash }) => txHash === deposit.txHash);
  const { blockNumber, blockHash } = deposit;
  if (siblings.some((one) => one.blockNumber !== blockNumber || one.blockHash !== blockHash)) {
    state.notes.push('deposit of a transaction from another block');
    return { refusal: 'depositConflict' };
  }
  if (siblings.length > 0) state.notes.push('deposit beside another of its transaction');
  const amount = BigInt(deposit.amountMicros);
  if (paidIn(state) + amount > paidInMax) return { refusal: 'depositTooLarge' };
  if (paidIn(state) + amount === paidInMax) state.notes.push('deposit up to all that the ledger can hold');
  state.isBindingUnused = false;
  if (binding?.funder === deposit.address) {
    state.deposits.push({ ...deposit, isOfHouse: true });
    state.accounts[MAKER]!.cash += amount;
    state.notes.push('deposit of the funder');
    return { status: 'credited' };
  }
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
  const held = account === undefined ? [] : heldOf(state, account);
  if (account === undefined || !(account.frozen || held.length > 0)) return { refusal: 'nothingHeld' };
  if (!account.frozen) state.notes.push('release of a deposit held in doubt');
  const released = sum(held);
  account.frozen = false;
  for (const doubted of state.doubted.filter((one) => one.address === address))
    state.doubted.splice(state.doubted.indexOf(doubted), 1);
  account.cash += released;
  return { account, released };
}

export function withdraw(
  state: ModelState,
  account: ModelAccount,
  command: WithdrawCommand,
): Refusal | { need: bigint; have: bigint } | { least: bigint } | { payout: ModelPayout } {
  if (!hasCustody(state)) return { refusal: 'notFound' };
  const amount = BigInt(command.amountMicros);
  if (amount <= 0n) return { refusal: 'amountNotPositive' };
  if (account.frozen) return { refusal: 'accountFrozen' };
  if (state.frozenWithdrawals.includes(account.address!)) return { refusal: 'withdrawalsFrozen' };
  const isOfHouse = state.binding?.funder === account.address;
  if (!isOfHouse) noteGate(state, account, amount);
  const have = isOfHouse ? freeCapital(state) : withdrawable(state, account);
  if (amount > have) return { need: amount, have };
  const smallest = BigInt(parametersOf(state).payoutMinMicros);
  if (amount < smallest && amount !== have) return { least: smallest };
  if (amount < smallest) state.notes.push('withdrawal of a small rest');
  if (outstandingOf(state, account).length >= OUTSTANDING_MAX) return { refusal: 'tooManyWithdrawals' };
  (isOfHouse ? state.accounts[MAKER]! : account).cash -= amount;
  if (isOfHouse) state.notes.push('withdrawal of the funder');
  const id = state.payouts.length + 1;
  const payout: ModelPayout = {
    ...{ id, payoutId: Number(BigInt(state.epoch) * 2n ** 40n) + id, owner: account.index, amount },
    ...{ requestedAt: state.ts, isOfHouse, isAdopted: false, proof: proofOf(account, command) },
    ...{ txHash: null, voidedAt: null, waits: null, approvals: [] },
  };
  state.payouts.push(payout);
  return { payout };
}

function proofOf(account: ModelAccount, { authorization }: WithdrawCommand): ModelPayout['proof'] {
  if (authorization === undefined) return null;
  const session = account.sessions.find(({ key }) => key === authorization.sessionKey)!;
  const { expiresAt, approval, attestation } = session;
  return { ...authorization, expiresAt, approval: approval!, attestation };
}

/** Capital that backs no position of the maker, out of what was funded and of its cash. */
function freeCapital(state: ModelState): bigint {
  const maker = state.accounts[MAKER]!;
  return positive(least(least(maker.cash, houseFunded(state)), houseLine(state) - makerExposure(state)));
}

/** Deposits of funders, less what they took out. */
export function houseFunded(state: ModelState): bigint {
  const funded = state.deposits.filter(({ isOfHouse }) => isOfHouse).map((one) => BigInt(one.amountMicros));
  const taken = state.payouts.filter((one) => one.isOfHouse && one.voidedAt === null);
  return sum(funded) - sum(taken.map(({ amount }) => amount));
}

/** The exposure that the maker may have. */
export function houseLine(state: ModelState): bigint {
  const { houseLineFunded, houseLineMicros } = parametersOf(state);
  return houseLineFunded && state.binding !== null ? houseFunded(state) : BigInt(houseLineMicros);
}

export function committedOf({ payouts }: ModelState): bigint {
  return sum(payouts.filter(({ txHash }) => txHash !== null).map(({ amount }) => amount));
}

export function depositedOf({ deposits }: ModelState): bigint {
  return sum(deposits.map(({ amountMicros }) => BigInt(amountMicros)));
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
  const isWrong = (payout?: ModelPayout) =>
    payout === undefined || payout.voidedAt !== null || ![null, txHash].includes(payout.txHash);
  if (named.some(isWrong)) {
    if (named.some((payout) => payout?.txHash === null)) state.notes.push('commit refused as a whole');
    const wrong = named.find(isWrong);
    if (wrong === undefined) return { refusal: 'unknownWithdrawal' };
    return { refusal: wrong.voidedAt === null ? 'committedElsewhere' : 'payoutVoided' };
  }
  const payouts = named.map((payout) => payout!);
  if (payouts.some((payout) => payout.txHash === txHash)) state.notes.push('commit repeated');
  if (new Set(ids).size < ids.length) state.notes.push('payout named twice in a commit');
  if (new Set(payouts.map(({ owner }) => owner)).size > 1) state.notes.push('commit for several accounts');
  if (payouts.some((payout) => payout.txHash === null)) state.isBindingUnused = false;
  for (const payout of payouts) Object.assign(payout, { txHash, waits: null });
  return { payouts };
}

/** Deposits minus withdrawals. */
export function paidIn(state: ModelState): bigint {
  const withdrawn = state.payouts.filter(({ voidedAt }) => voidedAt === null);
  return depositedOf(state) - sum(withdrawn.map(({ amount }) => amount));
}

/** Half the exact range. */
export const paidInMax = MOST / 2n;

/** An account's held deposits: all deposits of its address until the release, and those that an operator doubts. */
export function heldOf(state: ModelState, { frozen, address }: ModelAccount): bigint[] {
  const own = state.deposits.filter((one) => one.address === address && !one.isOfHouse);
  const held = own.filter((one) => frozen || state.doubted.includes(one));
  return held.map(({ amountMicros }) => BigInt(amountMicros));
}

export function outstandingOf(state: ModelState, { index }: ModelAccount): ModelPayout[] {
  return state.payouts.filter(
    ({ owner, txHash, voidedAt }) => owner === index && txHash === null && voidedAt === null,
  );
}

function depositedBy(state: ModelState, { address }: ModelAccount): bigint {
  const own = state.deposits.filter((deposit) => deposit.address === address);
  return sum(own.map(({ amountMicros }) => BigInt(amountMicros)));
}

export function hasCustody(state: ModelState): boolean {
  return parametersOf(state).fundingMode === 'deposits';
}
