/** Profiles of the simulated underlyings: starting price, volatility and price step. */

export type AssetClass = 'crypto' | 'equity' | 'index';

export interface InstrumentProfile {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  readonly startPrice: number;
  /** Standard deviation of a year's log return; a year has 365.25 days, because markets here never close. */
  readonly annualVol: number;
  /** Price step on its main market, in micros. */
  readonly tickMicros: number;
}

type Character = Omit<InstrumentProfile, 'symbol' | 'assetClass'>;

const KNOWN = new Map<string, Character>([
  ['BTC', { startPrice: 95_000, annualVol: 0.55, tickMicros: 500_000 }],
  ['ETH', { startPrice: 3_300, annualVol: 0.7, tickMicros: 50_000 }],
  ['SOL', { startPrice: 180, annualVol: 0.85, tickMicros: 10_000 }],
  ['AAPL', { startPrice: 228, annualVol: 0.26, tickMicros: 10_000 }],
  ['MSFT', { startPrice: 430, annualVol: 0.23, tickMicros: 10_000 }],
  ['NVDA', { startPrice: 140, annualVol: 0.48, tickMicros: 10_000 }],
  ['SPX', { startPrice: 5_900, annualVol: 0.15, tickMicros: 50_000 }],
  ['NDX', { startPrice: 20_800, annualVol: 0.2, tickMicros: 50_000 }],
]);

const BY_CLASS = {
  crypto: { startPrice: 100, annualVol: 0.8, tickMicros: 10_000 },
  equity: { startPrice: 100, annualVol: 0.3, tickMicros: 10_000 },
  index: { startPrice: 1_000, annualVol: 0.18, tickMicros: 50_000 },
} as const satisfies Record<AssetClass, Character>;

/** The profile of a symbol; an unknown one gets the profile of its class. */
export function profileOf(symbol: string, assetClass: AssetClass): InstrumentProfile {
  return { symbol, assetClass, ...(KNOWN.get(symbol) ?? BY_CLASS[assetClass]) };
}
