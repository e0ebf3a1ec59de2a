/** The commands that can be proposed to the exchange: the kinds of log entry. */

import type { Address, BatchAction, Hex, Micros, MicrosQuote, PushForm } from '@venue/protocol';
import type { VenueParameters } from '../state/parameters.ts';
import type { Attestation, ParkedApproval, SettleTarget } from '../state/records.ts';
import type { Side } from '../state/series.ts';
import type {
  ByOperator,
  CommitCommand,
  DepositCommand,
  HaltPayoutsCommand,
  OperatorCommand,
  PayoutWaitCommand,
} from './custody-command.ts';

/** The session signature of a write: the part the engine needs to decide whether it may be spent (SIG-4). */
export interface Authorization {
  readonly sessionKey: Address;
  /** Milliseconds since the epoch. */
  readonly nonce: number;
  /** Kept in the log so that its reader can prove the write; the engine never checks it. */
  readonly signature: Hex;
}

interface AccountCommand {
  readonly account: Address;
  /** Absent for an unsigned write, authenticated by a bearer token. */
  readonly authorization?: Authorization;
}

/** All nodes of the venue now read this feature level; the other parameters stay unchanged. */
export type RaisedLevel = Pick<VenueParameters, 'version'>;

/**
 * A feature level is raised by this kind of entry because a release that cannot read it stops here, with a one-line
 * message.
 */
export interface ConfigureCommand {
  readonly kind: 'configure';
  readonly parameters: VenueParameters | RaisedLevel;
  /** An id drawn by the proposer; it counts where the log has none yet (VEN-1). */
  readonly venue?: string;
}

/** Gives a copy of a log an id of its own, so that nothing signed for the original is valid here (VEN-1). */
export interface RekeyCommand {
  readonly kind: 'rekey';
  readonly venue: string;
}

/** A wallet proved its address by signing in. */
export interface OpenCommand {
  readonly kind: 'open';
  readonly address: Address;
}

/** An attempt to sign in by challenge, which spends the challenge. */
export interface SignInCommand {
  readonly kind: 'sign-in';
  readonly address: Address;
  /** The last entry that had spent a challenge of the address when this one was checked; 0 for none. */
  readonly after: number;
  /** True if the wallet's signature was valid. */
  readonly signed: boolean;
}

/** A wallet approved a session key; opens the account as a sign-in would. */
export interface ApproveCommand {
  readonly kind: 'approve';
  readonly address: Address;
  readonly sessionKey: Address;
  readonly expiresAt: number;
  readonly signature: Hex;
}

export interface RevokeCommand {
  readonly kind: 'revoke';
  readonly address: Address;
  readonly sessionKey: Address;
  readonly signature: Hex;
}

/**
 * An approval or a revocation said to be by a contract wallet, which only the chain can confirm (CUS-19). It is parked
 * until the attestor has asked.
 */
export interface ParkCommand
  extends Pick<ParkedApproval, 'act' | 'address' | 'sessionKey' | 'expiresAt' | 'signature'> {
  readonly kind: 'park';
}

/**
 * The common answer of the chain's servers:
 * - `valid`: the contract accepts the signature.
 * - `no-contract`: there is no contract at the address, and the signature does not say how it would get there.
 * - `invalid`: the contract answers anything else.
 * - `failed`: the call reverts or runs out of gas.
 */
export type Verdict = 'valid' | 'no-contract' | 'invalid' | 'failed';

/** The attestor's answer to a parked approval, and the block at which it asked (CUS-19). */
export interface AttestCommand extends Attestation {
  readonly kind: 'attest';
  /** The id of the parked approval. */
  readonly id: number;
  readonly verdict: Verdict;
}

export interface OrderCommand extends AccountCommand {
  readonly kind: 'order';
  readonly seriesId: string;
  readonly side: Side;
  /** 0 means a quantity that is not representable: both are `bad qty`. */
  readonly qtyMicros: number;
  /** Null for a market order; 0 means a price that is not representable: both are `bad price`. */
  readonly priceMicros: number | null;
}

/** Actions carried out in order under one signature, each on the state that the one before left (BAT-2). */
export interface BatchCommand extends AccountCommand {
  readonly kind: 'batch';
  readonly actions: readonly BatchAction[];
}

export interface CancelCommand extends AccountCommand {
  readonly kind: 'cancel';
  /** Upper-case underlyings, or null for all. Never empty (ORD-9). */
  readonly symbols: readonly string[] | null;
}

export interface CancelOrderCommand extends AccountCommand {
  readonly kind: 'cancel-order';
  readonly orderId: number;
}

