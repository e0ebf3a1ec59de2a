/** The operator's settings for each underlying: surface, spread, skew, sizes and limits, read from a JSON file. */

import { FROZEN_MS_MAX, SYMBOL, WINDOW_MS_MAX, WINDOW_MS_MIN } from '@venue/protocol';
import { arbitrageOf, type Surface } from './surface.ts';

/** Parts of the half spread; docs/explanation/market-making.md has the formula. */
export interface SpreadParameters {
  /** Possible error in volatility, as a fraction: 0.004 is 0.4 points. */
  readonly vol: number;
  /** Possible error in the underlying's price, in basis points. */
  readonly deltaBps: number;
  /** Duration of the move that a quote must survive, in seconds of the underlying's volatility. */
  readonly gapSeconds: number;
  /** The extra width at expiry, as a share, and the time in which it decays. */
  readonly expiryShare: number;
  readonly expiryHours: number;
  /** The extra width with a limit used up, as a share. */
  readonly inventoryShare: number;
  /**
   * Duration of the move that a quote must survive through its delta, in seconds of the underlying's volatility: how
   * long a quote stands before it has to be replaced, on average.
   */
  readonly moveSeconds: number;
}

/** The shift of the centre with inventory at its limit. */
export interface SkewParameters {
  /** In basis points of the spot, against the net delta. */
  readonly deltaBps: number;
  /** As a share of the volatility, against the net vega. */
  readonly volShare: number;
}

export interface SizeParameters {
  /** At the best price; 0 for what `usd` buys of the underlying at its first price. */
  readonly contracts: number;
  readonly usd: number;
}

/** The maker's own limits, which are independent of the venue's house line (HOUSE-1). */
export interface LimitParameters {
  /** Net delta, in dollars of the underlying. */
  readonly deltaUsd: number;
  /** Net vega, in dollars per point of volatility. */
  readonly vegaUsd: number;
  /** Position in one series, as a multiple of the size at the best price. */
  readonly positionSizes: number;
}

/** The protection of the maker's quote set (QTS-3). */
export interface ProtectionParameters {
  /** Contracts that may trade before everything is pulled, as a multiple of the size at the best price. */
  readonly sizes: number;
  readonly windowMs: number;
  readonly frozenMs: number;
}

/** The series worth quoting closely, by absolute delta. */
export interface RangeParameters {
  readonly deltaMin: number;
  readonly deltaMax: number;
  /** Half spread of every other series, as a multiple. They have one level a side. */
  readonly farSpreads: number;
}

export interface SymbolParameters {
  readonly surface: Surface;
  /** Continuous growth of the forward over the spot per year: interest less dividends. */
  readonly carry: { readonly rate: number };
  readonly spread: SpreadParameters;
  readonly skew: SkewParameters;
  readonly size: SizeParameters;
  readonly limits: LimitParameters;
  readonly protection: ProtectionParameters;
  readonly range: RangeParameters;
}

/** The values that a file may leave out. */
const DEFAULTS = {
  spread: { moveSeconds: 0 },
  protection: { sizes: 40, windowMs: 10_000, frozenMs: 3_000 },
  range: { deltaMin: 0, deltaMax: 1, farSpreads: 1 },
};

export const ASSET_CLASSES = ['crypto', 'equity', 'index'] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

/** An unusable file; the message is one line and names the value. */
export class ParametersError extends Error {
  override name = 'ParametersError';
}

/** Parameters by symbol, with those of its class for any other. */
export class Parameters {
  readonly #classes: ReadonlyMap<AssetClass, SymbolParameters>;
  readonly #symbols: ReadonlyMap<string, SymbolParameters>;
  readonly #classOf: ReadonlyMap<string, AssetClass>;

  /**
   * Takes the parsed file and the class of each symbol. Throws `ParametersError` if a value is missing, unknown or
   * out of range, or if a surface admits arbitrage.
   */
  constructor(file: unknown, classOf: ReadonlyMap<string, AssetClass>) {
    const { classes, symbols } = fieldsOf(file, 'the file', ['classes', 'symbols']);
    const byClass = fieldsOf(classes, 'classes', ASSET_CLASSES);
    this.#classOf = classOf;
    this.#classes = new Map(
      ASSET_CLASSES.map((name) => [name, read(byClass[name], `classes.${name}`, undefined)]),
    );
    this.#symbols = new Map(
      Object.entries(fieldsOf(symbols, 'symbols')).map(([symbol, value]) => [
        checkedSymbol(symbol),
        read(value, `symbols.${symbol}`, this.#ofClass(symbol)),
      ]),
    );
  }

  /** The parameters of a symbol; for an unknown class those of crypto, which has the widest. */
  of(symbol: string): SymbolParameters {
    return this.#symbols.get(symbol) ?? this.#ofClass(symbol);
  }

  #ofClass(symbol: string): SymbolParameters {
    return this.#classes.get(this.#classOf.get(symbol) ?? 'crypto')!;
  }
}

