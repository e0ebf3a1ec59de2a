/** The vault's deposits: credited once, held for strangers, and held or taken back where an operator doubts them. */

import type { Micros } from '@venue/protocol';
import { openAccount } from '../accounts/opening.ts';
import type {
  DepositCommand,
  HoldDepositCommand,
  ReleaseCommand,
  ReverseDepositCommand,
} from '../entry/custody-command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf, Refused } from '../entry/outcome.ts';
import { buyingPowerMicros } from '../risk/margin.ts';
import type { Account } from '../state/account.ts';
import type { Binding } from '../state/custody.ts';
import { hold, holdCash, payIn, release, takeBackHeld } from '../state/ledger.ts';
import { FUNDED_MAX_MICROS } from '../state/limits.ts';
import type { Deposit } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { auditAction } from './audit.ts';
import { giveToHouse, isFunder } from './house.ts';
import { hasCustody, NO_CUSTODY } from './mode.ts';

/**
 * Credits a deposit once (DEP-1). A deposit for an address without an account is held, like all further ones until the
 * release: owed to the owner, but out of reach (DEP-2). A bound ledger takes deposits of its vault only (CUS-1), and
 * credits those of the funder to the maker, as capital of the house (CUS-8).
 */
export function takeDeposit(
  state: State,
  effects: Effects,
  { kind: _, chainId, vault, ...deposit }: DepositCommand,
): OutcomeOf<'deposit'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const { binding, deposits } = state.custody;
  if (binding !== null && (binding.chainId !== chainId || binding.vault !== vault)) return OTHER_VAULT;
  const known = deposits.get(depositKey(deposit));
  if (known !== undefined) return isSame(known, deposit) ? { status: 'duplicate' } : CONFLICT;
  if (isFromAnotherBlock(state, deposit)) return CONFLICT;
  if (state.fundedMicros + deposit.amountMicros > FUNDED_MAX_MICROS) return { refusal: 'depositTooLarge' };

  // Nothing below may fail.
  state.custody.isBindingUnused = false;
  if (isFunder(state, deposit)) return fundHouse(state, effects, deposit);
  recordDeposit(state, deposit);
  const { account, opened } = openAccount(state, effects, deposit.address);
  if (opened) account.frozen = true;
  const { amountMicros: cashMicros, txHash } = deposit;
  (account.frozen ? hold : payIn)(state, account, cashMicros);
  if (!account.frozen) effects.cashMoved(account, { kind: 'deposit', cashMicros, txHash });
  effects.accountChanged(account);
  return { status: account.frozen ? 'held' : 'credited' };
}

function fundHouse(state: State, effects: Effects, deposit: Deposit): OutcomeOf<'deposit'> {
  recordDeposit(state, { ...deposit, isOfHouse: true });
  giveToHouse(state, effects, deposit.amountMicros);
  return { status: 'credited' };
}

/** Remembers a deposit by its log, and its transaction by the block that it was seen in (CUS-2). */
export function recordDeposit({ custody }: State, deposit: Deposit): void {
  const { deposits, firstOfTransaction } = custody;
  deposits.set(depositKey(deposit), deposit);
  custody.depositedMicros += BigInt(deposit.amountMicros);
  const first = firstOfTransaction.get(deposit.txHash);
  if (first === undefined) firstOfTransaction.set(deposit.txHash, deposit);
  else if (first !== null && !isInSameBlock(first, deposit)) firstOfTransaction.set(deposit.txHash, null);
}

/** A binding that no longer counts a deposit among those of earlier vaults, which come first (CUS-1). */
function bindingWithout({ deposits }: State['custody'], binding: Binding, deposit: Deposit): Binding {
  let left: number = binding.depositedBeforeMicros;
  for (const one of deposits.values()) {
    if (left <= 0) return binding;
    if (one === deposit) break;
    left -= one.amountMicros;
  }
  return {
    ...binding,
    depositedBeforeMicros: (binding.depositedBeforeMicros - deposit.amountMicros) as Micros,
  };
}

