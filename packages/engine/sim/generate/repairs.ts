/** Acts of operators and the batcher on the books: mostly fit for the state, sometimes bound to be refused. */

import type { Address, Hex, Micros } from '@venue/protocol';
import type { Command } from '../../src/entry/command.ts';
import type { BindCommand } from '../../src/entry/custody-command.ts';
import { committedOf, depositedOf, houseFunded, withdrawable } from '../model/custody.ts';
import type { ModelDeposit } from '../model/records.ts';
import { accountAt, type ModelState } from '../model/state.ts';
import type { Random } from '../random.ts';
import { addressOf, LARGEST } from './world.ts';

const EPOCH_SPAN = 2 ** 40;
const DOLLAR = 1_000_000;
const VAULTS = [addressOf('c', 1), addressOf('c', 2)] as const;
/** They trade as well, so that some may not fund the house. */
const FUNDERS = [addressOf('a', 950), addressOf('a', 951), addressOf('a', 1)] as const;

export function generateRepair(random: Random, state: ModelState): Command {
  const reason = random.pick(['reported by the owner', 'lost with the newer copy']);
  return random.weighted<() => Command>([
    [state.binding === null ? 4 : 1, () => bindingFor(random, state)],
    [1, () => ({ kind: 'epoch', epoch: state.epoch + random.pick([1, 1, 1, 0, 2]), reason })],
    [2, () => adoption(random, state, reason)],
    [2, () => ({ kind: 'void', id: anyPayout(random, state), reason })],
    [1, () => freezing(random, state, reason)],
    [3, () => ({ kind: 'hold-deposit', ...logOf(random, houseOrAny(random, state)), reason })],
    [2, () => ({ kind: 'reverse-deposit', ...logOf(random, doubtedOrAny(random, state)), reason })],
    [1, () => ({ kind: 'release', address: doubtedOwner(random, state) })],
    [1, () => ({ kind: 'halt-payouts', reason: random.pick(['the vault is short', null]) })],
    [
      1,
      () => ({ kind: 'payout-wait', id: anyPayout(random, state), reason: random.pick(['a limit', null]) }),
    ],
    [2, () => approval(random, state)],
    [2, () => funding(random, state)],
    [1, () => ({ kind: 'open', address: random.pick(FUNDERS) })],
    [2, () => small(random, state)],
    [1, () => withSmallest(random, state)],
    [1, () => commitOfVoided(state)],
    [4, () => defunding(random, state)],
  ])();
}

function bindingFor(random: Random, state: ModelState): BindCommand {
  const past = {
    paidBeforeMicros: Number(committedOf(state)),
    depositedBeforeMicros: Number(depositedOf(state)),
  };
  const none = { paidBeforeMicros: 0, depositedBeforeMicros: 0 };
  const [asked] = state.bindRequests;
  if (asked !== undefined && random.chance(0.6))
    return { kind: 'bind', ...asked.binding, secrets: asked.secret === 1 ? [false, true] : [true, false] };
  const kept = state.binding ?? none;
  const { paidBeforeMicros, depositedBeforeMicros } = random.pick([past, none, kept]);
  return {
    kind: 'bind',
    ...{
      chainId: random.pick([1, 1, 5]),
      vault: random.pick(VAULTS),
      funder: random.pick([...FUNDERS, null]),
    },
    paidBeforeMicros: exact(paidBeforeMicros),
    depositedBeforeMicros: exact(depositedBeforeMicros),
    secrets: random.weighted<readonly [boolean, boolean]>([
      [8, [true, true]],
      [2, [true, false]],
      [1, [false, true]],
      [1, [false, false]],
    ]),
  };
}

function exact(amount: number): Micros {
  return Math.min(amount, LARGEST) as Micros;
}

/** A payout of an earlier epoch that only the chain knows, one that the ledger knows, or one of this epoch. */
function adoption(random: Random, state: ModelState, reason: string): Command {
  const { payouts, epoch, accounts } = state;
  const known = payouts.length === 0 ? undefined : random.pick(payouts);
  const wallets = accounts.flatMap(({ address }) => (address === null ? [] : [address]));
  const lost = {
    payoutId:
      Math.max(0, epoch - random.pick([0, 1, 1, 1])) * EPOCH_SPAN + payouts.length + random.between(1, 3),
    address: random.chance(0.8) && wallets.length > 0 ? random.pick(wallets) : addressOf('a', 960),
    amountMicros: random.pick([DOLLAR, 500 * DOLLAR, LARGEST]) as Micros,
    txHash: hashOf(random.between(1, 3)),
  };
  if (known === undefined || random.chance(0.7)) return { kind: 'adopt', ...lost, reason };
  return {
    kind: 'adopt',
    payoutId: known.payoutId,
    address: accounts[known.owner]!.address!,
    amountMicros: Number(known.amount) as Micros,
    txHash: random.chance(0.7) ? (known.txHash ?? lost.txHash) : lost.txHash,
    reason,
  };
}

