/** Parses amounts, contracts and times of the command line. Faults are reported before anything is sent. */

import { decimalToMicros, formatDecimal, type Micros, parseSeriesId, upperSymbol } from '@venue/protocol';
import { usageError } from '../base/command-error.ts';

const DECIMAL = /^\d{1,16}(?:\.\d+)?$/;

/**
 * A positive decimal that is a whole number of millionths (NUM-2); `what` names it in the refusal.
 *
 * @example amountOf('quantity', '0.25') // 0.25
 */
export function amountOf(what: string, text: string): number {
  const value = amountOrZeroOf(what, text);
  if (value === 0) throw usageError(`${what} must be more than zero, not "${text}"`);
  return value;
}

/** Like `amountOf`, but it may be zero. */
export function amountOrZeroOf(what: string, text: string): number {
  const refuse = (why: string) => usageError(`${what} ${why}, not "${text}"`);
  if (!DECIMAL.test(text)) throw refuse('must be a plain decimal like 12.5');
  const value = Number(text);
  const micros = decimalToMicros(value);
  // The typed digits must be the exact amount, not just the nearest that a double can hold.
  if (micros === undefined || !isSameDecimal(text, micros))
    throw refuse('must be exact in millionths, and below 2^32 where it has as many places');
  return value;
}

/** Like `amountOrZeroOf`, but it may be negative: what brings money in has a negative cost. */
export function signedAmountOf(what: string, text: string): number {
  return text.startsWith('-') ? 0 - amountOrZeroOf(what, text.slice(1)) : amountOrZeroOf(what, text);
}

function isSameDecimal(text: string, micros: Micros): boolean {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = fraction.replace(/0+$/, '');
  const typed = digits === '' ? whole : `${whole}.${digits}`;
  return typed.replace(/^0+(?=\d)/, '') === formatDecimal(micros);
}

/**
 * The canonical name of a contract, given in any case. Only the venue knows whether it is listed.
 *
 * @example seriesOf('btc-1795827600-c-92000') // 'BTC-1795827600-C-92000'
 */
export function seriesOf(text: string): string {
  const upper = upperSymbol(text);
  if (parseSeriesId(upper) === undefined)
    throw usageError(
      `a series is named like BTC-1795827600-C-92000, not "${text}"; "venue chain SYMBOL" lists them`,
    );
  return upper;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const UNIX_SECONDS = /^\d{9,11}$/;

/** An expiry as a day in New York, or in unix seconds. */
export type ExpiryWord = { readonly day: string } | { readonly expiryTs: number };

/** Parses `2026-11-27` or unix seconds. */
export function expiryWord(text: string): ExpiryWord {
  if (DAY.test(text)) return { day: text };
  if (UNIX_SECONDS.test(text)) return { expiryTs: Number(text) };
  throw usageError(`an expiry is a day like 2026-11-27 or unix seconds, not "${text}"`);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/;
const UNIX_MS = /^\d{12,14}$/;

/**
 * A time in UTC as unix ms: a day, an ISO 8601 time, or unix ms; `option` names it in the refusal, which lists before
 * these what else it may be.
 *
 * @example instantOf('--from', '2026-11-01') // 1793491200000
 */
export function instantOf(option: string, text: string, others = ''): number {
  if (UNIX_MS.test(text)) return Number(text);
  // Without a zone a time of day would be in this machine's zone.
  const inUtc = text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text;
  const ms = INSTANT.test(text) ? Date.parse(inUtc) : Number.NaN;
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 10));
  if (!isReal)
    throw usageError(
      `${option} is ${others}a day like 2026-11-01, a time like 2026-11-01T08:00 (UTC) or unix ms, not "${text}"`,
    );
  return ms;
}

/**
 * A span of time from `--from` and `--to`, in unix ms; an end that was not given is left out.
 *
 * @example timesOf({ from: '2026-11-01' }) // { from: 1793491200000 }
 */
export function timesOf({ from, to }: SpanOptions): TimeSpan {
  const span = {
    ...(from !== undefined && { from: instantOf('--from', from) }),
    ...(to !== undefined && { to: instantOf('--to', to) }),
  };
  if (span.from !== undefined && span.to !== undefined && span.from > span.to)
    throw usageError('--from is after --to');
  return span;
}

interface SpanOptions {
  readonly from?: string;
  readonly to?: string;
}

export interface TimeSpan {
  readonly from?: number;
  readonly to?: number;
}

/** A whole number from 1 to a limit. */
export function countOf(what: string, text: string, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max)
    throw usageError(`${what} must be a whole number from 1 to ${max}, not "${text}"`);
  return value;
}

/** The value, with a `RangeError` of the sdk as a fault of the command line. */
export function orUsage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw usageError(error.message);
    throw error;
  }
}
