/** Real money (`deposits` mode) as state: the vault the ledger is bound to, its deposits, and the payouts it owes. */

import type { Address, Hex, Micros } from '@venue/protocol';
import type { Payout } from './account.ts';
import type { Half } from './halves.ts';
import type { Deposit } from './records.ts';

/** The vault whose deposits this ledger credits, and which pays its payouts (CUS-1). */
export interface Binding {
  readonly chainId: number;
  readonly vault: Address;
  /** The payouts that earlier vaults committed, and the deposits that they took. */
  readonly paidBeforeMicros: Micros;
  readonly depositedBeforeMicros: Micros;
  /** Its deposits are the house's capital (CUS-8); null if nobody funds the house. */
  readonly funder: Address | null;
}

/** One person's request to bind the ledger, until the other person asks for the same (CUS-1). */
export interface BindRequest extends Half {
  readonly binding: Binding;
  readonly ts: number;
}

/** Deposits from the vault, and payouts to be made by it. */
export interface Custody {
  /** Null until an operator binds the ledger; it then credits deposits of any vault. */
  binding: Binding | null;
  /** Nothing was credited or committed since the ledger was bound: its vault may have been named wrongly. */
  isBindingUnused: boolean;
  /** The last binding to each vault that another one has replaced since. */
  earlierBindings: readonly Binding[];
  /** At most one of each person. */
  bindRequests: readonly BindRequest[];
  /** How often the ledger was restored from an old copy (CUS-3). */
  epoch: number;
  /** Why no payout can be made at present, as the batcher reported it; null if they are made (CUS-7). */
  halted: string | null;
  /** The funder's payments for the house, less its withdrawals (CUS-8). */
  houseFundedMicros: Micros;
  /** By transaction and log index: each credits once. */
  readonly deposits: Map<string, Deposit>;
  /** The first deposit of each transaction, or null where its deposits are from several blocks (CUS-2). */
  readonly firstOfTransaction: Map<Hex, Deposit | null>;
  /** Keys of the deposits that an operator holds, because it doubts them (CUS-4). */
  readonly doubted: Set<string>;
  /** By id. */
  readonly payouts: Payout[];
  /** By their numbers in the vault, without those that were voided. */
  readonly payoutByNumber: Map<number, Payout>;
  /** Accounts whose withdrawals an operator froze (CUS-4). */
  readonly frozenWithdrawals: Set<Address>;
  /** Sums over the deposits, and over the outstanding and the committed payouts. */
  depositedMicros: bigint;
  pendingMicros: bigint;
  committedMicros: bigint;
}

export function createCustody(): Custody {
  return {
    binding: null,
    isBindingUnused: false,
    earlierBindings: [],
    bindRequests: [],
    epoch: 0,
    halted: null,
    houseFundedMicros: 0 as Micros,
    deposits: new Map(),
    firstOfTransaction: new Map(),
    doubted: new Set(),
    payouts: [],
    payoutByNumber: new Map(),
    frozenWithdrawals: new Set(),
    depositedMicros: 0n,
    pendingMicros: 0n,
    committedMicros: 0n,
  };
}

/** True until it is committed on chain or voided: a committed payout never reverts (PAY-3). */
export function isOutstanding({ txHash, voidedAt }: Payout): boolean {
  return txHash === null && voidedAt === null;
}

/** Adds a payout to the books of the custody and of its account, and to the sums. */
export function recordPayout(custody: Custody, payout: Payout): void {
  custody.payouts.push(payout);
  payout.account.payouts.push(payout);
  if (payout.voidedAt === null) custody.payoutByNumber.set(payout.payoutId, payout);
  if (isOutstanding(payout)) custody.pendingMicros += BigInt(payout.amountMicros);
  else if (payout.txHash !== null) custody.committedMicros += BigInt(payout.amountMicros);
}