function withSmallest(random: Random, { parameters }: ModelState): Command {
  const payoutMinMicros = (random.pick([1, 100]) * DOLLAR) as Micros;
  return { kind: 'configure', parameters: { ...parameters!, payoutMinMicros, houseLineFunded: true } };
}

/** Names a voided payout if there is one. */
function commitOfVoided({ payouts }: ModelState): Command {
  const voided = payouts.find(({ voidedAt }) => voidedAt !== null);
  return { kind: 'commit', ids: [voided?.id ?? payouts.length + 1], txHash: hashOf(4) };
}

/** Usually one that is requested, best one of the house. */
function anyPayout(random: Random, { payouts }: ModelState): number {
  const requested = payouts.filter(({ txHash, voidedAt }) => txHash === null && voidedAt === null);
  const ofHouse = requested.find(({ isOfHouse }) => isOfHouse);
  if (ofHouse !== undefined && random.chance(0.5)) return ofHouse.id;
  if (requested.length > 0 && random.chance(0.8)) return random.pick(requested).id;
  return random.between(0, payouts.length + 1);
}

function freezing(random: Random, { accounts, frozenWithdrawals }: ModelState, reason: string): Command {
  const wallets = accounts.flatMap(({ address }) => (address === null ? [] : [address]));
  if (frozenWithdrawals.length > 0 && random.chance(0.6))
    return { kind: 'freeze-withdrawals', address: random.pick(frozenWithdrawals), frozen: false, reason };
  const address = random.chance(0.9) && wallets.length > 0 ? random.pick(wallets) : addressOf('a', 77_777);
  return { kind: 'freeze-withdrawals', address, frozen: true, reason };
}

function doubtedOrAny(random: Random, { doubted, deposits }: ModelState): readonly ModelDeposit[] {
  return doubted.length > 0 && random.chance(0.8) ? doubted : deposits;
}

/** Sometimes those of the house, which nobody holds. */
function houseOrAny(random: Random, { deposits }: ModelState): readonly ModelDeposit[] {
  const ofHouse = deposits.filter(({ isOfHouse }) => isOfHouse);
  return ofHouse.length > 0 && random.chance(0.3) ? ofHouse : deposits;
}

function logOf(random: Random, deposits: readonly ModelDeposit[]): { txHash: Hex; logIndex: number } {
  if (deposits.length === 0 || random.chance(0.1)) return { txHash: hashOf(0), logIndex: 0 };
  const { txHash, logIndex } = random.pick(deposits);
  return { txHash, logIndex };
}

function doubtedOwner(random: Random, { doubted }: ModelState): Address {
  return doubted.length > 0 ? random.pick(doubted).address : random.pick(FUNDERS);
}

function approval(random: Random, state: ModelState): Command {
  const approver = addressOf('d', random.between(1, random.pick([2, 12])));
  return { kind: 'approve-payout', id: anyPayout(random, state), approver, signature: '0x01' };
}

/** A deposit for the house, from the vault that the ledger is bound to. */
function funding(random: Random, { binding, deposits, ts }: ModelState): Command {
  const at = deposits.length;
  return {
    kind: 'deposit',
    address: binding?.funder ?? random.pick(FUNDERS),
    amountMicros: (random.pick([100, 5_000_000]) * DOLLAR) as Micros,
    txHash: hashOf(ts * 7_000 + at),
    logIndex: 9,
    blockNumber: at + 1,
    blockHash: hashOf(ts * 9_000 + at),
    ...(binding !== null &&
      random.chance(0.8) && {
        chainId: binding.chainId,
        vault: random.chance(0.8) ? binding.vault : random.pick(VAULTS),
      }),
  };
}

/** The rest of an account whose withdrawable amount is less than the smallest payout, or a cent of it. */
function small(random: Random, state: ModelState): Command {
  const wallets = state.accounts.filter(({ address, frozen }) => address !== null && !frozen);
  const poor = wallets.find(
    (account) => withdrawable(state, account) > 0n && withdrawable(state, account) < BigInt(DOLLAR),
  );
  const account = poor ?? wallets[0];
  const rest = account === undefined ? 1 : Math.max(1, Number(withdrawable(state, account)));
  const amountMicros = Math.min(poor === undefined ? rest - 1 : rest, LARGEST) as Micros;
  return {
    kind: 'withdraw',
    account: account?.address ?? FUNDERS[0],
    amountMicros: (random.chance(0.8) ? amountMicros : 1) as Micros,
  };
}

/** Capital of the house on its way out: part of it, all of it, or a micro more. */
function defunding(random: Random, state: ModelState): Command {
  const account = state.binding?.funder ?? random.pick(FUNDERS);
  if (accountAt(state, account) === undefined) return { kind: 'open', address: account };
  const all = Math.min(Number(houseFunded(state)), LARGEST - 1);
  const amountMicros = random.pick([Math.max(1, Math.floor(all / 30)), Math.max(1, all), all + 1]) as Micros;
  return { kind: 'withdraw', account, amountMicros };
}

function hashOf(at: number): Hex {
  return `0x${at.toString(16).padStart(64, 'b')}`;
}
