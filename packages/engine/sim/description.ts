/** The plain JSON in which engine and model are compared. Amounts are integer micros. */

import {
  type Address,
  type AuditStep,
  type Hex,
  type MarginMode,
  type OrderTerms,
  TERM_NAMES,
} from '@venue/protocol';
import type { PayoutApproval, PayoutProof } from '../src/state/account.ts';
import type { Binding, BindRequest } from '../src/state/custody.ts';
import type { AssetClass } from '../src/state/parameters.ts';
import type { Attestation, ParkedAnswer, ParkedApproval, SettleTarget } from '../src/state/records.ts';
import type { Side } from '../src/state/series.ts';
import type { ModelAction, ModelDeposit } from './model/records.ts';

/** A number, or its digits if it is too large to be exact; the engine must never contain such an amount. */
export type PlainAmount = number | string;

export interface PositionDescription {
  readonly sid: number;
  readonly qty: PlainAmount;
  readonly cost: PlainAmount;
  readonly realized: PlainAmount;
  readonly restingBuy: PlainAmount;
  readonly restingSell: PlainAmount;
}

export interface FillDescription {
  readonly id: number;
  readonly orderId: number;
  readonly sid: number;
  readonly side: Side;
  readonly price: PlainAmount;
  readonly qty: PlainAmount;
  readonly fee: PlainAmount;
  readonly realized: PlainAmount;
  readonly taker: boolean;
  readonly ts: number;
  readonly kind: string;
  readonly signer: Address | null;
}

export interface SessionDescription {
  readonly key: Address;
  readonly expiresAt: number;
  readonly approvedAt: number;
  readonly revokedAt: number | null;
  readonly approval: Hex | null;
  readonly revocation: Hex | null;
  readonly attestation: Attestation | null;
  readonly revocationAttestation: Attestation | null;
  /** Nonces inside the window, ascending. */
  readonly nonces: readonly number[];
}

/** Fields that only traders have. */
export interface RiskDescription {
  readonly reserved: PlainAmount;
  readonly locked: PlainAmount;
  readonly buyingPower: PlainAmount;
  readonly maintenance: PlainAmount;
  readonly marginCall: boolean;
  /** At the last tick. */
  readonly wasCalled: boolean;
  readonly calledSince: number | null;
  /** The tick of its liquidation, and what was short before it by sid, ascending. */
  readonly quarters: readonly [tick: number, sizes: readonly (readonly [number, PlainAmount])[]] | null;
}

/** Held deposits, out of the owner's reach. */
export interface HeldDescription {
  readonly amount: PlainAmount;
  readonly deposits: number;
}

export interface AccountDescription {
  readonly index: number;
  readonly address: Address | null;
  readonly cash: PlainAmount;
  readonly realized: PlainAmount;
  readonly equity: PlainAmount;
  readonly marginEnabled: boolean;
  readonly marginMode: MarginMode;
  readonly frozen: boolean;
  readonly held: HeldDescription;
  readonly risk: RiskDescription | null;
  readonly positions: readonly PositionDescription[];
  /** The newest ones, oldest first. */
  readonly fills: readonly FillDescription[];
  readonly sessions: readonly SessionDescription[];
  /** Known client ids in alphabetical order, and the orders they name. */
  readonly clientIds: readonly (readonly [clientId: string, orderId: number])[];
  readonly guardAt: number | null;
  /** In ascending order of their numbers. */
  readonly sets: readonly SetDescription[];
  /** Floors of pushes to a set, or to all sets of an underlying: a push must be above. */
  readonly pushFloors: readonly (readonly [of: number | string, nonce: number])[];
}

/** A quote set, with a row for each series that it quotes. */
export interface SetDescription {
  readonly number: number;
  readonly symbol: string;
  readonly windowMs: number;
  readonly frozenMs: number;
  readonly qty: PlainAmount;
  readonly delta: PlainAmount | null;
  readonly used: PlainAmount;
  /** Digits, as it outgrows every amount. */
  readonly usedDelta: string;
  readonly firstFillTs: number | null;
  readonly frozenUntil: number | 'unfreeze' | null;
  readonly touchedTs: number;
  readonly reserve: PlainAmount;
  /** By series. */
  readonly rows: readonly (readonly [sid: number, iv: number | null, delta: number | null])[];
}

export interface OrderDescription {
  readonly id: number;
  readonly owner: number;
  /** The quote's set; null for an order. */
  readonly set: number | null;
  readonly price: PlainAmount;
  readonly qty: PlainAmount;
  readonly remaining: PlainAmount;
  readonly ts: number;
  readonly terms: string;
}

export interface SeriesDescription {
  readonly seriesId: string;
  readonly status: string;
  readonly mark: PlainAmount;
  readonly openInterest: PlainAmount;
  readonly volume: PlainAmount;
  readonly iv: number;
  readonly delta: number;
  /** The volatility that counts for the model of marks. */
  readonly modelIv: number | null;
  /** In match priority. */
  readonly bids: readonly OrderDescription[];
  readonly asks: readonly OrderDescription[];
}

export interface InstrumentDescription {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  readonly active: boolean;
  readonly spot: PlainAmount;
  /** The median of the last 60 s; null before there is any, and without a jump stop. */
  readonly median: PlainAmount | null;
  readonly jump: { readonly sinceTs: number; readonly backTs: number | null } | null;
  readonly sources: readonly { readonly source: string; readonly price: PlainAmount; readonly ts: number }[];
}

