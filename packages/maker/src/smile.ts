/** The volatility the maker quotes: a smile in moneyness for each underlying. */

/** Moneyness is the log distance of strike from spot in standard deviations of the time left. */
export interface Smile {
  /** At the money, annual, as a fraction. */
  readonly atm: number;
  /** Relative change of volatility per deviation; negative where downside protection is dear. */
  readonly skew: number;
  /** Relative rise of volatility per squared deviation, on both sides. */
  readonly wings: number;
}

const KNOWN = new Map<string, Smile>([
  ['BTC', { atm: 0.55, skew: -0.02, wings: 0.025 }],
  ['ETH', { atm: 0.7, skew: -0.02, wings: 0.025 }],
  ['SOL', { atm: 0.85, skew: -0.01, wings: 0.03 }],
  ['AAPL', { atm: 0.26, skew: -0.06, wings: 0.02 }],
  ['MSFT', { atm: 0.23, skew: -0.06, wings: 0.02 }],
  ['NVDA', { atm: 0.48, skew: -0.04, wings: 0.02 }],
  ['SPX', { atm: 0.15, skew: -0.1, wings: 0.015 }],
  ['NDX', { atm: 0.2, skew: -0.09, wings: 0.015 }],
]);

const ANY: Smile = { atm: 0.5, skew: -0.03, wings: 0.02 };

/** Where the smile is cut off on either side: further out it stays as it is. */
const REACH = 4;
/** Short expiries are quoted a little higher: the last days hold the surprises. */
const SHORT_LIFT = 0.08;
const SHORT_YEARS = 7 / 365.25;

/** The smile of an underlying; one that is not known gets a middling one. */
export function smileOf(symbol: string): Smile {
  return KNOWN.get(symbol) ?? ANY;
}

/** Annual volatility, as a fraction, for a strike and a positive time to expiry. */
export function smileVol(smile: Smile, at: { spot: number; strike: number; years: number }): number {
  const deviation = smile.atm * Math.sqrt(at.years);
  const moneyness = Math.max(-REACH, Math.min(REACH, Math.log(at.strike / at.spot) / deviation));
  const shape = 1 + smile.skew * moneyness + smile.wings * moneyness * moneyness;
  return smile.atm * shape * (1 + SHORT_LIFT * Math.exp(-at.years / SHORT_YEARS));
}
