/** The model's memory of orders, accounts, the market and custody: amounts in BigInt micros, nothing derived. */

import type { Address, AuditStep, ErrorName, Hex, MarginMode, OrderTerms, Right } from '@venue/protocol';
import type { DepositCommand } from '../../src/entry/custody-command.ts';
import type { CloseCause } from '../../src/entry/effects.ts';
import type { PayoutApproval, PayoutProof } from '../../src/state/account.ts';
import type { AssetClass } from '../../src/state/parameters.ts';
import type { Attestation, ParkedApproval, SettleTarget } from '../../src/state/records.ts';
import type { Side } from '../../src/state/series.ts';

export interface ModelOrder {
  readonly id: number;
  /** Index of the account. */
  readonly owner: number;
  readonly sid: number;
  readonly side: Side;
  readonly price: bigint;
  /** In total, what is filled included. */
  readonly qty: bigint;
  remaining: bigint;
  readonly ts: number;
  readonly signer: Address | null;
  readonly terms: OrderTerms;
  /** Its turn among orders at its price. An order that is amended to more than it was joins the end of the queue. */
  readonly arrival: number;
  /** The set of a quote; quotes are no orders (QTS-2). */
  readonly set: ModelSet | null;
}

/** A set's allowance, and how much of it is used. */
export interface ModelAllowance {
  readonly protection: ModelSet['protection'];
  readonly used: bigint;
  readonly usedDelta: bigint;
}

/** The same as the last entry left it, with the most that a contract of its quotes counts. */
export interface ModelShown extends ModelAllowance {
  readonly counted: bigint;
}

/** A quote set of an account. */
export interface ModelSet {
  /** Index of the account. */
  readonly owner: number;
  readonly number: number;
  symbol: string;
  protection: {
    readonly windowMs: number;
    readonly qty: bigint;
    readonly delta: bigint | null;
    readonly frozenMs: number;
  };
  used: bigint;
  /** Micros of contracts times micros of |delta|. */
  usedDelta: bigint;
  /** The allowance as the last entry left it, by which its quotes bound marks (RSK-2). */
  shown: ModelShown;
  /** The first fill that used the present allowance. */
  firstFillTs: number | null;
  frozenUntil: number | 'unfreeze' | null;
  /** By sid: annotations as given, and |delta| in micros. */
  rows: Map<
    number,
    { readonly iv: number | null; readonly given: number | null; readonly delta: bigint | null }
  >;
  /** When it was last pushed or protected. */
  touchedTs: number;
  reserve: bigint;
}

/** A client id, from the order that was placed with it. */
export interface ModelClientId {
  /** Index of the account. */
  readonly owner: number;
  readonly clientId: string;
  readonly orderId: number;
  /** Null while the order is open. */
  readonly closedAt: number | null;
}

/** An event of a trader's order. */
export type ModelOrderEvent =
  | (Pick<ModelOrder, 'id' | 'owner' | 'sid' | 'side' | 'qty' | 'terms'> & {
      readonly what: 'opened';
      /** Null for a market order. */
      readonly price: bigint | null;
    })
  | (Pick<ModelOrder, 'id' | 'owner' | 'qty' | 'terms'> & {
      readonly what: 'combo';
      /** `buy:1:7,sell:2:8`, by sid. */
      readonly legs: string;
      readonly net: bigint | null;
    })
  | (Pick<ModelOrder, 'id' | 'owner' | 'qty' | 'price'> & { readonly what: 'amended' })
  | (Pick<ModelOrder, 'id' | 'owner'> & { readonly what: 'closed'; readonly cause: CloseCause });

export interface ModelPosition {
  /** Signed; negative is short. */
  qty: bigint;
  /** Premium paid for a long or received for a short. */
  cost: bigint;
  realized: bigint;
}

export interface ModelFill {
  readonly id: number;
  readonly orderId: number;
  readonly sid: number;
  readonly side: Side;
  readonly price: bigint;
  readonly qty: bigint;
  readonly fee: bigint;
  readonly realized: bigint;
  readonly taker: boolean;
  readonly ts: number;
  readonly kind: FillKind;
  readonly signer: Address | null;
}

export type FillKind = 'trade' | 'liquidation' | 'settlement';

export interface ModelSession {
  readonly key: Address;
  expiresAt: number;
  approvedAt: number;
  revokedAt: number | null;
  /** Expiries of the replaced approvals. */
  replaced: number[];
  /** The wallet's signatures. */
  approval: Hex | null;
  revocation: Hex | null;
  /** Where the chain was asked about them, if a contract signed. */
  attestation: Attestation | null;
  revocationAttestation: Attestation | null;
  nonces: number[];
}

export type ModelRole = 'house' | 'fees' | 'maker' | 'trader';

