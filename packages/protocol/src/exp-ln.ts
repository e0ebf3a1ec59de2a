/**
 * Exponential and natural logarithm with the same bits on every machine: additions, subtractions, multiplications and
 * divisions in a fixed order, each of which IEEE 754 rounds in one way only. `Math.exp` and `Math.log` may differ from
 * one engine and release to the next. The coefficients and their order are those of fdlibm (Sun Microsystems, 1993,
 * e_exp.c and e_log.c); both results are within one unit in the last place.
 */

/** ln 2 in two parts: multiples of the first by any exponent of a double are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** 1 / ln 2, which only chooses an integer and need not be exact. */
const ONE_OVER_LN2 = 1.4428;
/** Beyond these, the result is not a positive double. */
const EXP_MIN = -745.1332191019412;
const EXP_MAX = 709.782712893384;

/** 2^-1022 to 2^1023, each an exact product. */
const EXPONENT_MIN = -1022;
const POWERS_OF_TWO = powersOfTwo();

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(2 * -EXPONENT_MIN + 2);
  powers[-EXPONENT_MIN] = 1;
  for (let k = 1; k <= 1023; k++) powers[k - EXPONENT_MIN] = powers[k - 1 - EXPONENT_MIN]! * 2;
  for (let k = -1; k >= EXPONENT_MIN; k--) powers[k - EXPONENT_MIN] = powers[k + 1 - EXPONENT_MIN]! / 2;
  return powers;
}

/** Multiplies by a power of two from 2^-1075 to 2^1024 in two steps, of which at most the last one rounds. */
function scaled(x: number, exponent: number): number {
  if (exponent >= EXPONENT_MIN && exponent <= 1023) return x * POWERS_OF_TWO[exponent - EXPONENT_MIN]!;
  const first = exponent > 0 ? 1 : -60;
  return x * POWERS_OF_TWO[exponent - first - EXPONENT_MIN]! * POWERS_OF_TWO[first - EXPONENT_MIN]!;
}

/** e to the power of `x + low`, where `low` corrects a rounding of `x` and is far smaller. */
export function exp(x: number, low = 0): number {
  if (!(x >= EXP_MIN)) return x < EXP_MIN ? 0 : Number.NaN;
  if (x > EXP_MAX) return Number.POSITIVE_INFINITY;
  const k = Math.floor(x * ONE_OVER_LN2 + 0.5);
  const high = x - k * LN2_HIGH;
  const rest = k * LN2_LOW - low;
  const r = high - rest;
  const t = r * r;
  const c =
    r -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (0.00006613756321437934 + t * (-0.0000016533902205465252 + t * 4.1381367970572385e-8))));
  return scaled(1 - (rest - (r * c) / (2 - c) - high), k);
}

const SQRT_HALF = Math.sqrt(0.5);
const SQRT_TWO = Math.sqrt(2);

/** The natural logarithm: minus infinity at 0, NaN below. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let mantissa = x;
  let k = 0;
  // Exact steps into the range around 1. Ratios of prices need few of them.
  if (mantissa < SQRT_HALF || mantissa > SQRT_TWO) {
    for (let step = 512; step >= 1; step /= 2) {
      for (; mantissa > POWERS_OF_TWO[step - EXPONENT_MIN]!; k += step)
        mantissa *= POWERS_OF_TWO[-step - EXPONENT_MIN]!;
      for (; mantissa < POWERS_OF_TWO[-step - EXPONENT_MIN]!; k -= step)
        mantissa *= POWERS_OF_TWO[step - EXPONENT_MIN]!;
    }
    if (mantissa > SQRT_TWO) {
      mantissa /= 2;
      k += 1;
    } else if (mantissa < SQRT_HALF) {
      mantissa *= 2;
      k -= 1;
    }
  }
  const f = mantissa - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + (odd + even)) + k * LN2_LOW) - f);
}
