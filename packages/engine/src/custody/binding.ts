/** The vault that the ledger is bound to (CUS-1), and the ledger's epoch (CUS-3). */

import type { ErrorName, Micros } from '@venue/protocol';
import type { BindCommand, EpochCommand } from '../entry/custody-command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import type { Binding, Custody } from '../state/custody.ts';
import { areTwo, halfOf, isSamePerson } from '../state/halves.ts';
import { BIND_REQUEST_MS, EPOCH_MAX } from '../state/limits.ts';
import type { State } from '../state/state.ts';
import { auditAction } from './audit.ts';
import { hasCustody, NO_CUSTODY } from './mode.ts';

/**
 * Binds the ledger to a vault, or to another one after it. Takes both settlement secrets, at once or by two people who
 * ask for the same, one after the other; every attempt is audited. What earlier vaults took and paid is either nothing,
 * for the vault that the ledger has used so far, or everything that the ledger has recorded: then the new vault starts
 * from zero, and what the old one committed must have been noted first. A vault that was bound before may also be bound
 * with the past that it had then, and any vault in the place of one that nothing was credited from.
 */
export function bind(state: State, effects: Effects, command: BindCommand): OutcomeOf<'bind'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const refusal = bindRefusal(state, command);
  const outcome =
    refusal === null
      ? { binding: bindingOf(command), isBound: isAskedByBoth(state, command) }
      : ({ refusal } as const);
  auditAction(state, command, outcome);
  if ('refusal' in outcome) return outcome;

  // Nothing below may fail.
  const { custody } = state;
  const { binding, isBound } = outcome;
  if (isBound) {
    const isSame = custody.binding !== null && isSameVault(custody.binding, binding);
    if (!isSame) {
      keepReplaced(custody);
      custody.isBindingUnused = true;
    }
    custody.binding = binding;
    custody.bindRequests = [];
    for (const account of state.accounts) if (account.role !== 'trader') effects.accountChanged(account);
  } else {
    const half = halfOf(command);
    const others = custody.bindRequests.filter((request) => !isSamePerson(request, half));
    custody.bindRequests = [...others, { ...half, binding, ts: state.ts }];
  }
  return outcome;
}

/** Remembers the binding that ends, if it was ever used. */
function keepReplaced(custody: Custody): void {
  const { binding, isBindingUnused, earlierBindings } = custody;
  if (binding === null || isBindingUnused) return;
  custody.earlierBindings = [...earlierBindings.filter((one) => !isSameVault(one, binding)), binding];
}

function isSameVault(a: Pick<Binding, 'chainId' | 'vault'>, b: Pick<Binding, 'chainId' | 'vault'>): boolean {
  return a.chainId === b.chainId && a.vault === b.vault;
}

/** True with both secrets, or if another person asked for the same not long ago. */
function isAskedByBoth({ custody, ts }: State, command: BindCommand): boolean {
  const [first, second] = command.secrets;
  if (first && second) return true;
  const half = halfOf(command);
  return custody.bindRequests.some(
    (other) =>
      areTwo(other, half) &&
      ts < other.ts + BIND_REQUEST_MS &&
      isSameBinding(other.binding, bindingOf(command)),
  );
}

function isSameBinding(a: Binding, b: Binding): boolean {
  return (
    isSameVault(a, b) &&
    a.paidBeforeMicros === b.paidBeforeMicros &&
    a.depositedBeforeMicros === b.depositedBeforeMicros &&
    a.funder === b.funder
  );
}

function bindingOf(command: BindCommand): Binding {
  const { chainId, vault, paidBeforeMicros, depositedBeforeMicros, funder } = command;
  return { chainId, vault, paidBeforeMicros, depositedBeforeMicros, funder };
}

function bindRefusal(state: State, command: BindCommand): ErrorName | null {
  const { secrets, funder, by } = command;
  if (!secrets[0] && !secrets[1]) return by === undefined ? 'wrongCredential' : 'wrongRole';
  const { binding } = state.custody;
  const isKept = binding !== null && isSameVault(binding, command);
  if (!(isKept ? keepsPast(binding, command) : isPastConsistent(state, command))) return 'pastDiffers';
  if (funder === null || funder === binding?.funder) return null;
  return isUnused(state, funder) ? null : 'funderTrades';
}

/** A binding to the same vault changes the funder only. */
function keepsPast(binding: Binding, { paidBeforeMicros, depositedBeforeMicros }: BindCommand): boolean {
  return (
    paidBeforeMicros === binding.paidBeforeMicros && depositedBeforeMicros === binding.depositedBeforeMicros
  );
}

function isPastConsistent({ custody }: State, command: BindCommand): boolean {
  const { binding, isBindingUnused, earlierBindings, committedMicros, depositedMicros } = custody;
  // Back from a vault that was bound by mistake, or by a thief: what this one took and paid since counts for it again.
  const earlier = earlierBindings.find((one) => isSameVault(one, command));
  if (earlier !== undefined && keepsPast(earlier, command)) return true;
  const paid = BigInt(command.paidBeforeMicros);
  const deposited = BigInt(command.depositedBeforeMicros);
  if (binding !== null && isBindingUnused && keepsPast(binding, command)) return true;
  const isEverything = paid === committedMicros && deposited === depositedMicros;
  return isEverything || (binding === null && paid === 0n && deposited === 0n);
}

/** The funder's deposits are the house's, so the address may not be a trader's. */
function isUnused({ accountByAddress }: State, funder: BindCommand['funder'] & string): boolean {
  const account = accountByAddress.get(funder);
  if (account === undefined) return true;
  return account.cashMicros === (0 as Micros) && account.heldCount === 0 && account.positions.size === 0;
}

/**
 * Raises the ledger's epoch after it was restored from an old copy, so that payouts requested from now on get numbers
 * that no lost payout can have had. `epoch` names the new one: a repeated command changes nothing.
 */
export function raiseEpoch(state: State, command: EpochCommand): OutcomeOf<'epoch'> {
  if (!hasCustody(state)) return NO_CUSTODY;
  const { custody } = state;
  const isNext = command.epoch === custody.epoch + 1 && command.epoch <= EPOCH_MAX;
  const outcome = isNext ? { epoch: command.epoch } : ({ refusal: 'notNextEpoch' } as const);
  auditAction(state, command, outcome);
  if (isNext) custody.epoch = command.epoch;
  return outcome;
}
