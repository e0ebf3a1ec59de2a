/**
 * Formats and parses the page's numbers. Amounts come as on the wire, in dollars or contracts, NaN where unknown; all
 * rounding is half away from zero on whole micros, like the venue's own texts. A chain formats hundreds of them per
 * update, so nothing here calls `Intl`.
 */

import { MICROS_PER_UNIT, type Micros } from '@venue/protocol';
import { READER_GROUPS_BY_POINTS } from './reader-grouping.ts';

/** A minus sign, U+2212, as wide as the plus. */
export const MINUS = '−';
/** Shown for an unknown number. */
export const UNKNOWN = '–';

const DECIMALS_MAX = 6;
const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, MICROS_PER_UNIT] as const;
const PRICE_DECIMALS = 2;
const SMALL_PRICE_DECIMALS = 4;
/** Below this a price shows four decimals. */
const SMALL_PRICE = 0.05;
/** Options on cheaper underlyings are priced in fractions of a cent. */
const SMALL_SPOT = 10;
const SIZE_DECIMALS_MAX = 3;

/**
 * Formats a price in dollars with thousands separators: with the decimals of its column, or alone with two, four below
 * 0.05. A price too small for them never shows as zero.
 *
 * @example formatPrice(1234.5) // '1,234.50'
 * @example formatPrice(0.0312) // '0.0312'
 */
export function formatPrice(price: number, decimals = priceDecimals([price])): string {
  return visible(price, decimals);
}

/** Decimals for a column of prices, so that decimal points line up: 2, or 4 if one is below 0.05. */
export function priceDecimals(column: Iterable<number>): number {
  for (const price of column) if (price !== 0 && Math.abs(price) < SMALL_PRICE) return SMALL_PRICE_DECIMALS;
  return PRICE_DECIMALS;
}

/** Decimals for a column of limit prices: those of any column, or as many as show each of them whole. */
export function limitDecimals(column: Iterable<number>): number {
  const prices = [...column];
  return Math.max(priceDecimals(prices), ...prices.map(decimalsOf));
}

/**
 * Formats the limit price of an order, of which no digit is rounded away.
 *
 * @example formatLimit(1501.333) // '1,501.333'
 */
export function formatLimit(price: number): string {
  return formatPrice(price, limitDecimals([price]));
}

/**
 * Decimals for a chain's prices, chosen by the price of its underlying: its own prices cross 0.05 with every tick.
 * Fractions of a cent on an expensive underlying show as `<0.01`.
 */
export function chainDecimals(spot: number): number {
  return spot > 0 && spot < SMALL_SPOT ? SMALL_PRICE_DECIMALS : PRICE_DECIMALS;
}

/**
 * Formats an amount to the micro, for what somebody signs or owns: no digit is rounded away, and at least `decimalsMin`
 * are shown.
 *
 * @example formatExact(0.055) // '0.055'
 * @example formatExact(1240) // '1,240.00'
 */
export function formatExact(amount: number, decimalsMin = PRICE_DECIMALS): string {
  return signed(amount, Math.max(decimalsMin, decimalsOf(amount)), '');
}

/**
 * Formats a price for a field, in which it reads the same in every language: `1.234` could be taken for thousands.
 *
 * @example priceFieldText(1.234) // '1.2340'
 */
export function priceFieldText(price: number): string {
  return formatExact(price, fieldDecimals(price, PRICE_DECIMALS));
}

/**
 * Formats a quantity for a field: ungrouped, since `1,234` alone could be taken for a decimal fraction.
 *
 * @example qtyFieldText(1234) // '1234'
 */
export function qtyFieldText(contracts: number): string {
  return formatExact(contracts, fieldDecimals(contracts, 0)).replaceAll(',', '');
}

/** Three decimals after up to three digits look like a group of thousands. */
function fieldDecimals(amount: number, decimalsMin: number): number {
  const looksGrouped = Math.abs(amount) >= 1 && Math.abs(amount) < 1_000 && decimalsOf(amount) === 3;
  return looksGrouped ? 4 : decimalsMin;
}

