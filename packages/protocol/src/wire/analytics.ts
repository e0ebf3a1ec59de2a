/** Volatilities, and what is sampled once an hour (HIS-4). */

import { type Static, Type } from 'typebox';
import { contracts, nullable, price, SeriesIdText, SymbolText, TimeSpan, unixMs, usd } from './primitives.ts';

/** Query of `GET /v1/iv`. */
export const IvQuerySchema = Type.Object({
  symbol: SymbolText,
  expiryTs: Type.String({ pattern: '^[0-9]{1,12}$', description: 'Expiry, in unix seconds' }),
  ...TimeSpan,
});
export type IvQuery = Static<typeof IvQuerySchema>;

/** Query of `GET /v1/volatility`. */
export const VolatilityQuerySchema = Type.Object({ symbol: SymbolText, ...TimeSpan });
export type VolatilityQuery = Static<typeof VolatilityQuerySchema>;

/** Query of `GET /v1/equity`. */
export const EquityQuerySchema = Type.Object(TimeSpan);
export type EquityQuery = Static<typeof EquityQuerySchema>;

const hour = unixMs('Start of the hour in which it was sampled');
const rowsOf = <const T extends Parameters<typeof Type.Array>[0]>(row: T, meaning: string) => ({
  rows: Type.Array(row, { maxItems: 1_500, description: meaning }),
  next: Type.Optional(unixMs('Where later ones follow: what `from` asks for them')),
});

/** Implied volatility at the money. */
export const IvRowSchema = Type.Object({
  t: hour,
  iv: Type.Number({ description: 'Annual volatility as a fraction' }),
});
export type IvRow = Static<typeof IvRowSchema>;

/** Answer of `GET /v1/iv`. */
export const IvListSchema = Type.Object(
  rowsOf(IvRowSchema, 'Oldest first; an hour without marks near the spot is left out'),
);
export type IvList = Static<typeof IvListSchema>;

export const VolatilityRowSchema = Type.Object({
  t: hour,
  index: Type.Number({ description: 'Annual volatility in percent' }),
});
export type VolatilityRow = Static<typeof VolatilityRowSchema>;

/** Answer of `GET /v1/volatility`. */
export const VolatilitySchema = Type.Object({
  symbol: SymbolText,
  index: nullable(
    Type.Number({ description: 'The index now, in percent; null while too few strikes are quoted' }),
  ),
  ...rowsOf(VolatilityRowSchema, 'Oldest first; an hour without an index is left out'),
});
export type Volatility = Static<typeof VolatilitySchema>;

export const EquityRowSchema = Type.Object({ t: hour, equity: usd('Cash plus positions at their marks') });
export type EquityRow = Static<typeof EquityRowSchema>;

/** Answer of `GET /v1/equity`. */
export const EquityListSchema = Type.Object({
  ...rowsOf(EquityRowSchema, 'Oldest first; an hour with the equity of the one before is left out'),
  completeFrom: Type.Optional(
    unixMs('From when on there are rows, where the venue no longer has the log from before'),
  ),
});
export type EquityList = Static<typeof EquityListSchema>;

/** Query of `GET /v1/tickers`. */
export const TickersQuerySchema = Type.Object({ symbol: SymbolText });
export type TickersQuery = Static<typeof TickersQuerySchema>;

const greek = (meaning: string) => nullable(Type.Number({ description: `${meaning}; null where \`iv\` is` }));

/** One series at a glance. The greeks are Black's of 1976, with the spot as forward and without interest. */
export const TickerSchema = Type.Object({
  seriesId: SeriesIdText,
  bid: nullable(price('Best bid')),
  ask: nullable(price('Best ask')),
  mark: nullable(price('Mark at which positions are valued; null while the book is empty')),
  last: nullable(
    price(
      'Price of the last trade that was not of an account with itself; null without one, and where there is no history',
    ),
  ),
  volume24h: nullable(
    contracts(
      'Traded in the last 1,440 minutes, not counting what an account traded with itself; null where there is no history',
    ),
  ),
  openInterest: contracts('Sum of long positions'),
  iv: nullable(
    Type.Number({
      description:
        'Annual volatility that the mark implies, as a fraction; null without a mark above intrinsic value',
    }),
  ),
  delta: greek('Change of the price for a dollar of the underlying'),
  gamma: greek('Change of delta for a dollar of the underlying'),
  vega: greek('Change of the price for 0.01 of volatility'),
  theta: greek('Change of the price in a day'),
});
export type Ticker = Static<typeof TickerSchema>;

/** Answer of `GET /v1/tickers`. */
export const TickerListSchema = Type.Object({
  symbol: SymbolText,
  spot: price('Last price of the underlying'),
  settlementSoFar: Type.Optional(
    nullable(
      price(
        'In the half hour before a cutoff: what its expiry would settle at if it ended now; null where the oracle would refuse',
      ),
    ),
  ),
  tickers: Type.Array(TickerSchema, { description: 'Of every live series, in the order of listing' }),
});
export type TickerList = Static<typeof TickerListSchema>;
