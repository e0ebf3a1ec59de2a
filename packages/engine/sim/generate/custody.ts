/**
 * Deposits and withdrawals: deposits once, twice and in conflict, withdrawals around the gate, payouts committed or
 * not.
 */

import type { Address, Hex, Micros } from '@venue/protocol';
import type { Command, WithdrawCommand } from '../../src/entry/command.ts';
import type { CommitCommand, DepositCommand, ReleaseCommand } from '../../src/entry/custody-command.ts';
import { outstandingOf, paidIn, paidInMax, withdrawable } from '../model/custody.ts';
import type { ModelAccount, ModelDeposit } from '../model/records.ts';
import { buyingPower, equity } from '../model/risk.ts';
import { accountAt, type ModelState } from '../model/state.ts';
import { generateQuotes } from './market.ts';
import { generateOrder } from './orders.ts';
import type { Step } from './step.ts';
import { addressOf, LARGEST, maybeSigned, type World } from './world.ts';

const DOLLAR = 1_000_000;
const OUTSTANDING_MAX = 16;

/** How a wallet gets its first money: usually after signing in, sometimes held and then usually released. */
export function funding(world: World, address: Address): (() => Command)[] {
  const { random, parameters } = world;
  const open = (): Command => ({ kind: 'open', address });
  const deposit = () => depositOf(world, address, usualAmount(world));
  if (parameters.fundingMode === 'paper' || random.chance(0.75)) return [open, deposit];
  return random.chance(0.7) ? [deposit, open, () => ({ kind: 'release', address })] : [deposit, open];
}

export function generateDeposit(world: World): DepositCommand {
  const { random, state } = world;
  const fresh = () => depositOf(world, depositorOf(world), usualAmount(world));
  const known = state.deposits;
  if (known.length === 0) return fresh();
  return random.weighted([
    [6, fresh],
    [1.5, (): DepositCommand => seenAgain(world, random.pick(known))],
    [1.5, () => conflicting(world)],
    [1, () => ({ ...fresh(), txHash: random.pick(known).txHash })],
    [1, () => beside(random.pick(known), fresh())],
    [0.5, () => depositOf(world, depositorOf(world), absurdAmount(world))],
  ])();
}

/** A trader, preferably one with held deposits, or an unknown wallet. */
function depositorOf({ random, state, traders }: World): Address {
  const frozen = state.accounts.filter((account) => account.frozen);
  if (frozen.length > 0 && random.chance(0.3)) return random.pick(frozen).address!;
  if (random.chance(0.85)) return random.pick(traders);
  const stranger = addressOf('a', 100 + state.accounts.length);
  if (traders.length < 8) traders.push(stranger);
  return stranger;
}

function usualAmount({ random }: World): number {
  return random.weighted([
    [4, random.pick([300, 10_000, 100_000]) * DOLLAR],
    [2, random.between(1, 5_000 * DOLLAR)],
    [1, random.between(1, 3)],
  ]);
}

/** As much as the ledger has room for, a micro more, or more than any ledger can contain. */
function absurdAmount({ random, state }: World): number {
  const room = Number(paidInMax - paidIn(state));
  return Math.min(Math.max(1, random.pick([room, room, room + 1, LARGEST])), LARGEST);
}

function depositOf({ random, state, now }: World, address: Address, amount: number): DepositCommand {
  return {
    kind: 'deposit',
    address,
    amountMicros: amount as Micros,
    txHash: hashOf(now() * 1_000 + state.deposits.length),
    logIndex: random.between(0, 3),
    blockNumber: state.deposits.length + 1,
    blockHash: hashOf(state.deposits.length),
    ...placeOf(state),
  };
}

/** The vault that the ledger is bound to. */
function placeOf({ binding }: ModelState): Pick<DepositCommand, 'chainId' | 'vault'> {
  return binding === null ? {} : { chainId: binding.chainId, vault: binding.vault };
}

function seenAgain({ state }: World, { isOfHouse: _, ...deposit }: ModelDeposit): DepositCommand {
  return { kind: 'deposit', ...deposit, ...placeOf(state) };
}

/** Another log of a known transaction, in its block. */
function beside({ txHash, blockNumber, blockHash }: ModelDeposit, fresh: DepositCommand): DepositCommand {
  return { ...fresh, txHash, blockNumber, blockHash };
}

/** A known deposit with one field changed. */
function conflicting(world: World): DepositCommand {
  const { random, state, traders } = world;
  const known = random.pick(state.deposits);
  const others = traders.filter((address) => address !== known.address);
  const change = random.pick<Partial<DepositCommand>>([
    { address: random.pick(others) },
    { amountMicros: (known.amountMicros + random.pick([1, -1])) as Micros },
    { blockNumber: known.blockNumber + 1 },
    { blockHash: hashOf(known.blockNumber + 1_000) },
  ]);
  return { ...seenAgain(world, known), ...change };
}

