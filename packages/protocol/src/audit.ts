/** The audit of hand settlements: one text for each attempt, chained by hash so that none can be changed or left out. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { formatDecimal } from './series.ts';
import type { Micros } from './units.ts';

export interface AuditGate {
  readonly gate: string;
  /** Null where an earlier gate left nothing to check. */
  readonly passed: boolean | null;
}

/** One attempt to settle by hand, without its hash. Amounts are micros, distances millionths of a basis point. */
export interface AuditFacts {
  /** 1 for the first attempt, then without a gap. */
  readonly n: number;
  /** The log's time, in unix milliseconds, and the place of the entry in the log. */
  readonly ts: number;
  readonly seq: number;
  readonly seriesId: string | null;
  readonly symbol: string | null;
  readonly expiryTs: number | null;
  readonly priceMicros: Micros | null;
  readonly anchorMicros: Micros | null;
  readonly deviationMicroBps: Micros | null;
  readonly boundBps: number;
  readonly gates: readonly AuditGate[];
  /** Why it was refused, or null when it was accepted. */
  readonly reason: string | null;
  /** Hash of the attempt before. */
  readonly previousHash: string;
}

export interface AuditRecord extends AuditFacts {
  readonly hash: string;
}

/** What the first attempt follows. */
export const AUDIT_GENESIS = '0'.repeat(64);

/**
 * The text that is hashed: a line for each fact, joined by LF, without one at the end. What is absent is a dash. Names
 * come as JSON strings, as an attempt may name anything.
 */
export function auditText(facts: AuditFacts): string {
  const orDash = <T>(value: T | null, write: (value: T) => string) => (value === null ? '-' : write(value));
  const gates = facts.gates.map(({ gate, passed }) => `${gate}=${orDash(passed, String)}`);
  return [
    'Venue audit v1',
    `n: ${facts.n}`,
    `ts: ${facts.ts}`,
    `seq: ${facts.seq}`,
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

/** SHA-256 of the text, in hex. */
export function auditHash(facts: AuditFacts): string {
  return bytesToHex(sha256(utf8ToBytes(auditText(facts))));
}