/**
 * Formats a quantity in contracts: with the decimals of its column, or alone with as many as it has.
 *
 * @example formatSize(12.5, 2) // '12.50'
 * @example formatSize(12.5) // '12.5'
 */
export function formatSize(contracts: number, decimals?: number): string {
  return decimals === undefined ? formatExact(contracts, 0) : visible(contracts, decimals);
}

/** Decimals for a column of quantities, so that decimal points line up: 0 while all are whole. */
export function sizeDecimals(column: Iterable<number>, decimalsMax = SIZE_DECIMALS_MAX): number {
  let needed = 0;
  for (const contracts of column) {
    if (needed >= decimalsMax) return decimalsMax;
    needed = Math.max(needed, decimalsOf(contracts));
  }
  return Math.min(needed, decimalsMax);
}

/** Formats a position in contracts, always signed: `+2`, `−3.5`, `0`. */
export function formatPosition(contracts: number): string {
  return signed(contracts, decimalsOf(contracts), '+');
}

/** Formats dollars with their unit: `$1,246.20`, `−$3.00`. */
export function formatUsd(usd: number): string {
  return signed(usd, PRICE_DECIMALS, '', '$');
}

/** An amount before and after an order: `$100,000.00 → $98,877.20`. */
export function formatUsdChange(before: number, after: number): string {
  return `${formatUsd(before)} → ${formatUsd(after)}`;
}

/** Formats profit and loss in dollars, always signed: `+12.00`, `−3.20`; an amount that rounds to zero is `0.00`. */
export function formatPnl(usd: number, unit: '' | '$' = ''): string {
  return signed(usd, PRICE_DECIMALS, '+', unit);
}

/** Formats a share as a percentage: 0.542 gives `54.2%`. */
export function formatPercent(share: number, decimals = 1): string {
  return Number.isFinite(share) ? `${signed(share * 100, decimals, '')}%` : UNKNOWN;
}

/** Formats a number on an axis: with as many decimals as tell it from its neighbours. */
export function formatAxis(value: number, decimals: number): string {
  return signed(value, decimals, '');
}

/** Formats a change as a percentage, always signed: 0.0124 gives `+1.24%`. */
export function formatChange(share: number): string {
  return Number.isFinite(share) ? `${signed(share * 100, 2, '+')}%` : UNKNOWN;
}

/**
 * Formats an annual volatility, given as a fraction; 0 means that there is none. Whole percent from 100% up, and no
 * more than `>999%`: far strikes get there in an expiry's last hours, and a column has room for five characters.
 */
export function formatIv(iv: number): string {
  if (iv === 0) return UNKNOWN;
  return iv >= IV_MAX ? '>999%' : formatPercent(iv, iv < WHOLE_FROM ? 1 : 0);
}

/** 99.95% would round to 100.0%. */
const WHOLE_FROM = 0.9995;
/** 999.5% would round to 1,000%. */
const IV_MAX = 9.995;

/** Formats a delta between -1 and 1. Pass NaN where the volatility is unknown, as 0 is a valid delta. */
export function formatDelta(delta: number): string {
  return signed(delta, 2, '');
}

/** The same in a column of many, in which nothing and all have no decimals, so that the others stand out. */
export function formatColumnDelta(delta: number): string {
  return formatDelta(delta).replace(/\.00$/, '');
}

/** Formats a gamma: as many decimals as tell it from others at its spot, as it is for a move of a dollar. */
export function formatGamma(gamma: number, spot: number): string {
  const decimals = spot > 0 ? Math.ceil(Math.log10(spot)) + 2 : DECIMALS_MAX;
  return signed(gamma, Math.min(DECIMALS_MAX, Math.max(2, decimals)), '');
}

/** Formats a greek in dollars, such as theta and vega, or a net delta. */
export function formatGreek(value: number): string {
  return signed(value, 2, '');
}

