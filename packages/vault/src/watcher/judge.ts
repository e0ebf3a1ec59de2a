/** Separates deposits to report to the exchange from those it already knows. A log credits exactly once. */

import { MICROS_MAX } from '@venue/protocol';
import { AlarmError } from '../chain/alarm.ts';
import { usdText } from '../chain/amounts.ts';
import { ChainError } from '../chain/errors.ts';
import { logKey } from '../chain/parse.ts';
import type { VaultDeposit } from '../events/vault-logs.ts';
import type { Deposit, WatcherState } from './state.ts';

export interface Judgement {
  /** To be reported to the exchange. */
  readonly fresh: readonly Deposit[];
  /** Credited in a block that is gone, and found again in another. */
  readonly refound: readonly Deposit[];
  /** More than the exchange can count: never reported, and left to a person. */
  readonly uncountable: readonly VaultDeposit[];
  /** Doubtful deposits that are settled: found again, or dealt with by hand. */
  readonly released: ReadonlySet<Deposit>;
}

/**
 * Judges all deposits of a range before any is reported. Throws `AlarmError` for one that contradicts a credit
 * from before a reorg, because reporting it would credit the same money twice.
 */
export function judge(
  found: readonly VaultDeposit[],
  state: Pick<WatcherState, 'credited' | 'doubtful'>,
  skip: ReadonlySet<string>,
): Judgement {
  const credited = byKey(state.credited);
  const doubtful = byKey(state.doubtful);
  const released = new Set(state.doubtful.filter((deposit) => skip.has(logKey(deposit))));
  const fresh: Deposit[] = [];
  const refound: Deposit[] = [];
  const wanted = found.filter((deposit) => !skip.has(logKey(deposit)));
  for (const deposit of wanted.filter(isCountable).map(counted)) {
    const before = doubtful.get(logKey(deposit));
    if (before !== undefined) {
      refound.push(sameMoney(before, deposit));
      released.add(before);
    } else if (!isKnown(deposit, credited)) fresh.push(deposit);
  }
  const missing = state.doubtful.filter((deposit) => !released.has(deposit));
  for (const deposit of fresh) checkNotMoved(deposit, missing);
  return { fresh, refound, uncountable: wanted.filter((deposit) => !isCountable(deposit)), released };
}

function byKey(deposits: readonly Deposit[]): Map<string, Deposit> {
  return new Map(deposits.map((deposit) => [logKey(deposit), deposit]));
}

function isCountable({ amount }: VaultDeposit): boolean {
  return amount <= BigInt(MICROS_MAX);
}

function counted(found: VaultDeposit): Deposit {
  if (found.amount <= 0n) throw new ChainError(`a deposit of nothing in ${logKey(found)}`);
  return { ...found, amount: Number(found.amount) };
}

function isKnown(deposit: Deposit, credited: ReadonlyMap<string, Deposit>): boolean {
  const known = credited.get(logKey(deposit));
  if (known === undefined) return false;
  if (known.blockHash !== deposit.blockHash)
    throw new ChainError(`the deposit ${logKey(deposit)} is in two blocks`);
  return true;
}

function sameMoney(before: Deposit, after: Deposit): Deposit {
  if (before.address === after.address && before.amount === after.amount) return after;
  throw new AlarmError(
    `the log ${logKey(after)} was credited as ${describe(before)} and is ${describe(after)} after a reorg`,
  );
}

function checkNotMoved(deposit: Deposit, missing: readonly Deposit[]): void {
  const before = missing.find(({ txHash }) => txHash === deposit.txHash);
  if (before === undefined) return;
  throw new AlarmError(
    `a reorg moved the credited deposit ${logKey(before)} of ${describe(before)} to ${logKey(deposit)}; ` +
      `it is credited already: check it, then name both in VENUE_WATCHER_SKIP`,
  );
}

/** A deposit for people. */
export function describe({ amount, address }: VaultDeposit | Deposit): string {
  return `${usdText(BigInt(amount))} of ${address}`;
}
