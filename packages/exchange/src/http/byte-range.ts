/** The `range` of a request for a file (RFC 9110, 14.2). */

export interface ByteRange {
  readonly from: number;
  /** At least 1. */
  readonly bytes: number;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The part of a file that a request names; null for the whole of it, and `none` for a part that the file does not have. Text
 * that is no range counts as none was given, and so do several ranges, which nobody needs here.
 *
 * @example byteRangeOf('bytes=-10', 100) // { from: 90, bytes: 10 }
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'none' | null {
  const [, first, last] = RANGE.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const bytes = Math.min(Number(last), size);
    return bytes === 0 ? 'none' : { from: size - bytes, bytes };
  }
  const from = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < from) return null;
  return from >= size ? 'none' : { from, bytes: end - from };
}
