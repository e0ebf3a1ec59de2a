/** What can be proposed to the exchange: the kinds of log entry. */

import type { Address, Hex, Micros, MicrosQuote } from '@venue/protocol';
import type { VenueParameters } from '../state/parameters.ts';
import type { Deposit } from '../state/records.ts';
import type { Side } from '../state/series.ts';

/** The session signature of a write; what the engine needs of it to decide whether it may be spent (SIG-4). */
export interface Authorization {
  readonly sessionKey: Address;
  /** Milliseconds since the epoch. */
  readonly nonce: number;
  /** Kept in the log so that its reader can prove the write; the engine never looks at it. */
  readonly signature: Hex;
}

interface AccountCommand {
  readonly account: Address;
  /** Absent for an unsigned write, which a bearer token let in. */
  readonly authorization?: Authorization;
}

/** All nodes of the venue read this level now; the other parameters stay as they are. */
export type RaisedLevel = Pick<VenueParameters, 'version'>;

/** A level is raised by an entry of this kind because a release that does not read it stops here, with one line. */
export interface ConfigureCommand {
  readonly kind: 'configure';
  readonly parameters: VenueParameters | RaisedLevel;
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
  /** Whether the wallet's signature was right. */
  readonly signed: boolean;
}

/** A wallet approved a session key; opens the account as sign-in would. */
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

export interface OrderCommand extends AccountCommand {
  readonly kind: 'order';
  readonly seriesId: string;
  readonly side: Side;
  /** 0 stands for a quantity that is not representable: both are `bad qty`. */
  readonly qtyMicros: number;
  /** Null for a market order; 0 stands for a price that is not representable: both are `bad price`. */
  readonly priceMicros: number | null;
}

export interface CancelCommand extends AccountCommand {
  readonly kind: 'cancel';
  /** Upper-case underlyings, or null for every one. Never empty (ORD-9). */
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

/** A price, not yet checked: an unknown symbol or a bad price is rejected row by row (FEED-1). */
export interface PrintRow {
  readonly symbol: string;
  readonly source: string;
  /** 0 stands for a price that is not positive or not representable. */
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

/** Rows of a push, by sid. 0 stands for a price or quantity that is not positive or not representable. */
export interface QuotesCommand {
  readonly kind: 'quotes';
  /** Null for the legacy form, which has none. */
  readonly session: number | null;
  readonly rows: readonly MicrosQuote[];
}

/** Takes every quote of the maker off the books. */
export interface PullCommand {
  readonly kind: 'pull';
  readonly session: number;
}

/** The maintenance tick. Its proposer has worked the expiries out, as the engine knows no time zones (LIST-4). */
export interface MaintainCommand {
  readonly kind: 'maintain';
  /** Unix seconds, ascending. */
  readonly expiries: readonly number[];
}

/** One series, or every refused one of an expiry (FINE-1). */
export type SettleTarget =
  | { readonly seriesId: string }
  | { readonly symbol: string; readonly expiryTs: number };

/** An attempt to settle by hand. It is an entry also when its secrets are wrong: every attempt is audited. */
export interface SettleCommand {
  readonly kind: 'settle';
  /** Null where the request named none that can be read. */
  readonly target: SettleTarget | null;
  /** Null where the request named none that can be read; 0 stands for a price that is not representable. */
  readonly priceMicros: number | null;
  /** Whether the request held the first and the second settlement secret. */
  readonly secrets: readonly [boolean, boolean];
  /** Why the request could not be read, where it could not: it then names nothing. */
  readonly fault?: string;
}

/** One log of the vault (DEP-1). */
export interface DepositCommand extends Deposit {
  readonly kind: 'deposit';
}

/** An operator releases what is held for an address (DEP-2). */
export interface ReleaseCommand {
  readonly kind: 'release';
  readonly address: Address;
}

/** The account asks for money; it goes to the account's own address and to no other (SIG-3). */
export interface WithdrawCommand extends AccountCommand {
  readonly kind: 'withdraw';
  /** May be any amount that the signed text can hold, also none. */
  readonly amountMicros: Micros;
}

/** The transaction that committed payouts on chain is final (PAY-3). */
export interface CommitCommand {
  readonly kind: 'commit';
  readonly ids: readonly number[];
  readonly txHash: Hex;
}

export type Command =
  | ConfigureCommand
  | OpenCommand
  | SignInCommand
  | ApproveCommand
  | RevokeCommand
  | OrderCommand
  | CancelCommand
  | CancelOrderCommand
  | MarginCommand
  | PrintsCommand
  | QuoteSessionCommand
  | QuotesCommand
  | PullCommand
  | MaintainCommand
  | SettleCommand
  | DepositCommand
  | ReleaseCommand
  | WithdrawCommand
  | CommitCommand;

export type CommandKind = Command['kind'];
export type CommandOf<K extends CommandKind> = Extract<Command, { kind: K }>;

/** A command in its place: what the engine is a function of. */
export interface Entry<C extends Command = Command> {
  readonly seq: number;
  /** The log's time in unix milliseconds; never goes back. */
  readonly ts: number;
  readonly command: C;
}
