/** Series identifiers (OWN-31): `{SYMBOL}-{EXPIRY_TS}-{RIGHT}-{STRIKE}`, canonical and stable. */

import { MICROS_PER_UNIT, type Micros } from './units.ts';

export type Right = 'C' | 'P';

export interface SeriesTerms {
  readonly symbol: string;
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly right: Right;
  readonly strikeMicros: Micros;
}

/** A valid symbol. `ALL` is excluded because it means every symbol in a cancel (ORD-9). */
export const SYMBOL = /^(?!ALL$)[A-Z0-9]{1,12}$/;
const SERIES_ID = /^(?!ALL-)([A-Z0-9]{1,12})-([1-9]\d{0,10})-([CP])-(0|[1-9]\d{0,9})(?:\.(\d{0,5}[1-9]))?$/;

/** The decimal text of an amount in micros without trailing zeros: 190500000 gives `190.5`. */
export function formatDecimal(amount: Micros): string {
  const magnitude = Math.abs(amount);
  const whole = `${amount < 0 ? '-' : ''}${Math.floor(magnitude / MICROS_PER_UNIT)}`;
  const fraction = String(magnitude % MICROS_PER_UNIT)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * The canonical name of a contract.
 *
 * @example formatSeriesId({ symbol: 'AAPL', expiryTs: 1764374400, right: 'C', strikeMicros: 190_500_000 }) // AAPL-1764374400-C-190.5
 */
export function formatSeriesId(terms: SeriesTerms): string {
  return `${terms.symbol}-${terms.expiryTs}-${terms.right}-${formatDecimal(terms.strikeMicros)}`;
}

/** Parses a canonical name; undefined if the text is not canonical. */
export function parseSeriesId(text: string): SeriesTerms | undefined {
  const [, symbol, expiry, right, whole, fraction = ''] = SERIES_ID.exec(text) ?? [];
  if (symbol === undefined) return undefined;
  // From the digits, not through a double, which cannot hold every strike near the top of the range exactly.
  const strikeMicros = Number(whole) * MICROS_PER_UNIT + Number(fraction.padEnd(6, '0'));
  if (!Number.isSafeInteger(strikeMicros) || strikeMicros === 0) return undefined;
  return { symbol, expiryTs: Number(expiry), right: right as Right, strikeMicros: strikeMicros as Micros };
}

/** The underlying that an id names: what is in front of its first dash, whether or not it names a series (DET-6). */
export function underlyingOf(seriesId: string): string {
  return seriesId.split('-', 1)[0]!;
}

/** Upper-cases ASCII letters only (OWN-38), so that a Unicode look-alike never becomes a symbol. */
export function upperSymbol(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
