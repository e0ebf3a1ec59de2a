/** The operator's part of custody in the model: the binding, epochs, and what can be put right (CUS-1, CUS-3, CUS-4). */

import { type ErrorName, MESSAGES, type Micros } from '@venue/protocol';
import type {
  AdoptCommand,
  ApprovePayoutCommand,
  BindCommand,
  EpochCommand,
  FreezeWithdrawalsCommand,
  HaltPayoutsCommand,
  HoldDepositCommand,
  OperatorCommand,
  OverstepCommand,
  PayoutWaitCommand,
  ReleaseCommand,
  ReverseDepositCommand,
  VoidCommand,
} from '../../src/entry/custody-command.ts';
import type { Binding, BindRequest } from '../../src/state/custody.ts';
import { committedOf, depositedOf, hasCustody, heldOf, paidIn, releaseHeld } from './custody.ts';
import { areStrangers, nameOf } from './hand-settlement.ts';
import type { ModelAccount, ModelDeposit, ModelPayout } from './records.ts';
import { buyingPower } from './risk.ts';
import { accountAt, MAKER, type ModelState, openAccount } from './state.ts';

type Refusal = { refusal: ErrorName };
export type RepairCommand =
  | Exclude<OperatorCommand, ReleaseCommand | OverstepCommand>
  | HaltPayoutsCommand
  | PayoutWaitCommand;
type ModelOutcome = Refusal | object;

const EPOCH_SPAN = 2n ** 40n;
const APPROVALS_MAX = 8;

/** Every attempt is audited, except what the batcher reports by itself. */
export function repair(state: ModelState, command: RepairCommand): ModelOutcome {
  if (!hasCustody(state)) return { refusal: 'notFound' };
  const outcome = outcomeOf(state, command);
  if (command.kind !== 'halt-payouts' && command.kind !== 'payout-wait') audit(state, command, outcome);
  return outcome;
}

/** A release is audited once it has a name (OPS-2). */
export function release(
  state: ModelState,
  command: ReleaseCommand,
): Refusal | { account: ModelAccount; released: bigint } {
  const outcome = releaseHeld(state, command);
  if (command.by !== undefined && hasCustody(state)) audit(state, command, outcome);
  return outcome;
}

/** Refused and audited, on paper too (OPS-2). */
export function overstep(state: ModelState, command: OverstepCommand): Refusal {
  const outcome = { refusal: 'wrongRole' } as const;
  audit(state, command, outcome);
  return outcome;
}

function audit(state: ModelState, command: OperatorCommand, outcome: ModelOutcome): void {
  const { kind, by = null, ...terms } = command;
  const refused = 'refusal' in outcome ? MESSAGES[outcome.refusal].error : null;
  const reason = 'needMicros' in outcome ? 'the account can no longer spare it' : refused;
  const { seq, ts } = state;
  state.audit.push({
    n: state.audit.length + 1,
    ts,
    seq,
    by,
    action: kind,
    terms: JSON.stringify(terms),
    reason,
  });
}

function outcomeOf(state: ModelState, command: RepairCommand): ModelOutcome {
  switch (command.kind) {
    case 'bind':
      return bind(state, command);
    case 'epoch':
      return raise(state, command);
    case 'adopt':
      return adopt(state, command);
    case 'void':
      return voided(state, command);
    case 'freeze-withdrawals':
      return freeze(state, command);
    case 'hold-deposit':
      return holdInDoubt(state, command);
    case 'reverse-deposit':
      return reverse(state, command);
    case 'halt-payouts':
      state.halted = command.reason;
      return { halted: command.reason };
    case 'payout-wait':
      return wait(state, command);
    case 'approve-payout':
      return approvePayout(state, command);
  }
}