/** Formats profit and loss for a narrow column, always signed: `+12.3k`, `−980`; nothing is `0.00`. */
export function formatCompactPnl(usd: number): string {
  const cents = Math.round(usd * 100) / 100;
  if (Math.abs(cents) < 100) return formatPnl(cents);
  return `${cents > 0 ? '+' : ''}${formatCompact(cents)}`;
}

/**
 * Formats a count for a narrow column, such as open interest and volume in contracts: three or four digits and their
 * unit.
 *
 * @example formatCompact(1234) // '1.2k'
 */
export function formatCompact(contracts: number): string {
  if (!Number.isFinite(contracts)) return UNKNOWN;
  const magnitude = Math.abs(contracts);
  // A value that would round up to 1,000 takes the next unit.
  const step = COMPACT_STEPS.find(({ from }) => magnitude >= from);
  if (step === undefined) return visible(contracts, Math.min(decimalsOf(contracts), magnitude < 100 ? 2 : 0));
  const scaled = contracts / step.size;
  return `${signed(scaled, Math.abs(scaled) < 99.95 ? 1 : 0, '')}${step.unit}`;
}

/** Like `formatCompact`, with two decimals below 100, so that decimal points line up. */
export function formatColumnSize(contracts: number): string {
  return Math.abs(contracts) < 100 ? visible(contracts, 2) : formatCompact(contracts);
}

const COMPACT_STEPS = [
  { from: 999_500_000, size: 1e9, unit: 'B' },
  { from: 999_500, size: 1e6, unit: 'M' },
  { from: 999.5, size: 1e3, unit: 'k' },
] as const;

/** A non-zero number never shows as zero: `<0.01`. */
function visible(value: number, decimals: number): string {
  const text = signed(value, decimals, '');
  if (value === 0 || !Number.isFinite(value) || scaledOf(value, decimals) !== 0) return text;
  return `${value < 0 ? `>${MINUS}` : '<'}${digits(1, decimals)}`;
}

/** The sign follows the rounded text, so that there is no signed zero. */
function signed(value: number, decimals: number, plus: '' | '+', unit = ''): string {
  if (!Number.isFinite(value)) return UNKNOWN;
  const scaled = scaledOf(value, decimals);
  const sign = scaled === 0 ? '' : value < 0 ? MINUS : plus;
  return `${sign}${unit}${digits(scaled, decimals)}`;
}

/** The magnitude in units of the last decimal shown. */
function scaledOf(value: number, decimals: number): number {
  const unit = POWERS[DECIMALS_MAX - decimals]!;
  return Math.floor((Math.round(Math.abs(value) * MICROS_PER_UNIT) + unit / 2) / unit);
}

/** Formats an integer in units of the last decimal, with thousands separators. */
function digits(scaled: number, decimals: number): string {
  const power = POWERS[decimals]!;
  const whole = Math.floor(scaled / power);
  const text = whole < 1_000 ? String(whole) : grouped(String(whole));
  return decimals === 0 ? text : `${text}.${String(scaled - whole * power).padStart(decimals, '0')}`;
}

function grouped(whole: string): string {
  let end = whole.length % 3 || 3;
  let text = whole.slice(0, end);
  for (; end < whole.length; end += 3) text += `,${whole.slice(end, end + 3)}`;
  return text;
}

/** The decimals of an amount, at most a micro's six. */
function decimalsOf(value: number): number {
  if (!Number.isFinite(value)) return 0;
  let rest = Math.round(Math.abs(value) * MICROS_PER_UNIT);
  if (rest % MICROS_PER_UNIT === 0) return 0;
  let decimals = DECIMALS_MAX;
  for (; rest % 10 === 0; rest /= 10) decimals -= 1;
  return decimals;
}

/** Why a typed amount is invalid. */
export type AmountFault =
  | 'empty'
  | 'not-a-number'
  | 'ambiguous'
  | 'too-many-decimals'
  | 'too-large'
  | 'negative';