/** Usually of a held account; sometimes of another account, or of an unknown address. */
export function generateRelease({ random, state, traders }: World): ReleaseCommand {
  const frozen = state.accounts.filter((account) => account.frozen);
  const isMeant = frozen.length > 0 && random.chance(0.8);
  const other = () => (random.chance(0.8) ? random.pick(traders) : addressOf('a', 77_777));
  return { kind: 'release', address: isMeant ? random.pick(frozen).address! : other() };
}

export function generateWithdraw(world: World, trader = world.random.pick(world.traders)): WithdrawCommand {
  const account = accountAt(world.state, trader);
  const amount = account === undefined ? DOLLAR : withdrawalOf(world, account);
  return withdrawal(world, trader, amount);
}

function withdrawal(world: World, account: Address, amount: number): WithdrawCommand {
  const amountMicros = Math.max(-LARGEST, Math.min(amount, LARGEST)) as Micros;
  return { kind: 'withdraw', account, amountMicros, ...maybeSigned(world, account) };
}

/** Part of the withdrawable amount, all of it, a micro more or less, the limit of a different gate, or zero. */
function withdrawalOf({ random, state }: World, account: ModelAccount): number {
  const gate = Number(withdrawable(state, account));
  if (gate <= 0 && random.chance(0.7)) return random.between(1, 5_000 * DOLLAR);
  return random.weighted([
    [4, Math.max(1, Math.floor(gate * random.pick([0.05, 0.1, 0.4])))],
    [2, gate],
    [1, gate - 1],
    [2, gate + 1],
    [1, Number(buyingPower(state, account))],
    [1, Number(account.cash)],
    [0.5, Number(equity(state, account))],
    [1, random.between(1, 100)],
    [0.4, 0],
    [0.4, -random.between(1, 100)],
    [0.2, LARGEST],
  ]);
}

export function generateCommit(world: World): CommitCommand {
  const { random, state, now } = world;
  const ids = (isCommitted: boolean) =>
    state.payouts
      .filter(({ txHash, voidedAt }) => voidedAt === null && (txHash !== null) === isCommitted)
      .map(({ id }) => id);
  const [requested, committed] = [ids(false), ids(true)];
  const fresh = hashOf(now());
  const some = requested.filter(() => random.chance(0.6));
  const past = committed.length === 0 ? undefined : state.payouts[random.pick(committed) - 1]!;
  const again = past === undefined ? [] : [past.id];
  return random.weighted<() => CommitCommand>([
    [4, () => commitOf(some, fresh)],
    [2, () => commitOf(requested, fresh)],
    [1.5, () => commitOf([...some, ...again], past?.txHash ?? fresh)],
    [past === undefined ? 0 : 3, () => commitOf([...some, ...again], fresh)],
    [1, () => commitOf([...requested, ...some], fresh)],
    [1, () => commitOf([...requested, random.pick([0, -1, state.payouts.length + 1])], fresh)],
  ])();
}

function commitOf(ids: readonly number[], txHash: Hex): CommitCommand {
  return { kind: 'commit', ids, txHash };
}

/** Withdraws everything that was there before orders traded or rested, then what is left (PAY-2). */
export function raceWithdrawal(world: World): Step[] {
  const { random, state } = world;
  const account = random.pick(state.accounts.filter(({ role }) => role === 'trader'));
  const trader = account.address!;
  const before = Math.max(1, Number(withdrawable(state, account)));
  const race: Step[] = [
    { afterMs: 1, command: () => generateOrder(world, trader) },
    { afterMs: 1, command: () => generateQuotes(world) },
    { afterMs: 1, command: () => withdrawal(world, trader, before) },
  ];
  return [
    ...Array.from({ length: random.between(1, 3) }, () => random.pick(race)),
    race[2]!,
    ...Array.from({ length: random.between(0, 2) }, () => random.pick(race)),
    { afterMs: 1, command: () => generateWithdraw(world, trader) },
  ];
}

/** Small withdrawals up to the maximum outstanding, one too many, and another once some are committed. */
export function manyWithdrawals(world: World): Step[] {
  const { random, state } = world;
  const able = state.accounts.filter((account) => withdrawable(state, account) > 1_000n && !account.frozen);
  const account = able.length === 0 ? undefined : random.pick(able);
  if (account === undefined || account.address === null) return [];
  const { address } = account;
  const missing = OUTSTANDING_MAX - outstandingOf(state, account).length;
  const one: Step = { afterMs: 30, command: () => withdrawal(world, address, random.between(1, 5)) };
  return [
    ...Array.from({ length: missing + 2 }, () => one),
    { afterMs: 30, command: () => generateCommit(world) },
    one,
  ];
}

/** A 32-byte word derived from a number. */
function hashOf(at: number): Hex {
  return `0x${at.toString(16).padStart(64, '0')}`;
}
