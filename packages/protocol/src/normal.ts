/** The standard normal distribution. */

const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);
/** Beyond this, the tail is smaller than the smallest positive double. */
const REACH = 38;
/** Where the continued fraction takes over from the rational approximation. */
const SWITCH = 7.07106781186547;

// Hart's approximation 5666: numerator and denominator, highest power first.
const NUMERATOR = [
  3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
  221.213596169931, 220.206867912376,
];
const DENOMINATOR = [
  8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674,
  637.333633378831, 793.826512519948, 440.413735824752,
];

/** Density at x. */
export function normalPdf(x: number): number {
  return Math.exp(-0.5 * x * x) / SQRT_TWO_PI;
}

/** Probability of a value at most x, to about 1e-14. */
export function normalCdf(x: number): number {
  const tail = upperTail(Math.abs(x));
  return x > 0 ? 1 - tail : tail;
}

function upperTail(x: number): number {
  if (x > REACH) return 0;
  const scale = Math.exp(-0.5 * x * x);
  if (x < SWITCH) return (scale * polynomial(NUMERATOR, x)) / polynomial(DENOMINATOR, x);
  const fraction = x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))));
  return scale / (fraction * SQRT_TWO_PI);
}

// A plain loop for speed: every market update runs it twice per series.
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}
