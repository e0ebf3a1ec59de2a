/**
 * Black's formula in fixed point, right to 60 digits, by series that share nothing with the code under test: Taylor's
 * for the exponential, the inverse hyperbolic tangent's for the logarithm, and the one of positive terms for the normal
 * distribution.
 */

import type { Right } from '../src/series.ts';

/** At the end 60 of them hold: far out, a density of 10^-63 is multiplied by a sum of 10^63. */
const DIGITS = 130n;
const ONE = 10n ** DIGITS;
const LN2 = 2n * artanh(ONE / 3n);
/** Beyond this the tail is below 10^-63. */
const REACH = 17n * ONE;

export interface ReferenceTerms {
  readonly right: Right;
  readonly forward: number;
  readonly strike: number;
  readonly minutes: number;
  readonly vol: number;
}

/** The undiscounted price, as a fixed-point number. */
export function referencePrice({ right, forward, strike, minutes, vol }: ReferenceTerms): bigint {
  const [f, k] = [fixed(forward), fixed(strike)];
  const deviation = times(fixed(vol), root((BigInt(minutes) * ONE) / 525_600n));
  const d1 = over(ln(over(f, k)), deviation) + deviation / 2n;
  const call = times(f, cdf(d1)) - times(k, cdf(d1 - deviation));
  return right === 'C' ? call : call - f + k;
}

/** How far a double is from a fixed-point number, as a share of another double. */
export function distance(found: number, reference: bigint, share: number): number {
  const error = fixed(found) - reference;
  return Number(((error < 0n ? -error : error) * 10n ** 30n) / fixed(share)) / 1e30;
}

/** A double, exactly but for digits beyond the last one kept. */
export function fixed(x: number): bigint {
  let [whole, exponent] = [x, 0n];
  for (; !Number.isInteger(whole); exponent += 1n) whole *= 2;
  return (BigInt(whole) * ONE) / 2n ** exponent;
}

function times(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

function over(a: bigint, b: bigint): bigint {
  return (a * ONE) / b;
}

function root(x: bigint): bigint {
  const square = x * ONE;
  let guess = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (guess + square / guess) / 2n;
    if (next >= guess) return guess;
    guess = next;
  }
}

export function exp(x: bigint): bigint {
  // Sixteen halvings, each undone by a square.
  const small = x / 65_536n;
  let [sum, term] = [ONE, ONE];
  for (let n = 1n; term !== 0n; n++) {
    term = (term * small) / (n * ONE);
    sum += term;
  }
  for (let k = 0; k < 16; k++) sum = times(sum, sum);
  return sum;
}

export function ln(x: bigint): bigint {
  let [mantissa, halvings] = [x, 0n];
  for (; mantissa > 2n * ONE; halvings++) mantissa /= 2n;
  for (; mantissa < ONE; halvings--) mantissa *= 2n;
  return 2n * artanh(over(mantissa - ONE, mantissa + ONE)) + halvings * LN2;
}

function artanh(x: bigint): bigint {
  const square = times(x, x);
  let [sum, power] = [0n, x];
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = times(power, square);
  }
  return sum;
}

/** 1/2 + φ(x) (x + x³/3 + x⁵/15 + …). */
export function cdf(x: bigint): bigint {
  if (x < 0n) return ONE - cdf(-x);
  if (x > REACH) return ONE;
  const square = times(x, x);
  let [sum, term] = [0n, x];
  for (let n = 3n; term !== 0n; n += 2n) {
    sum += term;
    term = (term * square) / (n * ONE);
  }
  return ONE / 2n + times(pdf(x), sum);
}

export function pdf(x: bigint): bigint {
  return over(exp(-times(x, x) / 2n), ROOT_TWO_PI);
}

/** Machin's formula. */
function pi(): bigint {
  const arctan = (one: bigint) => {
    let [sum, power] = [0n, ONE / one];
    for (let n = 1n; power !== 0n; n += 2n) {
      sum += n % 4n === 1n ? power / n : -power / n;
      power /= one * one;
    }
    return sum;
  };
  return 4n * (4n * arctan(5n) - arctan(239n));
}

const ROOT_TWO_PI = root(2n * pi());
