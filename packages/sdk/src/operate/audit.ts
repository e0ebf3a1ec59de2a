/** Checks the audit of what operators do by hand: recomputes each hash, and checks that each entry follows the one before. */

import {
  AUDIT_GENESIS,
  type AuditEntry,
  type AuditFacts,
  auditHash,
  MICROS_MAX,
  type Micros,
  microsToDecimal,
} from '@venue/protocol';

/** The verdict on an audit: the first fault, or the facts of an intact chain. */
export type AuditVerdict =
  | { readonly fault: string }
  | {
      readonly count: number;
      /** Number of the first entry: 1, or more if the service has dropped the oldest; null without entries. */
      readonly firstN: number | null;
      /** Hash of the last entry, worth noting: it covers everything before it. */
      readonly head: string;
      /** True if the chain contains the head noted earlier; null if none was given. */
      readonly hasNotedHead: boolean | null;
    };

/**
 * Reads the entries, oldest first, and checks them. `notedHead` is the head of an earlier verdict; an audit that does
 * not contain it has been cut or rewritten.
 *
 * @example await verifyAudit(venue.operator.audit(operatorToken), notedHead)
 */
export async function verifyAudit(
  entries: AsyncIterable<AuditEntry> | Iterable<AuditEntry>,
  notedHead: string | null = null,
): Promise<AuditVerdict> {
  let count = 0;
  let firstN: number | null = null;
  let last = { n: 0, hash: AUDIT_GENESIS };
  let found = notedHead === AUDIT_GENESIS;
  for await (const entry of entries) {
    // Earlier entries are gone; the first one's own hash vouches for the previous hash that it names.
    if (firstN === null && entry.n > 1) last = { n: entry.n - 1, hash: entry.previousHash };
    found ||= last.hash === notedHead;
    const fault = faultOf(entry, last);
    if (fault !== null) return { fault };
    firstN ??= entry.n;
    last = entry;
    count += 1;
  }
  found ||= last.hash === notedHead;
  return { count, firstN, head: last.hash, hasNotedHead: notedHead === null ? null : found };
}

function faultOf(entry: AuditEntry, before: { readonly n: number; readonly hash: string }): string | null {
  if (entry.n !== before.n + 1) return `entry ${entry.n} follows entry ${before.n}`;
  if (entry.previousHash !== before.hash)
    return `entry ${entry.n} does not name the hash of the one before it`;
  const facts = factsOf(entry);
  if (facts === null) return `entry ${entry.n} shows other amounts than it was hashed with`;
  if (entry.accepted !== (entry.reason === null)) return `entry ${entry.n} contradicts its own outcome`;
  return auditHash(facts) === entry.hash ? null : `entry ${entry.n} does not have the hash of what it says`;
}

/** The hashed facts, or null if the decimals that people read differ from them. */
function factsOf(entry: AuditEntry): AuditFacts | null {
  const { n, ts, seq, by, action, terms, reason, previousHash, boundBps } = entry;
  if (action !== undefined && terms !== undefined)
    return { n, ts, seq, ...(by !== undefined && { by }), action, terms, reason, previousHash };
  if (boundBps === null) return null;
  const priceMicros = exact(entry.priceMicros, entry.price);
  const anchorMicros = exact(entry.anchorMicros, entry.anchor);
  const deviationMicroBps = exact(entry.deviationMicroBps, entry.deviationBps);
  if (priceMicros === undefined || anchorMicros === undefined || deviationMicroBps === undefined) return null;
  return { ...settlement(entry), boundBps, priceMicros, anchorMicros, deviationMicroBps };
}

/** An entry without an action, which would make it one. */
function settlement({ action: _, terms: __, ...entry }: AuditEntry) {
  return entry;
}

/** Undefined if the two differ. */
function exact(micros: number | null, decimal: number | null): Micros | null | undefined {
  if (micros === null) return decimal === null ? null : undefined;
  if (!Number.isSafeInteger(micros) || Math.abs(micros) > MICROS_MAX) return undefined;
  return microsToDecimal(micros as Micros) === decimal ? (micros as Micros) : undefined;
}