function bind(state: ModelState, { kind: _, secrets, by, ...binding }: BindCommand): ModelOutcome {
  if (!secrets.some(Boolean)) return { refusal: by === undefined ? 'wrongCredential' : 'wrongRole' };
  const before = state.binding;
  const past = [BigInt(binding.paidBeforeMicros), BigInt(binding.depositedBeforeMicros)] as const;
  const isAll = past[0] === committedOf(state) && past[1] === depositedOf(state);
  const isNone = past.every((amount) => amount === 0n);
  const isSameVault = before !== null && before.vault === binding.vault && before.chainId === binding.chainId;
  const hasPastOf = (one: Binding | null) =>
    one?.paidBeforeMicros === binding.paidBeforeMicros &&
    one.depositedBeforeMicros === binding.depositedBeforeMicros;
  const isBack = state.earlierBindings.some(
    (one) => one.vault === binding.vault && one.chainId === binding.chainId && hasPastOf(one),
  );
  const isCorrected = state.isBindingUnused && hasPastOf(before);
  const mayReplace = isAll || (before === null && isNone) || isBack || isCorrected;
  if (isSameVault ? !hasPastOf(before) : !mayReplace) return { refusal: 'pastDiffers' };
  const funder = binding.funder === null ? undefined : accountAt(state, binding.funder);
  const isUsed =
    funder !== undefined &&
    (funder.cash !== 0n || heldOf(state, funder).length > 0 || funder.positions.size > 0);
  if (isUsed && before?.funder !== binding.funder) return { refusal: 'funderTrades' };
  if (!secrets.every(Boolean)) {
    const asking = { secret: secrets[0] ? 1 : 2, ...(by !== undefined && { by }) } as const;
    const same = (one: BindRequest) => JSON.stringify(one.binding) === JSON.stringify(binding);
    const isFresh = ({ ts }: BindRequest) => state.ts - ts < 15 * 60_000;
    const other = state.bindRequests.find((one) => areStrangers(one, asking) && same(one) && isFresh(one));
    state.notes.push(other === undefined ? 'bind asked by one' : 'bound by two people');
    if (other?.by !== undefined) state.notes.push('bound by two names');
    if (other === undefined) {
      const others = state.bindRequests.filter((one) => nameOf(one) !== nameOf(asking));
      state.bindRequests = [...others, { ...asking, binding, ts: state.ts }];
      return { binding, isBound: false };
    }
  }
  state.bindRequests = [];
  state.notes.push(before === null ? 'bound first' : isSameVault ? 'bound again' : 'bound to another vault');
  if (!isSameVault) {
    if (before !== null && !state.isBindingUnused) {
      const isOther = (one: Binding) => one.vault !== before.vault || one.chainId !== before.chainId;
      state.earlierBindings = [...state.earlierBindings.filter(isOther), before];
    }
    state.isBindingUnused = true;
  }
  state.binding = binding;
  return { binding, isBound: true };
}

function raise(state: ModelState, { epoch }: EpochCommand): ModelOutcome {
  if (epoch !== state.epoch + 1 || epoch > 8_191) return { refusal: 'notNextEpoch' };
  state.epoch = epoch;
  return { epoch };
}

function adopt(state: ModelState, command: AdoptCommand): ModelOutcome {
  const { payoutId, address, amountMicros, txHash } = command;
  const known = state.payouts.find((one) => one.payoutId === payoutId && one.voidedAt === null);
  if (known !== undefined) {
    const owner = state.accounts[known.owner]!;
    const isSame =
      owner.address === address && known.amount === BigInt(amountMicros) && known.txHash === txHash;
    return isSame ? { payout: known } : { refusal: 'payoutKnown' };
  }
  const existing = accountAt(state, address);
  if (existing?.frozen) return { refusal: 'accountFrozen' };
  if (BigInt(payoutId) >= BigInt(state.epoch) * EPOCH_SPAN) return { refusal: 'payoutOfThisEpoch' };
  const amount = BigInt(amountMicros);
  if (amount > paidIn(state)) return { refusal: 'depositsMissing' };
  const account = existing ?? openAccount(state, 'trader', address);
  const isOfHouse = state.binding?.funder === address;
  const payer = isOfHouse ? state.accounts[MAKER]! : account;
  payer.cash -= amount;
  if (isOfHouse) state.notes.push('payout of the house adopted');
  else if (account.cash < 0n) state.notes.push('adopted into debt');
  const payout: ModelPayout = {
    ...{ id: state.payouts.length + 1, payoutId, owner: account.index, amount, requestedAt: state.ts },
    ...{ txHash, isOfHouse, isAdopted: true, proof: null, voidedAt: null, waits: null, approvals: [] },
  };
  state.payouts.push(payout);
  state.isBindingUnused = false;
  return { payout };
}

