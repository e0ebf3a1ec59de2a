/** Checks values before anything is signed or sent. */

import { decimalToMicros, MICROS_MAX, type Micros, microsToDecimal } from '@venue/protocol';
import type { Decimal } from './decimal.ts';

/** Times in seconds are below this and those in milliseconds above, from 1973 to the year 5138; and so on. */
const SECONDS_MAX = 1e11;
const MILLISECONDS_MAX = 1e14;
const MICROSECONDS_MAX = 1e17;

type TimeUnit = 'milliseconds' | 'seconds';

/** Digits, and up to six more behind a point; zeros behind those change nothing. */
const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d{1,6})0*)?$/;

/**
 * A decimal amount in micros. Throws `TypeError` for anything but a number or a text, and `RangeError` for NaN, an
 * infinity, a text that is no plain decimal, or an amount that is not a whole number of millionths (NUM-2).
 */
export function exactMicros(field: string, decimal: Decimal): Micros {
  if (typeof decimal !== 'number' && typeof decimal !== 'string')
    throw new TypeError(
      `${field} must be a number or a decimal text, not ${decimal === null ? 'null' : typeof decimal}`,
    );
  const micros = typeof decimal === 'number' ? decimalToMicros(decimal) : textMicros(decimal);
  if (micros === undefined) throw new RangeError(`${field} ${decimal} is not a whole number of millionths`);
  return micros;
}

function textMicros(text: string): Micros | undefined {
  const [, sign, whole, fraction = ''] = DECIMAL_TEXT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const micros = Number(whole + fraction.padEnd(6, '0'));
  if (micros > MICROS_MAX) return undefined;
  return (sign === '-' && micros > 0 ? -micros : micros) as Micros;
}

/**
 * A decimal amount as the number that the wire carries. Throws as `exactMicros` does, and `RangeError` for an amount
 * that is so large that no number holds its millionths.
 */
export function wireNumber(field: string, decimal: Decimal): number {
  const micros = exactMicros(field, decimal);
  const number = microsToDecimal(micros);
  if (decimalToMicros(number) !== micros)
    throw new RangeError(`${field} ${decimal} is too large to be exact`);
  return number;
}

/** A text as `wireNumber` reads it; a number is the venue's to judge. */
export function numberOf(field: string, decimal: Decimal): number {
  return typeof decimal === 'string' ? wireNumber(field, decimal) : decimal;
}

/** Same as `exactMicros`, for a positive amount. */
export function positiveMicros(field: string, decimal: Decimal): Micros {
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

/** Checks a time in unix milliseconds or seconds; the size shows if it is in another unit, which the error names. */
export function checkTime(field: string, value: number, unit: TimeUnit): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && unitOf(value) !== unit)
    throw new RangeError(`${field} ${value} is not in ${unit}: it looks like ${unitOf(value)}`);
  return checkInteger(field, value);
}

function unitOf(time: number): TimeUnit | 'microseconds' | 'nanoseconds' {
  if (time < SECONDS_MAX) return 'seconds';
  if (time < MILLISECONDS_MAX) return 'milliseconds';
  return time < MICROSECONDS_MAX ? 'microseconds' : 'nanoseconds';
}

function checkNumber(field: string, value: number): number {
  if (typeof value !== 'number') throw new TypeError(`${field} must be a number, not ${typeof value}`);
  return value;
}