/** The page's message for each. */
export const AMOUNT_FAULTS: Readonly<Record<AmountFault, string>> = {
  empty: 'Enter a number.',
  'not-a-number': 'Enter a number.',
  ambiguous: 'Thousands or decimals? Enter 1234 or 1.2340.',
  'too-many-decimals': 'Too many decimal places.',
  'too-large': 'Too large.',
  negative: 'Must not be negative.',
};

export type TypedAmount =
  | { readonly ok: true; readonly micros: Micros }
  | { readonly ok: false; readonly fault: AmountFault };

/** 2^32 units: beyond it a double can no longer represent every micro (NUM-2). */
export const AMOUNT_MAX_MICROS = (2 ** 32 * MICROS_PER_UNIT) as Micros;

export interface AmountLimits {
  readonly maxMicros?: Micros;
  readonly decimalsMax?: number;
  /** True where the reader may group thousands by points; by default as the browser's languages do. */
  readonly groupsByPoints?: boolean;
}

/**
 * Parses a typed amount to micros from its digits, never by way of a double. Comma and point both count as decimal
 * separator; thousands may be separated by spaces, apostrophes, or whichever of the two is not the decimal separator.
 * As the page itself groups thousands with commas, `1,234` is ambiguous and refused, and `1.234` where the reader's
 * language groups by points.
 *
 * @example parseAmount('1.234,50') // { ok: true, micros: 1234500000 }
 * @example parseAmount('0,0000001') // { ok: false, fault: 'too-many-decimals' }
 */
export function parseAmount(text: string, limits: AmountLimits = {}): TypedAmount {
  const { maxMicros = AMOUNT_MAX_MICROS, decimalsMax = DECIMALS_MAX } = limits;
  const { groupsByPoints = READER_GROUPS_BY_POINTS } = limits;
  const typed = text.trim().replace(/^\$\s*/, '');
  if (typed === '') return { ok: false, fault: 'empty' };
  const isNegative = /^[-−]/.test(typed);
  const parts = partsOf(isNegative ? typed.slice(1).trimStart() : typed, groupsByPoints);
  if (typeof parts === 'string') return { ok: false, fault: parts };
  if (isNegative) return { ok: false, fault: 'negative' };
  if (parts.fraction.length > decimalsMax) return { ok: false, fault: 'too-many-decimals' };
  const micros = Number(parts.whole) * MICROS_PER_UNIT + Number(parts.fraction.padEnd(DECIMALS_MAX, '0'));
  return micros <= maxMicros ? { ok: true, micros: micros as Micros } : { ok: false, fault: 'too-large' };
}

/** Why a typed amount can be neither quantity nor price of an order; null if it can. */
export function faultText(typed: TypedAmount): string | null {
  if (!typed.ok) return AMOUNT_FAULTS[typed.fault];
  return typed.micros === 0 ? 'Must be more than zero.' : null;
}

const SPACED = /^[1-9]\d{0,2}(?:[\s'’]\d{3})+(?=[.,]|$)/;
const PLAIN = /^(\d*)(?:([.,])(\d*))?$/;
const GROUPED = /^([1-9]\d{0,2}([.,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d*))?$/;

/** Digits before and after the decimal separator, without grouping or trailing zeros. */
function partsOf(typed: string, groupsByPoints: boolean): { whole: string; fraction: string } | AmountFault {
  const joined = typed.replace(SPACED, (groups) => groups.replace(/\D/g, ''));
  const plain = PLAIN.exec(joined);
  // Not plain, so there is more than one separator and it is clear which one groups.
  const match = plain ?? GROUPED.exec(joined);
  const [, whole = '', separator, fraction = ''] = match ?? [];
  if (whole + fraction === '') return 'not-a-number';
  const mayGroup = plain !== null && (separator === ',' || groupsByPoints);
  if (mayGroup && /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3) return 'ambiguous';
  return { whole: whole.replace(/\D/g, ''), fraction: fraction.replace(/0+$/, '') };
}