function voided(state: ModelState, { id }: VoidCommand): ModelOutcome {
  const payout = requested(state, id);
  if ('refusal' in payout) return payout;
  payout.voidedAt = state.ts;
  payout.waits = null;
  if (payout.isOfHouse) {
    state.accounts[MAKER]!.cash += payout.amount;
    state.notes.push('payout of the house voided');
  } else state.accounts[payout.owner]!.cash += payout.amount;
  return { payout };
}

function requested(state: ModelState, id: number): ModelPayout | Refusal {
  const payout = state.payouts.find((one) => one.id === id);
  if (payout === undefined) return { refusal: 'unknownWithdrawal' };
  return payout.txHash === null && payout.voidedAt === null ? payout : { refusal: 'payoutNotRequested' };
}

function freeze(state: ModelState, { address, frozen }: FreezeWithdrawalsCommand): ModelOutcome {
  if (accountAt(state, address) === undefined) return { refusal: 'unknownAccount' };
  state.frozenWithdrawals = state.frozenWithdrawals.filter((one) => one !== address);
  if (frozen) state.frozenWithdrawals.push(address);
  return { address, frozen };
}

function holdInDoubt(state: ModelState, command: HoldDepositCommand): ModelOutcome {
  const deposit = depositOf(state, command);
  if (deposit === undefined) return { refusal: 'unknownDeposit' };
  if (state.doubted.includes(deposit)) return { refusal: 'heldAlready' };
  if (deposit.isOfHouse) return { refusal: 'depositOfHouse' };
  const account = accountAt(state, deposit.address)!;
  if (!account.frozen) {
    const haveMicros = Number(buyingPower(state, account));
    if (deposit.amountMicros > haveMicros) return { needMicros: deposit.amountMicros, haveMicros };
    account.cash -= BigInt(deposit.amountMicros);
  } else state.notes.push('deposit of a stranger held in doubt');
  state.doubted.push(deposit);
  return { account: account.index, amountMicros: deposit.amountMicros };
}

function reverse(state: ModelState, command: ReverseDepositCommand): ModelOutcome {
  const deposit = depositOf(state, command);
  if (deposit === undefined) return { refusal: 'unknownDeposit' };
  if (!state.doubted.includes(deposit)) return { refusal: 'depositNotHeld' };
  state.doubted.splice(state.doubted.indexOf(deposit), 1);
  const place = state.deposits.indexOf(deposit);
  const before = state.deposits.slice(0, place).reduce((sum, one) => sum + one.amountMicros, 0);
  const without = (one: Binding): Binding => {
    if (one.depositedBeforeMicros <= before) return one;
    return { ...one, depositedBeforeMicros: (one.depositedBeforeMicros - deposit.amountMicros) as Micros };
  };
  if (state.binding !== null) state.binding = without(state.binding);
  state.earlierBindings = state.earlierBindings.map(without);
  state.deposits.splice(place, 1);
  return { account: accountAt(state, deposit.address)!.index, amountMicros: deposit.amountMicros };
}

function depositOf(
  { deposits }: ModelState,
  { txHash, logIndex }: HoldDepositCommand | ReverseDepositCommand,
): ModelDeposit | undefined {
  return deposits.find((one) => one.txHash === txHash && one.logIndex === logIndex);
}

function wait(state: ModelState, { id, reason }: PayoutWaitCommand): ModelOutcome {
  const payout = requested(state, id);
  if ('refusal' in payout) return payout;
  payout.waits = reason;
  return { payout };
}

function approvePayout(state: ModelState, { id, approver, signature }: ApprovePayoutCommand): ModelOutcome {
  const payout = requested(state, id);
  if ('refusal' in payout) return payout;
  const others = payout.approvals.filter((one) => one.approver !== approver);
  if (others.length === APPROVALS_MAX) return { refusal: 'tooManyApprovals' };
  payout.approvals = [...others, { approver, signature }];
  return { payout };
}
