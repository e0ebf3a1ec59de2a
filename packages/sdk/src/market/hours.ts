/** Reads the venue's hourly samples of a span of time, page by page (HIS-4). */

import { checkTime } from '../net/checks.ts';

/**
 * A span of hours in unix milliseconds: `from` inclusive, `to` exclusive. Without `from` as many as fit before `to`, without
 * `to` everything until now.
 */
export interface HourSpan {
  readonly from?: number;
  readonly to?: number;
}

/** The query of a span. Throws `RangeError` for times in seconds. */
export function hourQuery({ from, to }: HourSpan): HourSpan {
  // Zero is the beginning.
  for (const [field, ms] of Object.entries({ from, to }))
    if (ms !== undefined) checkTime(field, ms, 'milliseconds');
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

interface Rows<T> {
  readonly rows: readonly T[];
  readonly next?: number;
}

/** All rows of a span, oldest first, read page by page. */
export async function* allRows<T>(
  span: HourSpan & { readonly from: number },
  read: (page: HourSpan) => Promise<Rows<T>>,
): AsyncGenerator<T, void> {
  for (let { from } = span; ; ) {
    const { rows, next } = await read({ ...span, from });
    yield* rows;
    if (next === undefined) return;
    from = next;
  }
}
