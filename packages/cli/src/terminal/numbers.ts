/** Formats amounts for people: plain decimals, never an exponent. */

/** Least and most decimal places shown. */
export type Places = readonly [min: number, max: number];

/** Cash, prices and fees: cents, and every non-zero micro. */
export const EXACT_USD: Places = [2, 6];
/** Figures derived from marks, which move all the time. */
export const ROUGH_USD: Places = [2, 2];
export const CONTRACTS: Places = [0, 6];

/**
 * A decimal with no more places than it needs, within the bounds.
 *
 * @example decimalText(12.5, [2, 6]) // '12.50'
 * @example decimalText(0.000001, [2, 6]) // '0.000001'
 */
export function decimalText(value: number, [min, max]: Places): string {
  const text = value.toFixed(max);
  const kept = Math.max(min, placesOf(text));
  const shown = kept === max ? text : text.slice(0, text.length - (max - kept) - (kept === 0 ? 1 : 0));
  return /^-[0.]+$/.test(shown) ? shown.slice(1) : shown;
}

/** The number of significant decimal places. */
export function placesOf(text: string): number {
  const [, fraction = ''] = text.split('.');
  return fraction.replace(/0+$/, '').length;
}

/** Dollars, exact. */
export function usd(value: number): string {
  return `${decimalText(value, EXACT_USD)} USD`;
}

/** Contracts, exact. */
export function contracts(value: number): string {
  return decimalText(value, CONTRACTS);
}
