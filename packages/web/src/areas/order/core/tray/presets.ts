/** The usual spreads around the money, built by the SDK from what is listed. */

import { SPREAD_KINDS, shapeOf, takesRight } from '@venue/protocol/spreads';
import {
  chainOfSeries,
  type ListedSeries,
  type OptionRight,
  type Spread,
  type SpreadChain,
  type StrikeChoice,
  spread,
} from '@venue/sdk/spreads';
import type { Preset, PresetKind } from '../form/order.ts';
import { seriesAt } from './legs.ts';

/** Names in the order of the page: `Iron condor`. */
export const PRESETS = Object.fromEntries(SPREAD_KINDS.map((kind) => [kind, labelOf(kind)])) as Readonly<
  Record<PresetKind, string>
>;

function labelOf(kind: PresetKind): string {
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

/** The presets that are either of calls or of puts. */
export const WITH_RIGHT = kindsOf((kind) => takesRight(shapeOf(kind)));
/** Those whose reverse is another trade with a name of its own. */
export const BOUGHT_ONLY = kindsOf((kind) => shapeOf(kind).isBoughtOnly === true);
/** Those whose strikes lie on both sides of the money. */
export const AROUND_MONEY: ReadonlySet<PresetKind> = new Set([
  'strangle',
  'condor',
  'ironCondor',
  'collar',
  'coveredCall',
]);
/** Those that have no width. */
export const WITHOUT_WIDTH: ReadonlySet<PresetKind> = new Set(['straddle']);

function kindsOf(isOne: (kind: PresetKind) => boolean): ReadonlySet<PresetKind> {
  return new Set(SPREAD_KINDS.filter(isOne));
}

/** A preset as it is first shown: an iron condor is sold, everything else bought. */
export function presetOf(kind: PresetKind, expiryTs: number): Preset {
  const side = kind === 'ironCondor' ? 'sell' : 'buy';
  return { kind, side, right: 'call', width: 1, shift: 0, shorts: null, expiryTs };
}

export interface Listed {
  readonly symbol: string;
  /** Dollars, above zero. */
  readonly spot: number;
  /** Unix seconds, ascending. */
  readonly expiries: readonly number[];
  /** Strikes of each expiry. */
  readonly strikes: ReadonlyMap<number, readonly number[]>;
}

/** Throws `RangeError` with the reason where what is listed does not make the preset. */
export function spreadOf(preset: Preset, listed: Listed): Spread {
  if (!(listed.spot > 0)) throw new RangeError('there is no price of the underlying to find the money by');
  const chain = chainOf(listed, preset.expiryTs);
  try {
    const { kind, side, right, expiryTs, width } = preset;
    const strikes = STRIKES[kind](preset, chain);
    const far = kind === 'calendar' && chainOf(listed, laterBy(width, expiryTs, listed));
    return spread(kind, chain, { side, right, strikes, ...(far && { far }) });
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(inPageWords(error.message)) : error;
  }
}

/** The SDK speaks to programmers, of `atm+21` and of strikes without a comma. */
function inPageWords(message: string): string {
  if (/ is beyond the strikes /.test(message)) return 'No strikes further out.';
  const [, strike] = /^no strike (\S+) is listed/.exec(message) ?? [];
  if (strike === undefined) return message;
  return `No strike ${Number(strike).toLocaleString('en-US')} is listed for that expiry.`;
}

function laterBy(count: number, expiryTs: number, { expiries }: Listed): number {
  const far = expiries[expiries.indexOf(expiryTs) + count];
  if (far === undefined) throw new RangeError('no expiry so much later is listed');
  return far;
}

type Strikes = (preset: Preset, chain: SpreadChain) => readonly StrikeChoice[];

const AT_MONEY: Strikes = ({ shift }) => [at(shift)];
const APART: Strikes = ({ width, shift }) => [at(shift - width), at(shift + width)];
const FOUR: Strikes = ({ width, shift, shorts }) => {
  const [put, call] = shorts ?? [-width, width];
  return [put - width, put, call, call + width].map((offset) => at(shift + offset));
};

/** The strikes of each preset, as the SDK takes them. */
const STRIKES: Readonly<Record<PresetKind, Strikes>> = {
  vertical({ side, right, width, shift }) {
    const strikes = [at(shift), at(right === 'call' ? shift + width : shift - width)];
    return side === 'buy' ? strikes : strikes.reverse();
  },
  straddle: AT_MONEY,
  strangle: APART,
  butterfly({ width, shift }, chain) {
    // The upper wing is as far away in dollars as the lower one, however many strikes lie between.
    const { legs } = spread('vertical', chain, { right: 'call', strikes: [at(shift - width), at(shift)] });
    const [low, middle] = legs.map(({ seriesId }) => strikeOf(chain, seriesId)) as [number, number];
    return [low, middle, 2 * middle - low];
  },
  condor: FOUR,
  ironCondor: FOUR,
  calendar: AT_MONEY,
  collar: APART,
  coveredCall: ({ width, shift }) => [at(shift - 2 * width), at(shift + width)],
};

/** So many listed strikes above or below the one next to the spot. */
function at(offset: number): StrikeChoice {
  if (offset === 0) return 'atm';
  return offset > 0 ? `atm+${offset}` : `atm-${-offset}`;
}

/** Around it condors are sold: far enough to end worthless more often than not, near enough to be paid for it. */
const SHORT_DELTA = 0.25;

/**
 * Listed strikes from the money to the put and the call whose deltas are nearest to a quarter; null unless both are known
 * and have a strike beyond them.
 *
 * @param deltaOf the delta of a series, NaN where it is not known
 */
export function shortsByDelta(
  { symbol, spot, strikes }: Listed,
  expiryTs: number,
  deltaOf: (seriesId: string) => number,
): Preset['shorts'] {
  const listed = (strikes.get(expiryTs) ?? []).toSorted((a, b) => a - b);
  const distances = listed.map((strike) => Math.abs(strike - spot));
  const money = distances.indexOf(Math.min(...distances));
  const nearest = (right: 'C' | 'P') => {
    const missed = listed.map((strike, i) => {
      // A wing lies beyond it.
      const isOut = right === 'C' ? i > money && i < listed.length - 1 : i < money && i > 0;
      const delta = Math.abs(deltaOf(seriesAt({ symbol, expiryTs, right, strike }, {})));
      return isOut && !Number.isNaN(delta) ? Math.abs(delta - SHORT_DELTA) : Number.POSITIVE_INFINITY;
    });
    const least = Math.min(...missed);
    return Number.isFinite(least) ? missed.indexOf(least) - money : null;
  };
  const [put, call] = [nearest('P'), nearest('C')];
  return put === null || call === null ? null : [put, call];
}

function strikeOf({ rows }: SpreadChain, seriesId: string): number {
  return rows.find(({ call }) => call?.seriesId === seriesId)!.strike;
}

const RIGHTS: readonly OptionRight[] = ['call', 'put'];

/** An expiry without prices: a preset depends on its strikes alone. */
function chainOf({ symbol, spot, strikes }: Listed, expiryTs: number): SpreadChain {
  const series = (strikes.get(expiryTs) ?? []).flatMap((strike) =>
    RIGHTS.map((side): ListedSeries => {
      const right = side === 'call' ? 'C' : 'P';
      const seriesId = seriesAt({ symbol, expiryTs, right, strike }, {});
      return { seriesId, symbol, expiryTs, right, strike };
    }),
  );
  return chainOfSeries(series, { expiryTs, spot });
}
