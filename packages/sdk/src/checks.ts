/** Checks values before anything is signed or sent. */

import { decimalToMicros, type Micros } from '@venue/protocol';

/** Times in seconds are below this and those in milliseconds above, from 1973 to the year 5138. */
const SECONDS_MAX = 1e11;

/**
 * A decimal amount in micros. Throws `TypeError` for anything but a number, and `RangeError` for NaN, an infinity or
 * an amount that is not a whole number of millionths (NUM-2).
 */
export function exactMicros(field: string, decimal: number): Micros {
  const micros = decimalToMicros(checkNumber(field, decimal));
  if (micros === undefined) throw new RangeError(`${field} ${decimal} is not a whole number of millionths`);
  return micros;
}

/** Same as `exactMicros`, for a positive amount. */
export function positiveMicros(field: string, decimal: number): Micros {
  const micros = exactMicros(field, decimal);
  if (micros <= 0) throw new RangeError(`${field} ${decimal} is not positive`);
  return micros;
}

/** Checks for an integer of at least `min`. */
export function checkInteger(field: string, value: number, min = 0): number {
  if (!Number.isSafeInteger(checkNumber(field, value)) || value < min) {
    throw new RangeError(`${field} ${value} is not a whole number from ${min} on`);
  }
  return value;
}

/** Checks a time in unix milliseconds or seconds; the size shows if it is in the other unit. */
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
