/**
 * The usual spreads, from the listings of an underlying to the legs of a combo. Everything here is a pure function of what
 * it is given, so that a page loads only those it names. Each throws `RangeError` for a strike that is not listed, and for
 * legs that do not make the spread it is asked for.
 */

import { microsToDecimal, toMicros } from '@venue/protocol';
import { exactMicros } from './net/checks.ts';
import type { Decimal } from './net/decimal.ts';
import type { PayoffLine } from './trade/payoffs.ts';
import {
  type OptionRight,
  type Spread,
  type SpreadChain,
  type SpreadLeg,
  type SpreadQuote,
  type SpreadRow,
  type SpreadSide,
  type StrikeChoice,
  spread,
} from './trade/spread-builder.ts';

export { checkLegs } from './trade/combo-legs.ts';
export { type Outcome, outcomeOf, type PayoffLine, profitAt } from './trade/payoffs.ts';
export * from './trade/spread-builder.ts';

export type FourStrikes = readonly [StrikeChoice, StrikeChoice, StrikeChoice, StrikeChoice];

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
  return spread('vertical', chain, { right, strikes: [buy, sell] });
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
  return spread('straddle', chain, { side, strikes: [strike] });
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
  return spread('strangle', chain, { side, strikes: [put, call] });
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
  return spread('butterfly', chain, of);
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
  return spread('condor', chain, of);
}

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
  of: { readonly side: SpreadSide; readonly strikes: FourStrikes },
): Spread {
  return spread('ironCondor', chain, of);
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
  return spread('calendar', near, { ...of, far, strikes: [of.strike] });
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
  return spread('collar', chain, { strikes: [put, call] });
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
  return spread('coveredCall', chain, { strikes: [own, sell] });
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
    qty: microsToDecimal(toMicros(side === 'buy' ? qty * ratio : 0 - qty * ratio)),
  }));
}
