/**
 * The usual spreads, from the listings of an underlying to the legs of a combo. Everything here is a pure function of what
 * it is given, so that a page loads only those it names. Each throws `RangeError` for a strike that is not listed, and for
 * legs that do not make the spread it is asked for.
 */

import { type Micros, microsToDecimal, newYorkDay, toMicros } from '@venue/protocol';
import { nearest } from './market/nearest.ts';
import { exactMicros } from './net/checks.ts';
import type { Decimal } from './net/decimal.ts';
import type { PayoffLine } from './trade/payoffs.ts';

export { checkLegs } from './trade/combo-legs.ts';
export { type Outcome, outcomeOf, type PayoffLine, profitAt } from './trade/payoffs.ts';

/** A leg of a combo, as `orders.combo` takes it. */
export interface SpreadLeg {
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  /** Contracts in one unit of the spread. */
  readonly ratio: number;
}

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

/** A series as `market.series` lists it. */
export interface ListedSeries {
  readonly seriesId: string;
  readonly symbol: string;
  readonly expiryTs: number;
  readonly right: 'C' | 'P';
  readonly strike: number;
}

/**
 * A chain without prices, from the list of series: for spreads whose prices do not matter yet. Throws `RangeError` if
 * none of the series has this expiry.
 *
 * @example
 * const chain = chainOfSeries(await venue.market.series('BTC'), { expiryTs, spot: 100_000 });
 * console.log(straddle(chain, { side: 'buy' }).legs.length); // 2
 */
export function chainOfSeries(
  series: readonly ListedSeries[],
  { expiryTs, spot }: { readonly expiryTs: number; readonly spot: number },
): SpreadChain {
  const own = series.filter((one) => one.expiryTs === expiryTs);
  const [first] = own;
  if (first === undefined) throw new RangeError(`nothing is listed for the expiry ${expiryTs}`);
  const quoted = ({ seriesId }: ListedSeries): SpreadQuote => ({ seriesId, bid: null, ask: null, mid: null });
  const rows = new Map<number, SpreadRow>();
  for (const one of own) {
    const row = rows.get(one.strike) ?? { strike: one.strike, call: null, put: null };
    rows.set(one.strike, { ...row, [one.right === 'C' ? 'call' : 'put']: quoted(one) });
  }
  return { symbol: first.symbol, expiryTs, spot, rows: [...rows.values()] };
}

/**
 * Two calls or two puts of one expiry: one bought, one sold.
 *
 * @example
 * const spread = vertical(await venue.market.chain('BTC', expiryTs), { right: 'call', buy: 'atm', sell: 'atm+2' });
 * console.log(spread.name, spread.natural); // bull call spread 1520
 */
export function vertical(
  chain: SpreadChain,
  {
    right,
    buy,
    sell,
  }: { readonly right: OptionRight; readonly buy: StrikeChoice; readonly sell: StrikeChoice },
): Spread {
  checkRight(right);
  const [bought, sold] = [rowAt(chain, buy), rowAt(chain, sell)];
  if (bought === sold)
    throw new RangeError(`a vertical buys and sells at two strikes, not both at ${bought.strike}`);
  const name = `${bought.strike < sold.strike ? 'bull' : 'bear'} ${right} spread`;
  return spreadOf(name, [leg(chain, bought, right, 'buy'), leg(chain, sold, right, 'sell')]);
}

/**
 * A call and a put of one strike, both bought or both sold; without a strike, of the one next to the spot.
 *
 * @example straddle(await venue.market.chain('BTC', expiryTs), { side: 'buy' }).name // 'long straddle'
 */
export function straddle(
  chain: SpreadChain,
  { side, strike = 'atm' }: { readonly side: SpreadSide; readonly strike?: StrikeChoice },
): Spread {
  const row = rowAt(chain, strike);
  return spreadOf(`${longOrShort(side)} straddle`, [
    leg(chain, row, 'call', side),
    leg(chain, row, 'put', side),
  ]);
}

/**
 * A put and a call of a higher strike, both bought or both sold.
 *
 * @example
 * const chain = await venue.market.chain('BTC', expiryTs);
 * console.log(strangle(chain, { side: 'sell', put: 'atm-2', call: 'atm+2' }).mid);
 */
export function strangle(
  chain: SpreadChain,
  { side, put, call }: { readonly side: SpreadSide; readonly put: StrikeChoice; readonly call: StrikeChoice },
): Spread {
  const [below, above] = ascending('strangle', [rowAt(chain, put), rowAt(chain, call)]);
  return spreadOf(`${longOrShort(side)} strangle`, [
    leg(chain, below!, 'put', side),
    leg(chain, above!, 'call', side),
  ]);
}