export interface MarginCommand extends AccountCommand {
  readonly kind: 'margin';
  readonly enabled: boolean;
}

/** An unchecked price: an unknown symbol or a bad price is rejected row by row (FEED-1). */
export interface PrintRow {
  readonly symbol: string;
  readonly source: string;
  /** 0 means a price that is not positive or not representable. */
  readonly priceMicros: number;
}

export interface PrintsCommand {
  readonly kind: 'prints';
  readonly prints: readonly PrintRow[];
}

/** A maker's attempt to register; a new one fences every earlier session (MM-1). */
export interface QuoteSessionCommand {
  readonly kind: 'quote-session';
  readonly attemptId: string;
}

/** Rows of a push, by sid. 0 means a price or quantity that is not positive or not representable. */
export interface QuotesCommand {
  readonly kind: 'quotes';
  /** Null for the legacy form, which has no session. */
  readonly session: number | null;
  readonly rows: readonly MicrosQuote[];
}

/** A push to a quote set of an account (QTS-1). */
export interface QuoteSetCommand extends AccountCommand {
  readonly kind: 'quote-set';
  /** 1 to `QUOTE_SETS_MAX`. */
  readonly set: number;
  readonly form: PushForm;
  /** SHA-256 of the body as sent, lower-case hex: what the signature covers. */
  readonly bodyHash: string;
  /**
   * The changes that the body would have made when it was posted, a row a series at most; null if all of it was refused
   * then, and the push spends its nonce alone (QTS-6).
   */
  readonly rows: readonly MicrosQuote[] | null;
}

/** Pulls every quote of the maker. */
export interface PullCommand {
  readonly kind: 'pull';
  readonly session: number;
}

/** The maintenance tick. Its proposer has computed the expiries, because the engine knows no time zones (LIST-4). */
export interface MaintainCommand {
  readonly kind: 'maintain';
  /** Unix seconds, ascending. */
  readonly expiries: readonly number[];
}

/** Does nothing but what every entry does first: it carries out what is due (DUE-1). */
export interface DueCommand {
  readonly kind: 'due';
}

/** An attempt at hand settlement. It becomes an entry even if its secrets are wrong: every attempt is audited. */
interface SettleAttempt extends ByOperator {
  /** Null if the request contains no readable target. */
  readonly target: SettleTarget | null;
  /** Null if the request contains no readable price; 0 means a price that is not representable. */
  readonly priceMicros: number | null;
  /**
   * True for the first and the second settlement secret if the request contained it. The own secret of a named operator
   * who may settle counts as the first; who the other person is, the names tell.
   */
  readonly secrets: readonly [boolean, boolean];
  /** Why the request could not be read, in which case it has no target. */
  readonly fault?: string;
}

/** An attempt by one person with both secrets. */
export interface SettleCommand extends SettleAttempt {
  readonly kind: 'settle';
}

/** One person's half of a settlement by two, with one of the secrets (CUS-10). */
export interface SettleProposeCommand extends SettleAttempt {
  readonly kind: 'settle-propose';
}

/** The other person's half, which repeats target and price. */
export interface SettleConfirmCommand extends SettleAttempt {
  readonly kind: 'settle-confirm';
  /** The id of the proposal; null if the request contains no readable one. */
  readonly id: number | null;
}

/** A withdrawal request; the payout goes to the account's own address only (SIG-3). */
export interface WithdrawCommand extends AccountCommand {
  readonly kind: 'withdraw';
  /** Any amount that the signed text can contain, including zero. */
  readonly amountMicros: Micros;
}

export type Command =
  | OperatorCommand
  | HaltPayoutsCommand
  | PayoutWaitCommand
  | ConfigureCommand
  | RekeyCommand
  | OpenCommand
  | SignInCommand
  | ApproveCommand
  | RevokeCommand
  | ParkCommand
  | AttestCommand
  | OrderCommand
  | BatchCommand
  | CancelCommand
  | CancelOrderCommand
  | MarginCommand
  | PrintsCommand
  | QuoteSessionCommand
  | QuotesCommand
  | QuoteSetCommand
  | PullCommand
  | MaintainCommand
  | DueCommand
  | SettleCommand
  | SettleProposeCommand
  | SettleConfirmCommand
  | DepositCommand
  | WithdrawCommand
  | CommitCommand;

export type CommandKind = Command['kind'];
export type CommandOf<K extends CommandKind> = Extract<Command, { kind: K }>;

/** A command with its number and time: the input of the engine. */
export interface Entry<C extends Command = Command> {
  readonly seq: number;
  /** The log's time in unix milliseconds; never goes back. */
  readonly ts: number;
  readonly command: C;
}
