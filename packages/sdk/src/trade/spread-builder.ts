/** Builds the usual spreads from the listings of an underlying, by the table of their shapes. */

import {
  type ComboLeg,
  type Micros,
  microsToDecimal,
  newYorkDay,
  type SpreadKind,
  toMicros,
} from '@venue/protocol';
import { type SpreadShape, shapeOf, takesRight } from '@venue/protocol/spreads';
import { nearest } from '../market/nearest.ts';
import { exactMicros } from '../net/checks.ts';

export type { SpreadKind };
/** A leg as `orders.combo` takes it. */
export type SpreadLeg = ComboLeg;

/** One unit of a spread. */
export interface Spread {
  /** As traders call it, such as `bull call spread`. */
  readonly name: string;
  /** In the order in which they trade: what is bought comes first. */
  readonly legs: readonly SpreadLeg[];
  /** Cost of a unit at the midpoints of the books, negative if it brings in; null where a leg has none. */
  readonly mid: number | null;
  /** Cost of a unit that takes the best prices; null where one is missing. */
  readonly natural: number | null;
}

/** One option of a chain, with what its book shows. */
export interface SpreadQuote {
  readonly seriesId: string;
  readonly bid: { readonly price: number } | null;
  readonly ask: { readonly price: number } | null;
  readonly mid: number | null;
}

export interface SpreadRow {
  readonly strike: number;
  readonly call: SpreadQuote | null;
  readonly put: SpreadQuote | null;
}

/** An expiry of an underlying with its strikes: what `market.chain` answers. */
export interface SpreadChain {
  readonly symbol: string;
  readonly expiryTs: number;
  readonly spot: number;
  readonly rows: readonly SpreadRow[];
}

/** A listed strike, or one so many listed strikes above or below the one next to the spot. */
export type StrikeChoice = number | 'atm' | `atm+${number}` | `atm-${number}`;

export type OptionRight = 'call' | 'put';
export type SpreadSide = 'buy' | 'sell';

export interface SpreadTerms {
  /** Absent for a vertical, whose strikes say it, and for collar and covered call, which are bought. */
  readonly side?: SpreadSide;
  /** For a vertical, butterfly, condor or calendar. */
  readonly right?: OptionRight;
  /** Ascending; of a vertical the one that is bought and the one that is sold. */
  readonly strikes: readonly StrikeChoice[];
  /** The later expiry of a calendar. */
  readonly far?: SpreadChain;
}

/**
 * A spread by the name of its kind: what the functions of the kinds make.
 *
 * @example spread('strangle', await venue.market.chain('BTC', expiryTs), { side: 'buy', strikes: ['atm-2', 'atm+2'] })
 */
export function spread(kind: SpreadKind, chain: SpreadChain, terms: SpreadTerms): Spread {
  const shape = shapeOf(kind);
  const { far = chain } = terms;
  const side = shape.takesSide ? terms.side : 'buy';
  const right = takesRight(shape) ? terms.right : 'call';
  if (side !== 'buy' && side !== 'sell') throw new RangeError(`side must be buy or sell, not ${side}`);
  if (right !== 'call' && right !== 'put') throw new RangeError(`right must be call or put, not ${right}`);
  if (kind === 'calendar') checkExpiries(chain, far);
  const strikes = strikesOf(shape, chain, terms.strikes);
  if (kind === 'coveredCall') checkMoney(chain, strikes);
  const legs = shape.legs.map((leg): PricedLeg => {
    const letter = leg.right === 'either' ? right : RIGHTS[leg.right];
    const quote = quoteAt(leg.expiry === 1 ? far : chain, strikes[leg.strike]!, letter);
    const ofSide = side === 'buy' ? leg.side : opposite(leg.side);
    return { seriesId: quote.seriesId, side: ofSide, ratio: leg.ratio, quote };
  });
  const words = [sideWord(shape, side, strikes), takesRight(shape) ? right : '', shape.name];
  return spreadOf(words.filter((word) => word !== '').join(' '), legs);
}

const RIGHTS = { C: 'call', P: 'put' } as const;

/** As a trader says it: long or short, or bull or bear where the strikes tell. */
function sideWord({ takesSide, order }: SpreadShape, side: SpreadSide, strikes: readonly number[]): string {
  if (takesSide) return side === 'buy' ? 'long' : 'short';
  if (order === undefined) return '';
  return strikes[0]! < strikes[1]! ? 'bull' : 'bear';
}

