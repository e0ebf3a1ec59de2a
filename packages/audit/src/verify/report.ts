/** The report of a verification. */

import { createHash } from 'node:crypto';
import { FEATURE_LEVEL, type State } from '@venue/engine';
import type { ChainPoint } from '@venue/log';
import type { Fault } from './faults.ts';
import type { Tally } from './replay.ts';

/** Amounts are integer micros, as text. */
export interface CustodyTotals {
  readonly deposits: number;
  readonly depositedMicros: string;
  readonly withdrawals: number;
  readonly pendingMicros: string;
  readonly committedMicros: string;
  /** The cash of all accounts, which is what is held: deposits less withdrawals. */
  readonly accountsMicros: string;
}

export interface VerifiedEntries {
  readonly fromSeq: number;
  readonly toSeq: number;
  /** The times of the first and last entry, in Unix milliseconds. */
  readonly fromTs: number;
  readonly toTs: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** Signatures checked, by kind of entry. */
  readonly signatures: Readonly<Record<string, number>>;
  /** Writes authorized by a bearer token, by kind. */
  readonly unsigned: Readonly<Record<string, number>>;
  /** Revocations of sessions that were already forgotten. The engine refuses them. */
  readonly voidRevocations: number;
  /** Approvals and revocations by contract wallets, which no signature here proves (CUS-19); absent if there are none. */
  readonly attested?: number;
  readonly skipped: readonly number[];
  /** The chain's hash after the last entry. */
  readonly chainHead: string;
  /** Null in paper mode. */
  readonly custody: CustodyTotals | null;
  readonly stateDigest: string;
}

/** Depends on the entries alone: everyone who verifies the same entries gets the same facts, whatever their source. */
export interface VerifyFacts {
  readonly verdict: 'verified' | 'not verified';
  readonly fault: Fault | null;
  readonly stamp: Readonly<Record<string, string>>;
  /** The snapshot taken on trust in place of earlier entries that were not given. Null if there was none. */
  readonly trusted: { readonly seq: number; readonly digest: string } | null;
  /** Null if there is a fault, because nothing after a fault is proven. */
  readonly entries: VerifiedEntries | null;
  readonly engineVersion: number;
}

export interface VerifyReport {
  /** Without its password. Null if only archives were read. */
  readonly log: string | null;
  readonly archives: number;
  /** The log's snapshots, with the result for each. */
  readonly snapshots: readonly { readonly seq: number; readonly found: string }[];
  readonly invariantChecks: number;
  readonly facts: VerifyFacts;
  /** SHA-256 over the facts as JSON without spaces. */
  readonly reportDigest: string;
}

export function reportDigest(facts: VerifyFacts): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

export interface Findings {
  readonly stamp: ReadonlyMap<string, string>;
  readonly trusted: { readonly seq: number; readonly digest: string } | null;
  readonly fault: Fault | null;
  readonly entries: VerifiedEntries | null;
}

export function factsOf({ stamp, trusted, fault, entries }: Findings): VerifyFacts {
  return {
    verdict: fault === null ? 'verified' : 'not verified',
    fault,
    stamp: Object.fromEntries(stamp),
    trusted,
    entries,
    engineVersion: FEATURE_LEVEL,
  };
}

export interface Verified {
  readonly state: State;
  readonly digest: string;
  readonly tally: Tally;
  readonly point: ChainPoint;
  readonly fromSeq: number;
}

export function verifiedEntries({ state, digest, tally, point, fromSeq }: Verified): VerifiedEntries {
  return {
    fromSeq,
    toSeq: point.seq,
    fromTs: tally.firstTs,
    toTs: state.ts,
    kinds: sorted(tally.kinds),
    signatures: sorted(tally.signatures),
    unsigned: sorted(tally.unsigned),
    voidRevocations: tally.voided,
    ...(tally.attested > 0 && { attested: tally.attested }),
    skipped: tally.skipped,
    chainHead: point.hash,
    custody: state.parameters?.fundingMode === 'deposits' ? custodyOf(state) : null,
    stateDigest: digest,
  };
}

function custodyOf({ custody, accounts }: State): CustodyTotals {
  const deposits = [...custody.deposits.values()];
  return {
    deposits: deposits.length,
    depositedMicros: total(deposits.map(({ amountMicros }) => amountMicros)),
    withdrawals: custody.payouts.length,
    pendingMicros: String(custody.pendingMicros),
    committedMicros: String(custody.committedMicros),
    accountsMicros: total(accounts.flatMap(({ cashMicros, heldMicros }) => [cashMicros, heldMicros])),
  };
}

function total(amounts: readonly number[]): string {
  return String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
