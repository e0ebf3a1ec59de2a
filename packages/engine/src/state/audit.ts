/** The audit trail: a chain of hashes over everything that people with secrets did, or tried to do. */

import { type AuditBody, auditHash } from '@venue/protocol';
import { AUDIT_KEPT } from './limits.ts';
import type { State } from './state.ts';

/** Appends a record; the oldest ones remain in the log only. */
export function recordAudit({ audit, ts, seq }: State, body: AuditBody): void {
  const facts = { n: audit.count + 1, ts, seq, ...body, previousHash: audit.head };
  const hash = auditHash(facts);
  audit.entries.push({ ...facts, hash });
  if (audit.entries.length > AUDIT_KEPT) audit.entries.shift();
  audit.count = facts.n;
  audit.head = hash;
}
