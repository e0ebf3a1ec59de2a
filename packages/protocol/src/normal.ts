/**
 * The standard normal distribution, with the same bits on every machine. The approximations are Cody's (ANORM in "A
 * portable FORTRAN package of special function routines", TOMS 715, 1993): rational in three ranges, with a relative
 * error of the tail of a few units in the last place.
 */

import { exp } from './exp-ln.ts';

const ONE_OVER_SQRT_TWO_PI = 0.3989422804014327;
/** Beyond this, the tail is smaller than the smallest positive double. */
const REACH = 38.6;
/** Where Cody's ranges meet. */
const CENTRE = 0.66291;
const FLANK = 5.656854249492381;

/** Density at x. */
export function normalPdf(x: number): number {
  return bell(x) * ONE_OVER_SQRT_TWO_PI;
}

/** Probability of a value at most x. */
export function normalCdf(x: number): number {
  const distance = x < 0 ? -x : x;
  if (distance <= CENTRE) return 0.5 + centre(x);
  const tail = distance > REACH ? 0 : bell(x) * (distance <= FLANK ? flank(distance) : farOut(distance));
  return x > 0 ? 1 - tail : tail;
}

/** Splits a double into halves whose products are exact (Dekker, 1971). */
const SPLITTER = 134_217_729;
/** Beyond this, `bell` is zero. */
const BELL_REACH = 40;

/** exp(-x²/2). The square's rounding error goes into the exponent, where it would else grow with x. */
function bell(x: number): number {
  if (!(x > -BELL_REACH && x < BELL_REACH)) return Number.isNaN(x) ? x : 0;
  const square = x * x;
  const moved = SPLITTER * x;
  const high = moved - (moved - x);
  const low = x - high;
  const error = high * high - square + 2 * high * low + low * low;
  return exp(-0.5 * square, -0.5 * error);
}

function centre(x: number): number {
  const z = x * x;
  const numerator =
    (((0.06568233791820745 * z + 2.2352520354606837) * z + 161.02823106855587) * z + 1067.6894854603709) * z +
    18154.98125334356;
  const denominator =
    (((z + 47.202581904688245) * z + 976.0985517377767) * z + 10260.932208618979) * z + 45507.78933502673;
  return (x * numerator) / denominator;
}

function flank(x: number): number {
  const numerator =
    (((((((1.0765576773720192e-8 * x + 0.39894151208813466) * x + 8.883149794388377) * x +
      93.50665613217785) *
      x +
      597.2702763948002) *
      x +
      2494.5375852903726) *
      x +
      6848.190450536283) *
      x +
      11602.65143764735) *
      x +
    9842.714838383978;
  const denominator =
    (((((((x + 22.266688044328117) * x + 235.387901782625) * x + 1519.3775994075547) * x +
      6485.558298266761) *
      x +
      18615.571640885097) *
      x +
      34900.95272114598) *
      x +
      38912.00328609327) *
      x +
    19685.429676859992;
  return numerator / denominator;
}

function farOut(x: number): number {
  const z = 1 / (x * x);
  const numerator =
    ((((0.023073441764940174 * z + 0.215898534057957) * z + 0.12740116116024736) * z + 0.022235277870649807) *
      z +
      0.0014216191932278934) *
      z +
    0.000029112874951168793;
  const denominator =
    ((((z + 1.284260096144911) * z + 0.4682382124808651) * z + 0.06598813786892856) * z +
      0.0037823963320275824) *
      z +
    0.00007297515550839662;
  return (ONE_OVER_SQRT_TWO_PI - (z * numerator) / denominator) / x;
}
