/** What a verification found. */

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
  /** All cash of all accounts, and what is held: deposits less withdrawals. */
  readonly accountsMicros: string;
}

export interface VerifiedEntries {
  readonly fromSeq: number;
  readonly toSeq: number;
  /** Of the first and the last entry, unix milliseconds. */
  readonly fromTs: number;
  readonly toTs: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** Signatures checked, by the kind of entry. */
  readonly signatures: Readonly<Record<string, number>>;
  /** Writes that a bearer token let in, by kind. */
  readonly unsigned: Readonly<Record<string, number>>;
  /** Revocations of sessions that were forgotten meanwhile, which the engine refuses. */
  readonly voidRevocations: number;
  readonly skipped: readonly number[];
  /** Hash of the chain after the last entry. */
  readonly chainHead: string;
  /** Null in paper mode. */
  readonly custody: CustodyTotals | null;
  readonly stateDigest: string;
}

/** What depends on the entries alone: whoever verifies them gets the same, wherever he has them from. */
export interface VerifyFacts {
  readonly verdict: 'verified' | 'not verified';
  readonly fault: Fault | null;
  readonly stamp: Readonly<Record<string, string>>;
  /** The snapshot that stands for the entries before, which nobody could check; null if none had to. */
  readonly trusted: { readonly seq: number; readonly digest: string } | null;
  /** Null where there is a fault, as nothing is proven by what comes after one. */
  readonly entries: VerifiedEntries | null;
  readonly engineVersion: number;
}

export interface VerifyReport {
  /** Without a password; null where only archives were read. */
  readonly log: string | null;
  readonly archives: number;
  /** Of the log; what was found of each. */
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