/**
 * Three strikes of equal distance: bought, it has one of each wing and sells two of the middle; sold, the reverse.
 *
 * @example
 * const chain = await venue.market.chain('BTC', expiryTs);
 * console.log(butterfly(chain, { side: 'buy', right: 'call', strikes: ['atm-1', 'atm', 'atm+1'] }).natural);
 */
export function butterfly(
  chain: SpreadChain,
  of: {
    readonly side: SpreadSide;
    readonly right: OptionRight;
    readonly strikes: readonly [StrikeChoice, StrikeChoice, StrikeChoice];
  },
): Spread {
  const { side, right } = of;
  checkRight(right);
  const [low, middle, high] = ascending('butterfly', rowsAt(chain, of.strikes, 3)) as [
    SpreadRow,
    SpreadRow,
    SpreadRow,
  ];
  if (micros(middle.strike) * 2 !== micros(low.strike) + micros(high.strike))
    throw new RangeError(`the wings of a butterfly are of one width: ${middle.strike} is not in the middle`);
  const wings = [leg(chain, low, right, side), leg(chain, high, right, side)];
  return spreadOf(`${longOrShort(side)} ${right} butterfly`, [
    ...wings,
    leg(chain, middle, right, opposite(side), 2),
  ]);
}

/**
 * Four calls or four puts: bought, it has the outer two and sells the inner two; sold, the reverse.
 *
 * @example
 * const chain = await venue.market.chain('BTC', expiryTs);
 * const spread = condor(chain, { side: 'buy', right: 'put', strikes: ['atm-2', 'atm-1', 'atm+1', 'atm+2'] });
 * console.log(spread.name); // long put condor
 */
export function condor(
  chain: SpreadChain,
  of: { readonly side: SpreadSide; readonly right: OptionRight; readonly strikes: FourStrikes },
): Spread {
  const { side, right } = of;
  checkRight(right);
  const [first, second, third, fourth] = fourRows('condor', chain, of.strikes);
  return spreadOf(`${longOrShort(side)} ${right} condor`, [
    leg(chain, first, right, side),
    leg(chain, fourth, right, side),
    leg(chain, second, right, opposite(side)),
    leg(chain, third, right, opposite(side)),
  ]);
}

export type FourStrikes = readonly [StrikeChoice, StrikeChoice, StrikeChoice, StrikeChoice];

/**
 * Two puts below two calls. Sold, it brings in money and loses where the price moves far: the inner two are sold, and the
 * outer two limit the loss. Bought, the reverse.
 *
 * @example
 * const chain = await venue.market.chain('BTC', expiryTs);
 * const spread = ironCondor(chain, { side: 'sell', strikes: ['atm-4', 'atm-2', 'atm+2', 'atm+4'] });
 * console.log(spread.natural);
 */
export function ironCondor(
  chain: SpreadChain,
  { side, strikes }: { readonly side: SpreadSide; readonly strikes: FourStrikes },
): Spread {
  const [first, second, third, fourth] = fourRows('iron condor', chain, strikes);
  return spreadOf(`${longOrShort(side)} iron condor`, [
    leg(chain, first, 'put', opposite(side)),
    leg(chain, fourth, 'call', opposite(side)),
    leg(chain, second, 'put', side),
    leg(chain, third, 'call', side),
  ]);
}

/**
 * One option of a later expiry bought, and the same of an earlier one sold; `side: 'sell'` is the reverse. Its legs settle
 * at two prices, so that neither covers the other: the one that is sold is margined as if it stood alone.
 *
 * @example
 * const expiries = [...new Set((await venue.market.series('BTC')).map(({ expiryTs }) => expiryTs))].sort();
 * const near = await venue.market.chain('BTC', expiries[0]);
 * const far = await venue.market.chain('BTC', expiries[1]);
 * const { strike } = near.rows.find((row) => far.rows.some((other) => other.strike === row.strike));
 * console.log(calendar(near, far, { side: 'buy', right: 'call', strike }).mid);
 */
export function calendar(
  near: SpreadChain,
  far: SpreadChain,
  of: { readonly side: SpreadSide; readonly right: OptionRight; readonly strike: StrikeChoice },
): Spread {
  const { side, right, strike } = of;
  checkRight(right);
  if (near.symbol !== far.symbol)
    throw new RangeError(`a calendar is of one underlying, not ${near.symbol} and ${far.symbol}`);
  if (near.expiryTs >= far.expiryTs)
    throw new RangeError('the second expiry of a calendar is after the first');
  const row = rowAt(near, strike);
  const later = leg(far, rowAt(far, row.strike), right, side);
  const earlier = leg(near, row, right, opposite(side));
  return spreadOf(`${longOrShort(side)} ${right} calendar`, [later, earlier]);
}

