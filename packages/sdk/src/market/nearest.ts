/** The listed series and expiries nearest to one that is not listed. */

import { parseSeriesId, type Series, type SeriesList } from '@venue/protocol';
import { isRefusedAs, NotFoundError } from '../net/errors.ts';
import type { Transport } from '../net/transport.ts';

/** The number of listed strikes or expiries that a refusal names. */
const NEAREST = 3;

/** The nearest of some numbers to another, ascending. */
export function nearest(numbers: readonly number[], to: number): number[] {
  const byDistance = numbers.toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to) || a - b);
  return byDistance.slice(0, NEAREST).sort((a, b) => a - b);
}

/** The series of an underlying. */
export type Listed = (symbol: string) => Promise<readonly Series[]>;

/** Reads each underlying once, however many orders of a batch name series that are not listed. */
export function listedOnce(transport: Pick<Transport, 'get'>): Listed {
  const asked = new Map<string, ReturnType<Listed>>();
  return (symbol) => {
    const list =
      asked.get(symbol) ??
      transport.get<SeriesList>('/v1/series', { query: { symbol } }).then(({ series }) => series);
    asked.set(symbol, list);
    return list;
  };
}

/**
 * The listed series of the same expiry and right whose strikes are nearest; none for an id that names no series, for an
 * expiry that is over, and where the venue does not answer.
 */
async function nearestSeries(seriesId: string, listed: Listed): Promise<string[]> {
  const terms = parseSeriesId(seriesId);
  if (terms === undefined || terms.expiryTs * 1_000 < Date.now()) return [];
  try {
    const series = await listed(terms.symbol);
    const isLike = ({ expiryTs, right }: Series) => expiryTs === terms.expiryTs && right === terms.right;
    const byStrike = new Map(series.filter(isLike).map((one) => [one.strike, one.seriesId]));
    return nearest([...byStrike.keys()], terms.strikeMicros / 1e6).map((strike) => byStrike.get(strike)!);
  } catch {
    return [];
  }
}

/** A result with the nearest listed series, if it was declined because its own is not listed. */
export async function withNearest<T extends object>(
  result: T,
  seriesId: string | undefined,
  listed: Listed,
): Promise<T> {
  if (!('code' in result) || result.code !== 'unknown-series' || seriesId === undefined) return result;
  const found = await nearestSeries(seriesId, listed);
  return found.length === 0 ? result : { ...result, nearest: found };
}

/** The error to throw in the place of a refusal: of a series that is not listed, one that names the nearest strikes. */
export async function namingNearest(
  error: unknown,
  seriesId: string,
  transport: Transport,
): Promise<unknown> {
  if (!isRefusedAs(error, 'unknown-series')) return error;
  const found = await nearestSeries(seriesId, listedOnce(transport));
  if (found.length === 0) return error;
  return new NotFoundError(
    error.status,
    `${error.message}; the nearest listed are ${found.join(', ')}`,
    error.code,
  );
}