function strikesOf(shape: SpreadShape, chain: SpreadChain, choices: readonly StrikeChoice[]): number[] {
  const { name, strikes: names = [], order, isEvenlySpaced } = shape;
  if (choices.length !== names.length)
    throw new RangeError(`it takes ${names.length} strikes, not ${choices.length}`);
  const strikes = choices.map((choice) => rowAt(chain, choice).strike);
  const [low, middle, high] = strikes;
  if (order !== undefined && low === middle)
    throw new RangeError(`a vertical buys and sells at two strikes, not both at ${low}`);
  if (order === undefined && strikes.some((strike, i) => i > 0 && strike <= strikes[i - 1]!))
    throw new RangeError(`the strikes of a ${name} ascend, which ${strikes.join(', ')} do not`);
  if (isEvenlySpaced && micros(middle!) * 2 !== micros(low!) + micros(high!))
    throw new RangeError(`the wings of a ${name} are of one width: ${middle} is not in the middle`);
  return strikes;
}

function checkExpiries(near: SpreadChain, far: SpreadChain): void {
  if (near.symbol !== far.symbol)
    throw new RangeError(`a calendar is of one underlying, not ${near.symbol} and ${far.symbol}`);
  if (near.expiryTs >= far.expiryTs)
    throw new RangeError('the second expiry of a calendar is after the first');
}

function checkMoney({ spot }: SpreadChain, [owned, sold]: readonly number[]): void {
  if (owned! >= spot)
    throw new RangeError(`the call that covers is in the money, and ${owned} is not below ${spot}`);
  if (sold! < spot)
    throw new RangeError(`the call that is sold is out of the money, and ${sold} is below ${spot}`);
}

interface PricedLeg extends SpreadLeg {
  readonly quote: SpreadQuote;
}

function spreadOf(name: string, unordered: readonly PricedLeg[]): Spread {
  const legs = unordered.toSorted(boughtFirst);
  return {
    name,
    legs: legs.map(({ seriesId, side, ratio }) => ({ seriesId, side, ratio })),
    mid: netOf(legs, ({ quote }) => quote.mid),
    natural: netOf(legs, ({ quote, side }) => (side === 'buy' ? quote.ask : quote.bid)?.price ?? null),
  };
}

function netOf(legs: readonly PricedLeg[], priceOf: (leg: PricedLeg) => number | null): number | null {
  let net = 0;
  for (const one of legs) {
    const price = priceOf(one);
    if (price === null) return null;
    net += micros(price) * (one.side === 'buy' ? one.ratio : -one.ratio);
  }
  return decimal(net);
}

function quoteAt(chain: SpreadChain, strike: StrikeChoice, right: OptionRight): SpreadQuote {
  const row = rowAt(chain, strike);
  const quote = row[right];
  if (quote === null) throw new RangeError(`no ${right} at ${row.strike} is listed for ${nameOf(chain)}`);
  return quote;
}

const ATM = /^atm([+-]\d{1,3})?$/;

/** The row of a strike, or of one counted from the strike next to the spot; of two equally near it is the lower. */
function rowAt(chain: SpreadChain, strike: StrikeChoice): SpreadRow {
  const rows = chain.rows.toSorted((a, b) => a.strike - b.strike);
  if (typeof strike === 'number') {
    const row = rows.find((one) => one.strike === strike);
    if (row === undefined) {
      const near = nearest(
        rows.map((one) => one.strike),
        strike,
      );
      throw new RangeError(
        `no strike ${strike} is listed for ${nameOf(chain)}; the nearest are ${near.join(', ')}`,
      );
    }
    return row;
  }
  const found = ATM.exec(strike);
  if (found === null) throw new RangeError(`a strike is a number, atm, atm+N or atm-N, not ${strike}`);
  const distances = rows.map((row) => Math.abs(row.strike - chain.spot));
  const middle = distances.indexOf(Math.min(...distances));
  const row = rows[middle + Number(found[1] ?? 0)];
  if (row === undefined)
    throw new RangeError(`${strike} is beyond the strikes that are listed for ${nameOf(chain)}`);
  return row;
}

/** By the day in New York, as expiries are named everywhere. */
function nameOf({ symbol, expiryTs }: SpreadChain): string {
  return `${symbol} ${newYorkDay(expiryTs * 1_000)}`;
}

function opposite(side: SpreadSide): SpreadSide {
  return side === 'buy' ? 'sell' : 'buy';
}

function boughtFirst(a: SpreadLeg, b: SpreadLeg): number {
  return Number(a.side === 'sell') - Number(b.side === 'sell');
}

function micros(amount: number): Micros {
  return exactMicros('price', amount);
}

function decimal(amount: number): number {
  return microsToDecimal(toMicros(amount));
}
