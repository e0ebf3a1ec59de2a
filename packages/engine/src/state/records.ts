/** Records of past actions in the state: fills, challenges, deposits, parked approvals, attempts at hand settlement. */

import type { Address, AuditRecord, ErrorName, Hex, Micros } from '@venue/protocol';
import type { Half } from './halves.ts';
import type { Series, Side } from './series.ts';

export interface FillRecord {
  /** Ascending across the venue. */
  readonly id: number;
  readonly orderId: number;
  readonly series: Series;
  /** The side the account traded. */
  readonly side: Side;
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
  readonly feeMicros: Micros;
  /** Without the fee (FINE-7). */
  readonly realizedMicros: Micros;
  readonly taker: boolean;
  readonly ts: number;
  readonly kind: 'trade' | 'settlement' | 'liquidation';
  /** The session key that signed the originating order. */
  readonly signer: Address | undefined;
}

export interface SpentChallenge {
  readonly seq: number;
  readonly ts: number;
}

/** The block at which the servers of the chain agreed on what a contract says of a signature (CUS-19). */
export interface Attestation {
  readonly chainId: number;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

/** An approval, or a revocation, that is said to be signed by a contract wallet and waits for the attestor (CUS-19). */
export interface ParkedApproval {
  /** Number of the entry that parked it. */
  readonly id: number;
  readonly act: 'approve' | 'revoke';
  readonly address: Address;
  readonly sessionKey: Address;
  /** The expiry of the approval; a revocation names the one in force when it was parked. */
  readonly expiresAt: number;
  /** The signature for the contract to check: of any length up to the limit, and of any form. */
  readonly signature: Hex;
  readonly parkedAt: number;
}

/** The outcome of a parked approval. */
export interface ParkedAnswer extends Omit<ParkedApproval, 'signature'> {
  /** Null if it was put in force. */
  readonly refusal: ErrorName | null;
  /** Where the attestor asked; null if it never did. */
  readonly attestation: Attestation | null;
  readonly answeredAt: number;
}

/** One deposit event of the vault, as the watcher reported it. */
export interface Deposit {
  readonly address: Address;
  readonly amountMicros: Micros;
  readonly txHash: Hex;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** Present if it is capital of the house (CUS-8). */
  readonly isOfHouse?: true;
}

/** One series, or every refused series of an expiry (FINE-1). */
export type SettleTarget =
  | { readonly seriesId: string }
  | { readonly symbol: string; readonly expiryTs: number };

/** The first or the second of the two secrets of hand settlement. */
/** One person's half of a settlement by hand; another person may confirm it (CUS-10). */
export interface SettleProposal extends Half {
  /** Number of the entry that made it. */
  readonly id: number;
  readonly target: SettleTarget;
  readonly priceMicros: Micros;
  readonly ts: number;
}

/** Attempts at hand settlement, chained by hash; the oldest may only be in the log. */
export interface AuditLog {
  /** Number of entries ever made. */
  count: number;
  /** Hash of the newest. */
  head: string;
  /** Oldest first, the newest `AUDIT_KEPT`. */
  readonly entries: AuditRecord[];
}
