/** The headers that name entries: the one that an answer shows, and the one that a request comes after. */

import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../http/errors.ts';

/** Every answer carries it (VEN-2). */
export const SEQ_HEADER = 'x-venue-seq';
/** The last entry that the client knows of: it is answered from no earlier state (FOL-5). */
const AFTER_HEADER = 'x-venue-after';
const ENTRY = /^\d{1,15}$/;

/** The entry that the state must have reached; 0 without one. Throws the refusal of what is none. */
export function entryKnown(headers: IncomingHttpHeaders): number {
  const given = headers[AFTER_HEADER];
  if (given === undefined) return 0;
  return typeof given === 'string' && ENTRY.test(given) ? Number(given) : refuse('malformedAfter');
}