/** Forgets a deposit, so that the chain's true one can be credited. */
function forgetDeposit({ custody }: State, deposit: Deposit): void {
  const { binding, deposits, firstOfTransaction, doubted } = custody;
  const key = depositKey(deposit);
  if (binding !== null) custody.binding = bindingWithout(custody, binding, deposit);
  custody.earlierBindings = custody.earlierBindings.map((one) => bindingWithout(custody, one, deposit));
  deposits.delete(key);
  doubted.delete(key);
  custody.depositedMicros -= BigInt(deposit.amountMicros);
  const others = [...deposits.values()].filter(({ txHash }) => txHash === deposit.txHash);
  const [first] = others;
  if (first === undefined) firstOfTransaction.delete(deposit.txHash);
  else
    firstOfTransaction.set(deposit.txHash, others.every((one) => isInSameBlock(first, one)) ? first : null);
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
export function depositKey({ txHash, logIndex }: Pick<Deposit, 'txHash' | 'logIndex'>): string {
  return `${txHash}:${logIndex}`;
}

function isSame(a: Deposit, b: Deposit): boolean {
  return a.address === b.address && a.amountMicros === b.amountMicros && isInSameBlock(a, b);
}

const CONFLICT: Refused = { refusal: 'depositConflict' };
const OTHER_VAULT: Refused = { refusal: 'otherVault' };

/**
 * Pays the held deposits into the account, and ends the freeze and every doubt (DEP-2, FINE-12, CUS-4). Audited where it has
 * a name, as every one has since logs know names (OPS-2).
 */
export function releaseHeld(state: State, effects: Effects, command: ReleaseCommand): OutcomeOf<'release'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const outcome = tryRelease(state, effects, command);
  if (command.by !== undefined) auditAction(state, command, outcome);
  return outcome;
}

function tryRelease(state: State, effects: Effects, { address }: ReleaseCommand): OutcomeOf<'release'> {
  const account = state.accountByAddress.get(address);
  if (account === undefined || !(account.frozen || account.heldCount > 0)) return { refusal: 'nothingHeld' };

  // Nothing below may fail.
  const releasedMicros = release(account);
  account.frozen = false;
  const { deposits, doubted } = state.custody;
  for (const key of doubted) if (deposits.get(key)!.address === address) doubted.delete(key);
  effects.cashMoved(account, { kind: 'release', cashMicros: releasedMicros });
  effects.accountChanged(account);
  return { account, releasedMicros };
}

/**
 * Takes a credited deposit out of its owner's reach until a release or a reversal (CUS-4). Refused where the account
 * can no longer spare the amount. A deposit that is held anyway, for a stranger, is only marked.
 */
export function holdDeposit(
  state: State,
  effects: Effects,
  command: HoldDepositCommand,
): OutcomeOf<'hold-deposit'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const outcome = tryHold(state, effects, command);
  auditAction(state, command, outcome);
  return outcome;
}

function tryHold(state: State, effects: Effects, command: HoldDepositCommand): OutcomeOf<'hold-deposit'> {
  const { deposits, doubted } = state.custody;
  const key = depositKey(command);
  const deposit = deposits.get(key);
  if (deposit === undefined) return { refusal: 'unknownDeposit' };
  if (doubted.has(key)) return { refusal: 'heldAlready' };
  if (deposit.isOfHouse) return { refusal: 'depositOfHouse' };
  const account = ownerOf(state, deposit);
  const { amountMicros } = deposit;
  if (!account.frozen) {
    const haveMicros = buyingPowerMicros(state, account);
    if (amountMicros > haveMicros) return { needMicros: amountMicros, haveMicros };
    holdCash(account, amountMicros);
    effects.cashMoved(account, { kind: 'hold', cashMicros: -amountMicros as Micros });
  }
  doubted.add(key);
  effects.accountChanged(account);
  return { account, amountMicros };
}

/**
 * Takes back a deposit that is held in doubt, because the chain does not have it (CUS-4). The ledger forgets it, so
 * that the watcher can credit what the chain has instead.
 */
export function reverseDeposit(
  state: State,
  effects: Effects,
  command: ReverseDepositCommand,
): OutcomeOf<'reverse-deposit'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const outcome = tryReverse(state, effects, command);
  auditAction(state, command, outcome);
  return outcome;
}

function tryReverse(
  state: State,
  effects: Effects,
  command: ReverseDepositCommand,
): OutcomeOf<'reverse-deposit'> {
  const { deposits, doubted } = state.custody;
  const key = depositKey(command);
  const deposit = deposits.get(key);
  if (deposit === undefined) return { refusal: 'unknownDeposit' };
  if (!doubted.has(key)) return { refusal: 'depositNotHeld' };

  // Nothing below may fail.
  const account = ownerOf(state, deposit);
  takeBackHeld(state, account, deposit.amountMicros);
  forgetDeposit(state, deposit);
  effects.accountChanged(account);
  return { account, amountMicros: deposit.amountMicros };
}

/** The first deposit of an address opens its account. */
function ownerOf({ accountByAddress }: State, { address }: Deposit): Account {
  return accountByAddress.get(address)!;
}
