/** Whether the audit of hand settlements is whole: each hash is computed anew, and each entry follows the one before. */

import {
  AUDIT_GENESIS,
  type AuditEntry,
  type AuditFacts,
  auditHash,
  MICROS_MAX,
  type Micros,
  microsToDecimal,
} from '@venue/protocol';

/** What an audit amounts to: the first fault, or the facts of a chain that is intact. */
export type AuditVerdict =
  | { readonly fault: string }
  | {
      readonly count: number;
      /** Number of the first entry, 1 unless the service has let the oldest go; null without entries. */
      readonly firstN: number | null;
      /** Hash of the last entry, to be noted: it stands for all before it. */
      readonly head: string;
      /** Whether the head that was noted earlier is one of the chain; null when none was given. */
      readonly hasNotedHead: boolean | null;
    };

/**
 * Reads the entries, oldest first, and judges them. `notedHead` is a head of an earlier verdict: an audit in which it
 * does not stand has been cut or written anew.
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
    // Those before the first are out of sight; its own hash vouches for the one that it names.
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

/** What was hashed, or null where the decimals that people read differ from it. */
function factsOf(entry: AuditEntry): AuditFacts | null {
  const priceMicros = exact(entry.priceMicros, entry.price);
  const anchorMicros = exact(entry.anchorMicros, entry.anchor);
  const deviationMicroBps = exact(entry.deviationMicroBps, entry.deviationBps);
  if (priceMicros === undefined || anchorMicros === undefined || deviationMicroBps === undefined) return null;
  return { ...entry, priceMicros, anchorMicros, deviationMicroBps };
}

/** Undefined where the two differ. */
function exact(micros: number | null, decimal: number | null): Micros | null | undefined {
  if (micros === null) return decimal === null ? null : undefined;
  if (!Number.isSafeInteger(micros) || Math.abs(micros) > MICROS_MAX) return undefined;
  return microsToDecimal(micros as Micros) === decimal ? (micros as Micros) : undefined;
}
