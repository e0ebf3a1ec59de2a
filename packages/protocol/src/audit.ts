/**
 * The audit trail: hand settlements, and everything else that operators do by hand. One text per attempt, hash-chained so
 * that none can be changed or left out.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { formatDecimal } from './series.ts';
import type { Micros } from './units.ts';

export interface AuditGate {
  readonly gate: string;
  /** Null when an earlier check had already failed. */
  readonly passed: boolean | null;
}

/** The step of an attempt by one of two people (CUS-10). */
export interface AuditStep {
  readonly act: 'propose' | 'confirm';
  /** The proposal that it made or named; null if none. */
  readonly proposal: number | null;
  /** The settlement secret that it came with; null unless it was exactly one, and for a named operator. */
  readonly secret: 1 | 2 | null;
}

/** The place of an attempt in the chain. */
interface AuditPlace {
  /** Counts attempts from 1, without gaps. */
  readonly n: number;
  /** The log's time in unix milliseconds; `seq` is the entry's number in the log. */
  readonly ts: number;
  readonly seq: number;
  /** Hash of the previous attempt. */
  readonly previousHash: string;
}

/** Who did it. */
interface AuditPerson {
  /** The operator's name; absent where nobody was named: a settlement secret names nobody, and old logs have no names. */
  readonly by?: string;
}

/** An attempt at hand settlement. Amounts are in micros, distances in millionths of a basis point. */
export interface SettlementAttempt extends AuditPerson {
  /** Absent for an attempt with both secrets at once. */
  readonly step?: AuditStep;
  readonly seriesId: string | null;
  readonly symbol: string | null;
  readonly expiryTs: number | null;
  readonly priceMicros: Micros | null;
  readonly anchorMicros: Micros | null;
  readonly deviationMicroBps: Micros | null;
  readonly boundBps: number;
  readonly gates: readonly AuditGate[];
  /** Why the attempt was refused, or null if it was accepted. */
  readonly reason: string | null;
}

/** Anything else that an operator did, or tried to do (CUS-4). */
export interface OperatorAction extends AuditPerson {
  /** The kind of the log entry, such as `adopt`. */
  readonly action: string;
  /** The entry's fields, as JSON; the operator's own reason is one of them. */
  readonly terms: string;
  /** Why the attempt was refused, or null if it was accepted. */
  readonly reason: string | null;
}

export type AuditBody = SettlementAttempt | OperatorAction;
/** One attempt, without its hash. */
export type AuditFacts = AuditPlace & AuditBody;
export type AuditRecord<B extends AuditBody = AuditBody> = AuditPlace & B & { readonly hash: string };

/** The `previousHash` of the first attempt. */
export const AUDIT_GENESIS = '0'.repeat(64);

/**
 * The text to be hashed: one line per fact, joined by LF, no trailing newline. A missing fact is a dash. Names are JSON
 * strings, because an attempt may contain any name. The lines of a person and of a step are there only for an attempt that
 * has one.
 */
export function auditText(facts: AuditFacts): string {
  return 'action' in facts ? actionText(facts) : settlementText(facts);
}

function actionText(facts: AuditPlace & OperatorAction): string {
  return [
    'Venue audit v2',
    `n: ${facts.n}`,
    `ts: ${facts.ts}`,
    `seq: ${facts.seq}`,
    ...personLines(facts),
    `action: ${JSON.stringify(facts.action)}`,
    `terms: ${JSON.stringify(facts.terms)}`,
    `reason: ${orDash(facts.reason, JSON.stringify)}`,
    `previous: ${facts.previousHash}`,
  ].join('\n');
}

function settlementText(facts: AuditPlace & SettlementAttempt): string {
  const gates = facts.gates.map(({ gate, passed }) => `${gate}=${orDash(passed, String)}`);
  return [
    'Venue audit v1',
    `n: ${facts.n}`,
    `ts: ${facts.ts}`,
    `seq: ${facts.seq}`,
    ...personLines(facts),
    ...stepLines(facts),
    `series: ${orDash(facts.seriesId, JSON.stringify)}`,
    `symbol: ${orDash(facts.symbol, JSON.stringify)}`,
    `expiry: ${orDash(facts.expiryTs, String)}`,
    `price: ${orDash(facts.priceMicros, formatDecimal)}`,
    `anchor: ${orDash(facts.anchorMicros, formatDecimal)}`,
    `deviation bps: ${orDash(facts.deviationMicroBps, formatDecimal)}`,
    `bound bps: ${facts.boundBps}`,
    `gates: ${gates.join(' ')}`,
    `reason: ${orDash(facts.reason, JSON.stringify)}`,
    `previous: ${facts.previousHash}`,
  ].join('\n');
}

function personLines({ by }: AuditPerson): string[] {
  return by === undefined ? [] : [`by: ${JSON.stringify(by)}`];
}

function stepLines({ step }: SettlementAttempt): string[] {
  return step === undefined
    ? []
    : [`step: ${step.act} proposal=${step.proposal ?? '-'} secret=${step.secret ?? '-'}`];
}

function orDash<T>(value: T | null, write: (value: T) => string): string {
  return value === null ? '-' : write(value);
}

/** SHA-256 of the text, in hex. */
export function auditHash(facts: AuditFacts): string {
  return bytesToHex(sha256(utf8ToBytes(auditText(facts))));
}
