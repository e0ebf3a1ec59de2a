/** What is wrong with a value is said before anything is signed or sent. */

import { decimalToMicros, type Micros } from '@venue/protocol';

/** Milliseconds and seconds since the epoch lie on either side of this, from 1973 to the year 5138. */
const SECONDS_MAX = 1e11;

/**
 * A decimal amount in micros. Throws `TypeError` for what is no number, and `RangeError` for NaN, an infinity and an
 * amount that is not a whole number of millionths (NUM-2).
 */
export function exactMicros(field: string, decimal: number): Micros {
  const micros = decimalToMicros(checkNumber(field, decimal));
  if (micros === undefined) throw new RangeError(`${field} ${decimal} is not a whole number of millionths`);
  return micros;
}

/** As `exactMicros`, for an amount that is more than nothing. */
export function positiveMicros(field: string, decimal: number): Micros {
  const micros = exactMicros(field, decimal);
  if (micros <= 0) throw new RangeError(`${field} ${decimal} is not positive`);
  return micros;
}

/** A whole number from `min` on. */
export function checkInteger(field: string, value: number, min = 0): number {
  if (!Number.isSafeInteger(checkNumber(field, value)) || value < min) {
    throw new RangeError(`${field} ${value} is not a whole number from ${min} on`);
  }
  return value;
}

/** A time in unix milliseconds or seconds; one in the other unit is told from it by its size. */
export function checkTime(field: string, value: number, unit: 'milliseconds' | 'seconds'): number {
  const isMs = checkInteger(field, value) >= SECONDS_MAX;
  if (value > 0 && isMs !== (unit === 'milliseconds')) {
    throw new RangeError(`${field} ${value} is not in ${unit}`);
  }
  return value;
}

function checkNumber(field: string, value: number): number {
  if (typeof value !== 'number') throw new TypeError(`${field} must be a number, not ${typeof value}`);
  return value;
}