/** Refuses a symbol that no venue can list, whose entry would have no effect. */
function checkedSymbol(symbol: string): string {
  if (SYMBOL.test(symbol)) return symbol;
  throw new ParametersError(`symbols has ${JSON.stringify(symbol)}, which is no symbol`);
}

type Range = readonly [min: number, max: number];
type Ranges = {
  readonly [G in keyof SymbolParameters]: { readonly [K in keyof SymbolParameters[G]]: Range };
};

const RANGES: Ranges = {
  surface: {
    shortVol: [0.01, 5],
    longVol: [0.01, 5],
    halfLifeDays: [0.1, 3_650],
    rho: [-0.999, 0.999],
    eta: [0, 4],
    gamma: [0.01, 0.5],
  },
  carry: { rate: [-1, 1] },
  spread: {
    vol: [0, 0.5],
    deltaBps: [0, 1_000],
    gapSeconds: [0, 86_400],
    expiryShare: [0, 100],
    expiryHours: [0.01, 10_000],
    inventoryShare: [0, 100],
    moveSeconds: [0, 86_400],
  },
  skew: { deltaBps: [0, 1_000], volShare: [0, 0.5] },
  size: { contracts: [0, 1e6], usd: [1, 1e9] },
  limits: { deltaUsd: [1, 1e12], vegaUsd: [1, 1e12], positionSizes: [1, 1e6] },
  // Four sizes is the largest level, and a level above the allowance could never stand.
  protection: { sizes: [4, 1e6], windowMs: [WINDOW_MS_MIN, WINDOW_MS_MAX], frozenMs: [1, FROZEN_MS_MAX] },
  range: { deltaMin: [0, 0.5], deltaMax: [0.5, 1], farSpreads: [1, 100] },
};

/** Reads one entry. Missing values come from `base`; without a base only those may be missing that have a default. */
function read(value: unknown, where: string, base: SymbolParameters | undefined): SymbolParameters {
  const groups = Object.keys(RANGES) as (keyof Ranges)[];
  const known: { readonly [G in keyof Ranges]?: object } = base ?? DEFAULTS;
  const isWhole = (group: keyof Ranges) =>
    Object.keys(RANGES[group]).every((name) => Object.hasOwn(known[group] ?? {}, name));
  const given = fieldsOf(value, where, groups, groups.filter(isWhole));
  const entries = groups.map((group) => [
    group,
    readGroup(given[group] ?? {}, `${where}.${group}`, RANGES[group], known[group] ?? {}),
  ]);
  const parameters = Object.fromEntries(entries) as SymbolParameters;
  const arbitrage = arbitrageOf(parameters.surface);
  if (arbitrage !== null) throw new ParametersError(`${where}.surface admits arbitrage: ${arbitrage}`);
  return parameters;
}

function readGroup(value: unknown, where: string, ranges: object, base: object): object {
  const given = fieldsOf(value, where, Object.keys(ranges), Object.keys(base));
  for (const [name, [min, max]] of Object.entries(ranges) as [string, Range][]) {
    const number = given[name];
    if (number === undefined) continue;
    if (typeof number !== 'number' || !(number >= min && number <= max))
      throw new ParametersError(
        `${where}.${name} must be a number from ${min} to ${max}, not ${JSON.stringify(number)}`,
      );
  }
  return { ...base, ...given };
}

/** The fields of an object: no unexpected ones, and all of them but the optional ones. */
function fieldsOf<K extends string>(
  value: unknown,
  where: string,
  names?: readonly K[],
  optional: readonly string[] = [],
): Record<K, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ParametersError(`${where} must be an object`);
  const unknown = names && Object.keys(value).find((name) => !(names as readonly string[]).includes(name));
  if (unknown !== undefined) throw new ParametersError(`${where} has no parameter ${unknown}`);
  const missing = names?.find((name) => !optional.includes(name) && !Object.hasOwn(value, name));
  if (missing !== undefined) throw new ParametersError(`${where}.${missing} is missing`);
  return value as Record<K, unknown>;
}
