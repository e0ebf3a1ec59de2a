/** Spans of time in queries. */

import { malformed } from '@venue/protocol';
import { HttpError } from './errors.ts';

export interface Span {
  /** Unix ms, inclusive; null for as many rows as fit before `toMs`. */
  readonly fromMs: number | null;
  /** Unix ms, exclusive. */
  readonly toMs: number;
}

/** The span between two instants of a query. Throws `HttpError` if it ends before it begins. */
export function spanOf(from?: string, to?: string): Span {
  const fromMs = from === undefined ? null : Number(from);
  const toMs = to === undefined ? Number.MAX_SAFE_INTEGER : Number(to);
  if (fromMs !== null && fromMs > toMs) throw new HttpError(malformed('from'));
  return { fromMs, toMs };
}
