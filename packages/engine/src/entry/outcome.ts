/** The outcomes of entries. Refusals and rejections are values. */

import type { Address, ErrorName, GrantedType, Micros, RejectReason, RowFault } from '@venue/protocol';
import type { Account, Payout } from '../state/account.ts';
import type { Binding } from '../state/custody.ts';
import type { ParkedAnswer, ParkedApproval, SettleProposal } from '../state/records.ts';
import type { Decision, Series, Side } from '../state/series.ts';
import type { SessionRecord } from '../state/session.ts';
import type { CommandKind } from './command.ts';

/**
 * The entry changed nothing, except for the nonce of a valid signature, the challenge of an attempt to sign in, or the
 * audit of an attempt at hand settlement. `refusal` names a message of the catalogue.
 */
export interface Refused {
  readonly refusal: ErrorName;
  /** The nonce that the push after a stale one must exceed (QTS-1). */
  readonly lastNonce?: number;
}

export interface Trade {
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
}

export interface OrderAccepted {
  readonly account: Account;
  readonly status: 'filled' | 'partial' | 'rested' | 'cancelled';
  readonly orderId: number;
  /** One per matched resting order. */
  readonly trades: readonly Trade[];
  readonly restedMicros: Micros;
}

export interface OrderRejected {
  readonly account: Account;
  readonly status: 'rejected';
  readonly reason: string;
}

/** A `place` or an `amend` of a batch; which of them depends on the action. */
export type PlaceResult =
  | {
      readonly status: OrderAccepted['status'];
      readonly orderId: number;
      readonly clientId?: string | undefined;
      readonly trades: readonly Trade[];
      readonly restedMicros: Micros;
      /** The quantity of a reduce-only order after it was cut to what it may reduce (TIF-3). */
      readonly qtyMicros?: Micros | undefined;
      /** Why the rest of an order neither trades nor rests (STP-1). */
      readonly reason?: RejectReason | undefined;
    }
  | {
      /** An order with this client id is known: nothing was placed (CID-1). */
      readonly status: 'duplicate';
      readonly orderId: number;
      readonly clientId: string;
    }
  | { readonly status: 'rejected'; readonly clientId?: string | undefined; readonly reason: RejectReason };

/** A fill of one leg of a combo. */
export interface LegTrade extends Trade {
  readonly series: Series;
  readonly side: Side;
}

/** A `combo` of a batch (CMB-1). */
export type ComboResult =
  | {
      readonly status: Exclude<OrderAccepted['status'], 'rested'>;
      readonly orderId: number;
      readonly clientId?: string | undefined;
      /** Leg by leg, one per matched resting order. */
      readonly trades: readonly LegTrade[];
    }
  | Extract<PlaceResult, { readonly status: 'duplicate' | 'rejected' }>;

/** The result of one action, in order (BAT-3). */
export type ActionResult =
  | ({ readonly type: 'place' | 'amend' } & PlaceResult)
  | ({ readonly type: 'combo' } & ComboResult)
  | { readonly type: 'cancel'; readonly ok: boolean; readonly orderId: number }
  | { readonly type: 'cancel-all'; readonly ok: boolean; readonly pulled: number }
  | { readonly type: 'guard'; readonly ok: boolean }
  | ({ readonly type: GrantedType } & SetResult);

/** An action that is granted, or declined with a reason. */
export interface SetResult {
  readonly ok: boolean;
  readonly reason?: RejectReason | undefined;
}

export interface BatchDone {
  readonly account: Account;
  readonly results: readonly ActionResult[];
}

export interface RowError {
  readonly i: number;
  readonly error: RowFault;
}

export interface QuotesApplied {
  /** Series whose resting orders changed. */
  readonly applied: number;
  /** Series already at the requested ladder. */
  readonly kept: number;
  readonly rowErrors: readonly RowError[];
  readonly unknownSids: readonly number[];
}

/**
 * A push to a set; declined whole if buying power does not cover the new reserve (QTS-4). Why one was refused on arrival
 * the log does not know (QTS-6).
 */