export interface DecisionDescription {
  readonly symbol: string;
  readonly expiryTs: number;
  /** By name. */
  readonly sources: readonly {
    readonly source: string;
    readonly average: PlainAmount | null;
    readonly fresh: boolean;
    readonly last: PlainAmount;
    readonly lastTs: number;
  }[];
  /** In millionths of a basis point. */
  readonly dispersion: PlainAmount | null;
  readonly anchor: PlainAmount | null;
  readonly refusal: string | null;
  readonly boundBps: number;
  readonly judgedAt: number;
  readonly price: PlainAmount | null;
  readonly decidedAt: number | null;
  readonly by: string | null;
}

/** An audit entry without its hashes. */
export type AttemptDescription = SettlementDescription | ModelAction;

export interface SettlementDescription {
  readonly n: number;
  readonly ts: number;
  readonly seq: number;
  readonly by: string | null;
  readonly step: AuditStep | null;
  readonly seriesId: string | null;
  readonly symbol: string | null;
  readonly expiryTs: number | null;
  readonly price: PlainAmount | null;
  readonly anchor: PlainAmount | null;
  readonly deviation: PlainAmount | null;
  readonly boundBps: number;
  readonly gates: readonly (readonly [gate: string, passed: boolean | null])[];
  readonly reason: string | null;
}

export interface ProposalDescription {
  readonly id: number;
  readonly secret: 1 | 2;
  readonly by?: string;
  readonly target: SettleTarget;
  readonly price: PlainAmount;
  readonly ts: number;
}

export interface PayoutDescription {
  readonly id: number;
  readonly owner: number;
  readonly amount: PlainAmount;
  readonly requestedAt: number;
  readonly txHash: string | null;
  readonly payoutId: number;
  readonly isOfHouse: boolean;
  readonly isAdopted: boolean;
  readonly proof: PayoutProof | null;
  readonly voidedAt: number | null;
  readonly waits: string | null;
  readonly approvals: readonly PayoutApproval[];
}

export interface CustodyDescription {
  /** Deposits as reported, oldest first. */
  readonly deposits: readonly DepositDescription[];
  readonly payouts: readonly PayoutDescription[];
  readonly pending: PlainAmount;
  readonly committed: PlainAmount;
  readonly binding: Binding | null;
  readonly bindRequests: readonly BindRequest[];
  readonly epoch: number;
  readonly halted: string | null;
  readonly houseFunded: PlainAmount;
  /** Transaction and log index of each deposit that is held in doubt, sorted. */
  readonly doubted: readonly string[];
  readonly frozenWithdrawals: readonly Address[];
  readonly deposited: PlainAmount;
}

export type DepositDescription = ModelDeposit;

export interface Description {
  /** The id of the deployment. */
  readonly venue: string | null;
  /** The feature level in force. */
  readonly featureLevel: number;
  /** The last challenge spent by each address, while remembered, ordered by address. */
  readonly challenges: readonly (readonly [address: Address, seq: number])[];
  /** Those that wait, oldest first. */
  readonly parked: readonly ParkedApproval[];
  /** Those that the attestor answered, in the order of the answers. */
  readonly parkedAnswers: readonly ParkedAnswer[];
  readonly accounts: readonly AccountDescription[];
  readonly series: readonly SeriesDescription[];
  readonly instruments: readonly InstrumentDescription[];
  /** By instrument, then in the order they were made. */
  readonly decisions: readonly DecisionDescription[];
  readonly audit: readonly AttemptDescription[];
  /** The open ones, oldest first. */
  readonly proposals: readonly ProposalDescription[];
  readonly custody: CustodyDescription;
}

/** The outcome of an entry, without references into either state. */
export type PlainOutcome = Readonly<Record<string, unknown>>;

/** The tape prints and fills of an entry. */
export interface PlainEvents {
  readonly tape: readonly (readonly [
    sid: number,
    price: PlainAmount,
    qty: PlainAmount,
    side: Side,
    isSelf: boolean,
  ])[];
  readonly fillIds: readonly number[];
  /**
   * The events of each trader's order, by order id. The rules leave open in which order a cancel takes several orders.
   */
  readonly orders: readonly (readonly [id: number, owner: number, ...what: readonly unknown[]])[];
  /** Orders that left at their date, in the order of their deadlines (DUE-1). */
  readonly expired: readonly number[];
}

/** Terms as one text, because most are alike and texts are compared fast. */
export function plainTerms(terms: OrderTerms): string {
  return TERM_NAMES.map((name) => terms[name] ?? '-').join(' ');
}

/** The events of an entry's orders, sorted by order; what happened to one order keeps its sequence. */
export function byOrder(events: PlainEvents['orders']): Pick<PlainEvents, 'orders' | 'expired'> {
  const expired = events.filter(([, , what, cause]) => what === 'closed' && cause === 'gtd');
  return { orders: [...events].sort(([a], [b]) => a - b), expired: expired.map(([id]) => id) };
}

/** How many fills of an account a description shows. */
export const FILLS_DESCRIBED = 4;

/** A shared empty side of a book, so that comparing two of them takes no time. */
export const NO_ORDERS: readonly OrderDescription[] = [];

/** The refused rows, with the reason only where the rules specify its text: of sets (DET-5), and the house line. */
export function plainRowErrors(
  rowErrors: readonly { i: number; error: string }[],
  isOfSet = false,
): unknown[] {
  return rowErrors.map(({ i, error }) => (isOfSet || error.startsWith('house line') ? [i, error] : [i]));
}
