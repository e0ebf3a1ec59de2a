/** The commands that follow the chain, and those of operators who repair the ledger. */

import type { Address, Hex, Micros } from '@venue/protocol';
import type { Deposit } from '../state/records.ts';

/** A command that a person gave by hand, with their name (OPS-2). */
export interface ByOperator {
  /** Absent where a settlement secret was shown, or none. */
  readonly by?: string;
}

/** One event of the vault (DEP-1). */
export interface DepositCommand extends Omit<Deposit, 'isOfHouse'> {
  readonly kind: 'deposit';
  /** Where it was seen; a bound ledger takes deposits of its own vault only (CUS-1). */
  readonly chainId?: number;
  readonly vault?: Address;
}

/** An operator releases the held deposits of an address (DEP-2). */
export interface ReleaseCommand extends ByOperator {
  readonly kind: 'release';
  readonly address: Address;
}

/** The transaction that committed payouts on chain is final (PAY-3). */
export interface CommitCommand {
  readonly kind: 'commit';
  readonly ids: readonly number[];
  readonly txHash: Hex;
}

/** An attempt to bind the ledger to a vault (CUS-1). It becomes an entry even if its secrets are wrong. */
export interface BindCommand extends ByOperator {
  readonly kind: 'bind';
  readonly chainId: number;
  readonly vault: Address;
  /** The sums that earlier vaults committed and took: both zero, or everything that the ledger has recorded. */
  readonly paidBeforeMicros: Micros;
  readonly depositedBeforeMicros: Micros;
  /** The address whose deposits are the house's capital; null for none (CUS-8). */
  readonly funder: Address | null;
  /** True for each of the two settlement secrets that the request contained, as in an attempt to settle. */
  readonly secrets: readonly [boolean, boolean];
}

/** An operator's reason for an act: one line, for the audit. */
interface WithReason extends ByOperator {
  readonly reason: string;
}

/** The ledger was restored from an old copy; `epoch` names the new epoch (CUS-3). */
export interface EpochCommand extends WithReason {
  readonly kind: 'epoch';
  readonly epoch: number;
}

/** The chain shows a payout as committed that this ledger has lost (CUS-4). */
export interface AdoptCommand extends WithReason {
  readonly kind: 'adopt';
  /** Its number in the vault. */
  readonly payoutId: number;
  readonly address: Address;
  readonly amountMicros: Micros;
  readonly txHash: Hex;
}

/** Gives the cash of a requested payout back (CUS-4). */
export interface VoidCommand extends WithReason {
  readonly kind: 'void';
  readonly id: number;
}

/** Refuses an account's withdrawals, or lets them again (CUS-4). */
export interface FreezeWithdrawalsCommand extends WithReason {
  readonly kind: 'freeze-withdrawals';
  readonly address: Address;
  readonly frozen: boolean;
}

/** Takes a doubtful deposit out of its owner's reach (CUS-4). */
export interface HoldDepositCommand extends WithReason {
  readonly kind: 'hold-deposit';
  readonly txHash: Hex;
  readonly logIndex: number;
}

/** Takes back a deposit that is held in doubt (CUS-4). */
export interface ReverseDepositCommand extends WithReason {
  readonly kind: 'reverse-deposit';
  readonly txHash: Hex;
  readonly logIndex: number;
}

/** Why no payout can be made at present; null if they are made (CUS-7). */
export interface HaltPayoutsCommand {
  readonly kind: 'halt-payouts';
  readonly reason: string | null;
}

/** Why a payout waits; null if it waits no more (CUS-16). */
export interface PayoutWaitCommand {
  readonly kind: 'payout-wait';
  readonly id: number;
  readonly reason: string | null;
}

/** An approver's signature over a payout; the ledger carries it and does not judge it (CUS-16). */
export interface ApprovePayoutCommand extends ByOperator {
  readonly kind: 'approve-payout';
  readonly id: number;
  readonly approver: Address;
  readonly signature: Hex;
}

/** An attempt of a named operator that their roles do not allow; nothing of it was carried out (OPS-2). */
export interface OverstepCommand {
  readonly kind: 'overstep';
  readonly by: string;
  /** Method and path. */
  readonly route: string;
}

/** The commands of operators, each audited. */
export type OperatorCommand =
  | OverstepCommand
  | ReleaseCommand
  | BindCommand
  | EpochCommand
  | AdoptCommand
  | VoidCommand
  | FreezeWithdrawalsCommand
  | HoldDepositCommand
  | ReverseDepositCommand
  | ApprovePayoutCommand;
