/** Public market data and the service's status. */

import { type Static, Type } from 'typebox';
import {
  contracts,
  nullable,
  price,
  SeriesIdText,
  SideText,
  SymbolText,
  text,
  unixMs,
  unixSeconds,
} from './primitives.ts';

/** Answer of `GET /healthz`. */
export const HealthzSchema = Type.Object({
  ok: Type.Boolean(),
  quoteSessionRegistration: text('Name of the quote-session registration scheme in force'),
  fundingMode: Type.Union([Type.Literal('paper'), Type.Literal('deposits')]),
});
export type Healthz = Static<typeof HealthzSchema>;

export const InstrumentSchema = Type.Object({
  symbol: SymbolText,
  spot: price('Last price, also when it is stale'),
  feedFresh: Type.Boolean({ description: 'Whether a source printed within the last minute' }),
});
export type Instrument = Static<typeof InstrumentSchema>;

/** Answer of `GET /v1/meta`. */
export const MetaSchema = Type.Object({
  instruments: Type.Array(InstrumentSchema),
  pendingReview: Type.Array(SeriesIdText, { description: 'Series the oracle refused to settle' }),
});
export type Meta = Static<typeof MetaSchema>;

export const SeriesSchema = Type.Object({
  seriesId: SeriesIdText,
  sid: Type.Integer({ description: 'Alias of the running process; never persist it' }),
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  expiryCutoffMs: unixMs('Instant from which orders are refused'),
  right: Type.Union([Type.Literal('C'), Type.Literal('P')]),
  strike: price('Strike'),
});
export type Series = Static<typeof SeriesSchema>;

/** Answer of `GET /v1/series`: live series only. */
export const SeriesListSchema = Type.Object({ series: Type.Array(SeriesSchema) });
export type SeriesList = Static<typeof SeriesListSchema>;

export const LevelSchema = Type.Object({ price: price('Price'), qty: contracts('Size at that price') });
export type Level = Static<typeof LevelSchema>;

export const ChainLegSchema = Type.Object({
  seriesId: SeriesIdText,
  sid: Type.Integer({ description: 'Alias of the running process; never persist it' }),
  bid: nullable(LevelSchema),
  ask: nullable(LevelSchema),
  mid: nullable(price('Mark; null when both sides of the book are empty')),
  iv: Type.Number({ description: "The market maker's annual volatility as a fraction, 0 when absent" }),
  delta: Type.Number({ description: "The market maker's delta, negative for a put, 0 when absent" }),
  openInterest: contracts('Sum of long positions'),
  volume: contracts('Traded since listing'),
});
export type ChainLeg = Static<typeof ChainLegSchema>;

export const ChainRowSchema = Type.Object({
  strike: price('Strike'),
  call: nullable(ChainLegSchema),
  put: nullable(ChainLegSchema),
});
export type ChainRow = Static<typeof ChainRowSchema>;

/** Answer of `GET /v1/chain`. */
export const ChainSchema = Type.Object({
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  spot: price('Last price of the underlying'),
  sessionOpen: Type.Boolean({
    description:
      'False outside the trading hours of the underlying, where it has any, and on holidays of its exchange that are known (SESS-OPEN)',
  }),
  rows: Type.Array(ChainRowSchema),
});
export type Chain = Static<typeof ChainSchema>;

/** Answer of `GET /v1/book`. */
export const BookSchema = Type.Object({
  seriesId: SeriesIdText,
  bids: Type.Array(LevelSchema, { maxItems: 12, description: 'Best first, descending' }),
  asks: Type.Array(LevelSchema, { maxItems: 12, description: 'Best first, ascending' }),
});
export type Book = Static<typeof BookSchema>;

export const TapePrintSchema = Type.Object({
  seriesId: SeriesIdText,
  price: price('Price'),
  qty: contracts('Quantity'),
  side: SideText,
  ts: unixMs('Time of the trade'),
});
export type TapePrint = Static<typeof TapePrintSchema>;

/** Answer of `GET /v1/tape`. */
export const TapeSchema = Type.Object({
  symbol: SymbolText,
  fills: Type.Array(TapePrintSchema, { maxItems: 50, description: 'Newest first' }),
});
export type Tape = Static<typeof TapeSchema>;

/** One price source's contribution to an expiry. */
export const SettlementSourceSchema = Type.Object({
  source: text('Name of the price source'),
  average: nullable(price('Time-weighted average over the last 30 minutes; null without a print in them')),
  fresh: Type.Boolean({ description: 'Whether the source counted' }),
  last: price('Last print at or before the cutoff'),
  lastTs: unixMs('Time of that print'),
});
export type SettlementSource = Static<typeof SettlementSourceSchema>;

/** The inputs to an expiry's settlement price. */
const SettlementInputs = {
  sources: Type.Array(SettlementSourceSchema),
  dispersionBps: nullable(
    Type.Number({
      description:
        'Spread of the fresh averages over their median, in basis points; null without a fresh one',
    }),
  ),
};

/** One settlement price and the inputs it was computed from (ORA-2). */
export const SettlementSchema = Type.Object({
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  price: price('Settlement price of the underlying'),
  decidedAt: unixMs('Time of the decision'),
  by: Type.Union([Type.Literal('oracle'), Type.Literal('hand')]),
  ...SettlementInputs,
});
export type Settlement = Static<typeof SettlementSchema>;

/** An expiry without a settlement price, and why: its series are in review. */
export const RefusedExpirySchema = Type.Object({
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  reason: text('Why the oracle named no price'),
  refusedAt: unixMs('Time of the refusal'),
  anchor: nullable(
    price('Median of the last prints; null when there was none, so that nothing can settle it'),
  ),
  ...SettlementInputs,
});
export type RefusedExpiry = Static<typeof RefusedExpirySchema>;

/** Answer of `GET /v1/settlements`. */
export const SettlementListSchema = Type.Object({
  settlements: Type.Array(SettlementSchema, { maxItems: 500, description: 'Newest first' }),
  refused: Type.Optional(
    Type.Array(RefusedExpirySchema, { minItems: 1, description: 'What waits for review, newest first' }),
  ),
});
export type SettlementList = Static<typeof SettlementListSchema>;

const DIGITS = '^[0-9]{1,11}$';

/** Query of the reads about one underlying; the symbol may be in any case. */
export const SymbolQuerySchema = Type.Object({ symbol: SymbolText });
export type SymbolQuery = Static<typeof SymbolQuerySchema>;

export const ChainQuerySchema = Type.Object({
  symbol: SymbolText,
  expiryTs: Type.String({ pattern: DIGITS, description: 'Expiry, in seconds since the Unix epoch' }),
});
export type ChainQuery = Static<typeof ChainQuerySchema>;

export const BookQuerySchema = Type.Object({ seriesId: SeriesIdText });
export type BookQuery = Static<typeof BookQuerySchema>;
