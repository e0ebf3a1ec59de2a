/** All prints, and candles of spots, trades and marks (HIS-1, HIS-2). */

import { type Static, Type } from 'typebox';
import {
  contracts,
  PAGE_ROWS_MAX,
  pageRows,
  price,
  SeriesIdText,
  SideText,
  SymbolText,
  TimeSpan,
  unixMs,
} from './primitives.ts';

/** Query of `GET /v1/trades`: by the symbol, in any case, or by the series. */
export const TradesQuerySchema = Type.Object({
  symbol: Type.Optional(SymbolText),
  seriesId: Type.Optional(SeriesIdText),
  before: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'Id of a trade: only older ones are answered',
    }),
  ),
  limit: pageRows(PAGE_ROWS_MAX),
});
export type TradesQuery = Static<typeof TradesQuerySchema>;

/** One print: what a taker traded with one resting order. */
export const TradeSchema = Type.Object({
  id: Type.Integer({ description: 'Ascends; the same at every node' }),
  seriesId: SeriesIdText,
  price: price('Price'),
  qty: contracts('Quantity'),
  side: SideText,
  ts: unixMs('Time of the trade'),
  self: Type.Optional(
    Type.Literal(true, {
      description: 'An account traded with itself: no candle, `last` or volume counts it',
    }),
  ),
});
export type Trade = Static<typeof TradeSchema>;

/** Answer of `GET /v1/trades`. */
export const TradeListSchema = Type.Object({
  trades: Type.Array(TradeSchema, { maxItems: 500, description: 'Newest first' }),
  before: Type.Optional(
    Type.Integer({ description: 'Where older ones follow: what `before` asks for them' }),
  ),
});
export type TradeList = Static<typeof TradeListSchema>;

export const IntervalSchema = Type.Union([
  Type.Literal('1m'),
  Type.Literal('5m'),
  Type.Literal('15m'),
  Type.Literal('1h'),
  Type.Literal('4h'),
  Type.Literal('1d'),
]);
export type Interval = Static<typeof IntervalSchema>;

/** Query of `GET /v1/candles`. */
export const CandlesQuerySchema = Type.Object({
  of: Type.String({
    pattern: '^(spot|mark|trade):[^ ,]{1,64}$',
    description: '`spot:` and a symbol in any case, `mark:` or `trade:` and a series id',
    examples: ['spot:AAPL'],
  }),
  interval: IntervalSchema,
  ...TimeSpan,
});
export type CandlesQuery = Static<typeof CandlesQuerySchema>;

/** Prices in [t, t + interval), in UTC by the time of the log. */
export const CandleSchema = Type.Object({
  t: unixMs('Start of the interval'),
  o: price('First price'),
  h: price('Highest price'),
  l: price('Lowest price'),
  c: price('Last price'),
  v: Type.Optional(contracts('What was traded, in candles of trades')),
  simulated: Type.Optional(
    Type.Literal(true, {
      description:
        'Computed, all or in part: from before the first price of a paper market; in no log, and no price of it was ever taken',
    }),
  ),
});
export type Candle = Static<typeof CandleSchema>;

/** Answer of `GET /v1/candles`. */
export const CandleListSchema = Type.Object({
  candles: Type.Array(CandleSchema, {
    maxItems: 1500,
    description: 'Oldest first; an interval without a price is left out',
  }),
  next: Type.Optional(unixMs('Where later ones follow: what `from` asks for them')),
});
export type CandleList = Static<typeof CandleListSchema>;