/**
 * A put bought below a call sold: for who owns the underlying elsewhere, a floor under its price paid for with a ceiling.
 * Here the call stands alone, since the underlying is not held at the venue.
 *
 * @example collar(await venue.market.chain('BTC', expiryTs), { put: 'atm-2', call: 'atm+2' }).name // 'collar'
 */
export function collar(
  chain: SpreadChain,
  { put, call }: { readonly put: StrikeChoice; readonly call: StrikeChoice },
): Spread {
  const [below, above] = ascending('collar', [rowAt(chain, put), rowAt(chain, call)]);
  return spreadOf('collar', [leg(chain, below!, 'put', 'buy'), leg(chain, above!, 'call', 'sell')]);
}

/**
 * A call sold out of the money, covered by one bought in the money, which stands for the underlying: that itself is not
 * traded here.
 *
 * @example
 * const chain = await venue.market.chain('BTC', expiryTs);
 * console.log(coveredCall(chain, { own: 'atm-4', sell: 'atm+2' }).natural);
 */
export function coveredCall(
  chain: SpreadChain,
  { own, sell }: { readonly own: StrikeChoice; readonly sell: StrikeChoice },
): Spread {
  const [owned, sold] = ascending('covered call', [rowAt(chain, own), rowAt(chain, sell)]) as [
    SpreadRow,
    SpreadRow,
  ];
  if (owned.strike >= chain.spot)
    throw new RangeError(
      `the call that covers is in the money, and ${owned.strike} is not below ${chain.spot}`,
    );
  if (sold.strike < chain.spot)
    throw new RangeError(
      `the call that is sold is out of the money, and ${sold.strike} is below ${chain.spot}`,
    );
  return spreadOf('covered call', [leg(chain, owned, 'call', 'buy'), leg(chain, sold, 'call', 'sell')]);
}

/**
 * A number of units of some legs as lines of `outcomeOf`, to which positions can be added.
 *
 * @example
 * const spread = straddle(await venue.market.chain('BTC', expiryTs), { side: 'buy' });
 * const { positions } = await venue.account.me();
 * console.log(outcomeOf([...positions, ...linesOf(spread.legs, 2)]).greatestLoss);
 */
export function linesOf(legs: readonly SpreadLeg[], units: Decimal): PayoffLine[] {
  const qty = exactMicros('units', units);
  return legs.map(({ seriesId, side, ratio }) => ({
    seriesId,
    qty: decimal(side === 'buy' ? qty * ratio : 0 - qty * ratio),
  }));
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

function leg(chain: SpreadChain, row: SpreadRow, right: OptionRight, side: SpreadSide, ratio = 1): PricedLeg {
  if (side !== 'buy' && side !== 'sell') throw new RangeError(`side must be buy or sell, not ${side}`);
  const quote = row[right];
  if (quote === null) throw new RangeError(`no ${right} at ${row.strike} is listed for ${nameOf(chain)}`);
  return { seriesId: quote.seriesId, side, ratio, quote };
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

function rowsAt(chain: SpreadChain, strikes: readonly StrikeChoice[], count: number): SpreadRow[] {
  if (strikes.length !== count) throw new RangeError(`it takes ${count} strikes, not ${strikes.length}`);
  return strikes.map((strike) => rowAt(chain, strike));
}

function fourRows(name: string, chain: SpreadChain, strikes: FourStrikes) {
  return ascending(name, rowsAt(chain, strikes, 4)) as [SpreadRow, SpreadRow, SpreadRow, SpreadRow];
}

function ascending(name: string, rows: readonly SpreadRow[]): readonly SpreadRow[] {
  const strikes = rows.map(({ strike }) => strike);
  if (strikes.some((strike, i) => i > 0 && strike <= strikes[i - 1]!))
    throw new RangeError(`the strikes of a ${name} ascend, which ${strikes.join(', ')} do not`);
  return rows;
}

/** By the day in New York, as expiries are named everywhere. */
function nameOf({ symbol, expiryTs }: SpreadChain): string {
  return `${symbol} ${newYorkDay(expiryTs * 1_000)}`;
}

function checkRight(right: OptionRight): void {
  if (right !== 'call' && right !== 'put') throw new RangeError(`right must be call or put, not ${right}`);
}

function longOrShort(side: SpreadSide): string {
  return side === 'buy' ? 'long' : 'short';
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
