/**
 * The volatility surface of one underlying: SSVI of Gatheral and Jacquier ("Arbitrage-free SVI volatility surfaces",
 * Quantitative Finance 14, 2014) over a mean-reverting term structure. A surface that `arbitrageOf` passes admits
 * neither butterfly nor calendar arbitrage at any strike or expiry.
 */

export interface Surface {
  /** Annual volatility at the money of the shortest expiry, as a fraction. */
  readonly shortVol: number;
  /** The same of the longest expiry. */
  readonly longVol: number;
  /** Time in which the difference between short and long variance halves. */
  readonly halfLifeDays: number;
  /** Correlation of price and volatility: negative where low strikes are expensive. */
  readonly rho: number;
  /** Strength of smile and skew. */
  readonly eta: number;
  /** Speed at which smile and skew flatten with time to expiry: 0.5 keeps them the same in standard deviations. */
  readonly gamma: number;
}

/** The surface at one expiry. */
export interface Slice {
  readonly years: number;
  /** Total variance at the money, annual variance times years. */
  readonly theta: number;
  readonly phi: number;
  readonly rho: number;
}

export const DAYS_PER_YEAR = 365;

/** Total variance at the money after `years`: the integral of a variance that reverts exponentially. */
export function totalVariance({ shortVol, longVol, halfLifeDays }: Surface, years: number): number {
  const speed = (Math.LN2 * DAYS_PER_YEAR) / halfLifeDays;
  const [short, long] = [shortVol * shortVol, longVol * longVol];
  return long * years - ((short - long) * Math.expm1(-speed * years)) / speed;
}

/** The surface at an expiry `years` away, with every total variance times `scale`, which keeps it free of arbitrage. */
export function sliceOf(surface: Surface, years: number, scale = 1): Slice {
  const theta = scale * totalVariance(surface, years);
  return { years, theta, phi: phiOf(surface, theta), rho: surface.rho };
}

/** Total variance at a strike, by its logarithmic distance from the forward. */
export function varianceAt({ theta, phi, rho }: Slice, logMoneyness: number): number {
  const x = phi * logMoneyness;
  return (theta / 2) * (1 + rho * x + Math.sqrt((x + rho) ** 2 + 1 - rho * rho));
}

/** Annual volatility at a strike. */
export function volatilityAt(slice: Slice, logMoneyness: number): number {
  return Math.sqrt(varianceAt(slice, logMoneyness) / slice.years);
}

function phiOf({ eta, gamma }: Surface, theta: number): number {
  return eta / (theta ** gamma * (1 + theta) ** (1 - gamma));
}

/**
 * Why a surface admits static arbitrage, in words, or null. The conditions are Theorems 4.1 and 4.2 of the paper,
 * taken over every total variance, so that they hold for every expiry and every scale.
 */
export function arbitrageOf({ shortVol, longVol, halfLifeDays, rho, eta, gamma }: Surface): string | null {
  if (!(shortVol > 0 && longVol > 0 && halfLifeDays > 0))
    return 'calendar: total variance at the money must grow with time';
  if (!(gamma > 0 && gamma <= 0.5))
    return `butterfly: gamma must be over 0 and at most 0.5, not ${gamma}, or short expiries break`;
  if (!(Math.abs(rho) < 1)) return `calendar: rho must be between -1 and 1, not ${rho}`;
  // theta phi(theta) rises to eta. Its slope over phi is (1 - gamma) / (1 + theta), always below the bound of 1 or
  // more that the calendar condition sets, so no further test is needed.
  const slope = eta * (1 + Math.abs(rho));
  if (!(eta >= 0 && slope < 4)) return `butterfly: eta (1 + |rho|) must be under 4, not ${slope.toFixed(4)}`;
  const curve = eta * eta * peakOfCurvature(gamma) * (1 + Math.abs(rho));
  if (curve > 4)
    return `butterfly: theta phi^2 (1 + |rho|) must be at most 4, and reaches ${curve.toFixed(4)}`;
  return null;
}

/** Largest value of theta phi(theta)^2 for eta = 1, reached at theta = 1 - 2 gamma. */
function peakOfCurvature(gamma: number): number {
  return (1 - 2 * gamma) ** (1 - 2 * gamma) / (2 - 2 * gamma) ** (2 - 2 * gamma);
}