export interface ModelAccount {
  readonly index: number;
  readonly role: ModelRole;
  readonly address: Address | null;
  cash: bigint;
  /** Over all positions ever held. */
  realized: bigint;
  marginEnabled: boolean;
  marginMode: MarginMode;
  /** Deposits arrived before the owner ever signed in, and no operator has released them. */
  frozen: boolean;
  /** In margin call at the last tick. */
  wasCalled: boolean;
  calledSince: number | null;
  /** The ticks of its liquidation so far, and what was short before the first of them. */
  quarters: { readonly tick: number; readonly sizes: ReadonlyMap<number, bigint> } | null;
  readonly positions: Map<number, ModelPosition>;
  readonly fills: ModelFill[];
  sessions: ModelSession[];
  /** When its guard is due. */
  guardAt: number | null;
}

export interface ModelSeries {
  readonly sid: number;
  readonly seriesId: string;
  readonly symbol: string;
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly right: Right;
  readonly strike: bigint;
  status: 'live' | 'pending-review' | 'settled';
  /** Per contract, once settled. */
  payout: bigint;
  iv: number;
  delta: number;
  /** Those that count for the model of marks, oldest first. */
  readonly annotations: { readonly iv: number; readonly ts: number }[];
  volume: bigint;
}

export interface ModelInstrument {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  active: boolean;
  spot: bigint;
  /** Since a jump stop is in force: every move of the spot, and what every tick judged (RSK-5). */
  moves: { readonly ts: number; readonly spot: bigint }[];
  judged: { readonly ts: number; readonly far: boolean }[];
  sources: { readonly source: string; price: bigint; ts: number }[];
  rolledFor: readonly number[] | null;
}

/** An accepted price, kept forever. */
export interface ModelSample {
  /** Its number among all accepted prices. */
  readonly at: number;
  readonly symbol: string;
  readonly source: string;
  readonly price: bigint;
  readonly ts: number;
  /** When its source lost its place to another: how many prices had been accepted by then, and the time. */
  forgotten: { readonly at: number; readonly ts: number } | null;
}

export interface ModelSourceAverage {
  readonly source: string;
  readonly average: bigint | null;
  readonly fresh: boolean;
  readonly last: bigint;
  readonly lastTs: number;
}

/** The settlement of a symbol at an expiry. */
export interface ModelDecision {
  readonly symbol: string;
  readonly expiryTs: number;
  /** By name. */
  readonly sources: readonly ModelSourceAverage[];
  /** In millionths of a basis point. */
  readonly dispersion: bigint | null;
  readonly anchor: bigint | null;
  /** In force when the expiry was judged. */
  readonly boundBps: number;
  readonly judgedAt: number;
  refusal: string | null;
  price: bigint | null;
  decidedAt: number | null;
  by: 'oracle' | 'hand' | null;
}

/** Anything else that an operator did, as audited. */
export interface ModelAction {
  readonly n: number;
  readonly ts: number;
  readonly seq: number;
  readonly by: string | null;
  readonly action: string;
  readonly terms: string;
  readonly reason: string | null;
}

/** An attempt at hand settlement, as audited. */
export interface ModelAttempt {
  readonly n: number;
  readonly ts: number;
  readonly seq: number;
  readonly by: string | null;
  readonly step: AuditStep | null;
  readonly seriesId: string | null;
  readonly symbol: string | null;
  readonly expiryTs: number | null;
  readonly price: bigint | null;
  readonly anchor: bigint | null;
  readonly deviation: bigint | null;
  readonly boundBps: number;
  readonly gates: readonly (readonly [gate: string, passed: boolean | null])[];
  readonly reason: string | null;
}

/** One person's half of a settlement by hand. */
export interface ModelProposal {
  readonly id: number;
  readonly secret: 1 | 2;
  readonly by?: string;
  readonly target: SettleTarget;
  readonly price: bigint;
  readonly ts: number;
}

/** An approval or a revocation by a contract wallet. */
export interface ModelParked {
  readonly id: number;
  readonly terms: Omit<ParkedApproval, 'id' | 'parkedAt'>;
  readonly parkedAt: number;
  answer: {
    readonly refusal: ErrorName | null;
    readonly attestation: Attestation;
    readonly seq: number;
    readonly ts: number;
  } | null;
}

/** A deposit, as reported. */
export type ModelDeposit = Omit<DepositCommand, 'kind' | 'chainId' | 'vault'> & { readonly isOfHouse?: true };

export interface ModelPayout {
  readonly id: number;
  /** Index of the account. */
  readonly owner: number;
  readonly amount: bigint;
  readonly requestedAt: number;
  /** Its number in the vault. */
  readonly payoutId: number;
  readonly isOfHouse: boolean;
  readonly isAdopted: boolean;
  readonly proof: PayoutProof | null;
  /** Null until it is committed on chain. */
  txHash: Hex | null;
  voidedAt: number | null;
  waits: string | null;
  approvals: readonly PayoutApproval[];
}

/** A trade as published on the tape. */
export interface ModelPrint {
  readonly sid: number;
  readonly price: bigint;
  readonly qty: bigint;
  readonly side: Side;
  /** True if one account is both sides (HIS-1). */
  readonly isSelf: boolean;
}

/** The nonce that a push to the sets in scope must be above (QTS-1). */
export interface ModelFloor {
  readonly owner: number;
  /** A set's number, or a symbol. */
  readonly of: number | string;
  readonly nonce: number;
  readonly act: 'signed' | 'guard';
}