export type QuoteSetPushed =
  | QuotesApplied
  | { readonly status: 'rejected'; readonly reason: RejectReason }
  | { readonly status: 'refused' };

export interface HandSettled {
  readonly decision: Decision;
  /** Series settled by this entry, in listing order. */
  readonly settled: readonly Series[];
}

/** The effect that a confirmation would have by now (CUS-10). */
export interface SettlementProposed {
  readonly proposal: SettleProposal;
  readonly decision: Decision;
  /** Series that it would settle, in listing order. */
  readonly settles: readonly Series[];
  /** Distance of price and anchor, in millionths of a basis point. */
  readonly deviationMicroBps: Micros;
  readonly boundBps: number;
}

/** More than the withdrawable amount (PAY-2). */
export interface WithdrawalPastGate {
  readonly needMicros: Micros;
  readonly haveMicros: Micros;
}

/** Less than the smallest payout (CUS-6). */
export interface WithdrawalTooSmall {
  readonly leastMicros: Micros;
}

export interface Outcomes {
  /** `conflict` names an immutable parameter that would change (FINE-4). */
  configure: { readonly changed: boolean; readonly conflict?: 'fundingMode' | 'marginPremium' | 'version' };
  rekey: { readonly venue: string };
  open: { readonly account: Account; readonly opened: boolean };
  /** Null for an attempt without a valid signature. */
  'sign-in': { readonly account: Account | null; readonly opened: boolean };
  approve: { readonly account: Account; readonly session: SessionRecord };
  revoke: { readonly sessionKey: Address; readonly revokedAt: number };
  park: { readonly parked: ParkedApproval };
  attest: { readonly answer: ParkedAnswer };
  order: OrderAccepted | OrderRejected;
  batch: BatchDone;
  cancel: { readonly account: Account; readonly pulled: number };
  'cancel-order': { readonly account: Account; readonly orderId: number; readonly ok: boolean };
  margin: { readonly account: Account; readonly marginEnabled: boolean };
  prints: { readonly accepted: number; readonly rowErrors: readonly RowError[] };
  'quote-session': { readonly session: number };
  quotes: QuotesApplied;
  'quote-set': QuoteSetPushed;
  pull: { readonly pulled: number };
  settle: HandSettled;
  'settle-propose': SettlementProposed;
  'settle-confirm': HandSettled;
  deposit: { readonly status: 'credited' | 'duplicate' | 'held' };
  release: { readonly account: Account; readonly releasedMicros: Micros };
  withdraw: { readonly payout: Payout } | WithdrawalPastGate | WithdrawalTooSmall;
  commit: { readonly payouts: readonly Payout[] };
  /** `isBound` is false for the request of one person, which waits for the other's. */
  bind: { readonly binding: Binding; readonly isBound: boolean };
  epoch: { readonly epoch: number };
  adopt: { readonly payout: Payout };
  void: { readonly payout: Payout };
  'freeze-withdrawals': { readonly address: Address; readonly frozen: boolean };
  'hold-deposit': { readonly account: Account; readonly amountMicros: Micros } | WithdrawalPastGate;
  'reverse-deposit': { readonly account: Account; readonly amountMicros: Micros };
  'halt-payouts': { readonly halted: string | null };
  'payout-wait': { readonly payout: Payout };
  'approve-payout': { readonly payout: Payout };
  overstep: Readonly<Record<never, never>>;
  due: Readonly<Record<never, never>>;
  /**
   * `done` is false for a tick that came too early; `unfinished` asks for an immediate next tick to continue. `stopped` are
   * the symbols whose jump stops liquidation (RSK-5).
   */
  maintain: {
    readonly done: boolean;
    readonly listed: number;
    readonly unfinished: boolean;
    readonly stopped: readonly string[];
  };
}

export type OutcomeOf<K extends CommandKind> = Outcomes[K] | Refused;

export function isRefused(outcome: object): outcome is Refused {
  return 'refusal' in outcome;
}
