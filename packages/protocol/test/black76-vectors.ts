/**
 * Terms from every corner of the formula's domain, and the bits of what it makes of them. The terms are made by exact
 * arithmetic alone, so that a browser makes the same ones.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type UndiscountedTerms, valueOption } from '../src/black76.ts';

const MINUTES_PER_YEAR = 525_600;
const THREE_MONTHS = 131_400;
const BYTES_PER_DOUBLE = 8;

export interface VectorTerms extends UndiscountedTerms {
  readonly minutes: number;
}

/** The first so many terms: any spot, 1 minute to 3 months, volatilities of 0.01 to 5, near the money and far from it. */
export function vectorTerms(count: number): VectorTerms[] {
  const draw = drawer();
  return Array.from({ length: count }, (_, at) => {
    const forward = cents(spread(draw, 0.5, 200_000));
    const minutes = Math.ceil(spread(draw, 1, THREE_MONTHS));
    const years = minutes / MINUTES_PER_YEAR;
    const vol = spread(draw, 0.01, 5);
    // By turns anywhere, within eight standard deviations, and within one.
    const reach = at % 3 === 0 ? 4 : vol * Math.sqrt(years) * (at % 3 === 1 ? 8 : 1);
    const factor = 1 + reach * draw();
    const strike = Math.max(0.01, cents(draw() < 0.5 ? forward * factor : forward / factor));
    return { right: draw() < 0.5 ? 'C' : 'P', forward, strike, minutes, years, vol };
  });
}

/** Price, delta, gamma, vega and theta, each as the 16 hex digits of its double. */
export function bitsOf(terms: UndiscountedTerms): string {
  return bytesToHex(bytesOf(terms));
}

/** SHA-256 over the bits of the first so many terms. */
export function digestOfVectors(count: number): string {
  const hash = sha256.create();
  for (const terms of vectorTerms(count)) hash.update(bytesOf(terms));
  return bytesToHex(hash.digest());
}

function bytesOf(terms: UndiscountedTerms): Uint8Array {
  const { price, delta, gamma, vega, theta } = valueOption(terms);
  const numbers = [price, delta, gamma, vega, theta];
  const view = new DataView(new ArrayBuffer(numbers.length * BYTES_PER_DOUBLE));
  for (const [at, number] of numbers.entries()) view.setFloat64(at * BYTES_PER_DOUBLE, number);
  return new Uint8Array(view.buffer);
}

/** Numbers from 0 to 1, by a linear congruence whose products are exact. */
function drawer(): () => number {
  let state = 20_260_601;
  return () => {
    state = (state * 1_103_515 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Between two numbers, as often in each doubling between them. */
function spread(draw: () => number, low: number, high: number): number {
  let [doublings, reach] = [0, low];
  for (; reach < high; reach *= 2) doublings += 1;
  let value = low * (1 + draw());
  for (let k = Math.floor(draw() * doublings); k > 0; k--) value *= 2;
  return Math.min(value, high);
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
