/**
 * Routes of the market maker and of price feeds. Each row is accepted or refused on its own (MM-3, FEED-1): the body
 * schemas allow rows of any shape, and each row is then checked against the row schema.
 */

import { type Static, Type } from 'typebox';
import { FillRecordSchema, PositionSchema } from './account.ts';
import {
  contracts,
  count,
  DeclinedFields,
  nullable,
  price,
  SeriesIdText,
  SymbolText,
  text,
  unixMs,
  usd,
} from './primitives.ts';

const QuoteLevelSchema = Type.Tuple([price('Price'), contracts('Size')]);
/** Price and size of one level. */
export type QuoteLevel = Static<typeof QuoteLevelSchema>;

const QuoteSideSchema = Type.Union([Type.Array(QuoteLevelSchema), Type.Null()], {
  description: 'Levels, best first; null leaves the side unchanged, an empty array pulls it',
});
/** Levels, best first; null leaves the side unchanged, an empty array pulls it. */
export type QuoteSide = Static<typeof QuoteSideSchema>;

const AnnotationSchema = Type.Union([Type.Number(), Type.Null()]);
const SidSchema = Type.Integer({ description: 'Alias of the series' });

/** `[sid, bids, asks, iv?, delta?]`. An absent or null annotation is left unchanged. */
export const CompactQuoteSchema = Type.Union([
  Type.Tuple([SidSchema, QuoteSideSchema, QuoteSideSchema]),
  Type.Tuple([SidSchema, QuoteSideSchema, QuoteSideSchema, AnnotationSchema]),
  Type.Tuple([SidSchema, QuoteSideSchema, QuoteSideSchema, AnnotationSchema, AnnotationSchema]),
]);
export type CompactQuote = Static<typeof CompactQuoteSchema>;

/** The same row with named fields. An absent side is left unchanged. */
export const VerboseQuoteSchema = Type.Object({
  seriesId: SeriesIdText,
  bids: Type.Optional(QuoteSideSchema),
  asks: Type.Optional(QuoteSideSchema),
  iv: Type.Optional(AnnotationSchema),
  delta: Type.Optional(AnnotationSchema),
});
export type VerboseQuote = Static<typeof VerboseQuoteSchema>;

/** The body a client sends to `/v1/quotes` and `/v1/maker/quotes`. */
export type QuotesRequest = { rows: CompactQuote[] } | { quotes: VerboseQuote[] };

/** The body the service accepts before it checks the rows. */
export const QuotesBodySchema = Type.Union([
  Type.Object({ rows: Type.Array(Type.Unknown()) }),
  Type.Object({ quotes: Type.Array(Type.Unknown()) }),
]);
export type QuotesBody = Static<typeof QuotesBodySchema>;

export const RowErrorSchema = Type.Object({ i: count('Index of the row'), error: text('What was wrong') });
export type RowError = Static<typeof RowErrorSchema>;

const RowErrorsSchema = Type.Array(RowErrorSchema, { maxItems: 20, description: 'The first 20' });

export const QuotesAnswerSchema = Type.Object({
  applied: count('Series whose resting orders changed'),
  kept: count('Series already at the requested ladder'),
  errors: count('Malformed rows'),
  rowErrors: RowErrorsSchema,
  unknownSids: Type.Optional(Type.Array(Type.Integer(), { minItems: 1 })),
});
export type QuotesAnswer = Static<typeof QuotesAnswerSchema>;

/** A row of a push to a set that was refused, or only in part applied (DET-5). */
export const SetRowErrorSchema = Type.Object({ ...RowErrorSchema.properties, ...DeclinedFields });
export type SetRowError = Static<typeof SetRowErrorSchema>;

/** Answer of `POST /v1/quote-sets/{set}`. */
export const SetPushAnswerSchema = Type.Object({
  ...QuotesAnswerSchema.properties,
  rowErrors: Type.Array(SetRowErrorSchema, { maxItems: 20, description: 'The first 20' }),
});
export type SetPushAnswer = Static<typeof SetPushAnswerSchema>;

/** One quote set of the caller (QTS-5). */
export const QuoteSetSchema = Type.Object({
  set: Type.Integer({ minimum: 1, maximum: 16, description: 'Number of the set' }),
  symbol: SymbolText,
  windowMs: Type.Integer({
    description: 'A push so long after the first fill makes the allowance whole again, ms',
  }),
  qty: contracts('Contracts that may trade before the set is pulled and frozen'),
  delta: nullable(Type.Number({ description: 'Contracts times absolute delta that may trade' })),
  frozenMs: Type.Integer({
    description: 'How long a set that is used up stays frozen, ms; 0 until unfrozen',
  }),
  used: contracts('Contracts traded of the allowance'),
  usedDelta: nullable(Type.Number({ description: 'Contracts times absolute delta traded of the allowance' })),
  frozen: Type.Boolean({ description: 'True while pushes are refused' }),
  frozenUntil: nullable(unixMs('When it ends by itself; null while not frozen, or until unfrozen')),
  quotes: count('Quotes standing'),
  reserve: usd('Cash reserved for the quotes'),
});
export type QuoteSet = Static<typeof QuoteSetSchema>;

/** Answer of `GET /v1/quote-sets`. */
export const QuoteSetsSchema = Type.Object({
  sets: Type.Array(QuoteSetSchema, { maxItems: 16, description: 'Ascending by number' }),
});
export type QuoteSets = Static<typeof QuoteSetsSchema>;

/** Body of `POST /v1/maker/session` (MM-1). */
export const MakerSessionRequestSchema = Type.Object({
  attemptId: Type.String({ minLength: 1, maxLength: 128, description: 'Names one attempt to register' }),
});
export type MakerSessionRequest = Static<typeof MakerSessionRequestSchema>;

export const MakerSessionAnswerSchema = Type.Object({
  session: Type.Integer({ description: 'Ascending; a newer one fences every earlier' }),
  attemptId: Type.String(),
});
export type MakerSessionAnswer = Static<typeof MakerSessionAnswerSchema>;

/** Answer of `POST /v1/maker/pull`. */
export const MakerPullAnswerSchema = Type.Object({ pulled: count('Number of quotes cancelled') });
export type MakerPullAnswer = Static<typeof MakerPullAnswerSchema>;

/** Answer of `GET /v1/maker/account`; traders have no access to it. */
export const MakerAccountSchema = Type.Object({
  session: nullable(Type.Integer({ description: 'The live quote session' })),
  cash: usd('Cash'),
  equity: usd('Cash and the mark value of positions'),
  realizedPnl: usd('Realised P&L'),
  unrealizedPnl: usd('Mark-to-market of open positions'),
  houseLine: usd('The limit of its exposure'),
  exposure: usd('What its positions use of that'),
  headroom: usd('What is left of it'),
  positions: Type.Array(PositionSchema),
});
export type MakerAccount = Static<typeof MakerAccountSchema>;

/** Query of `GET /v1/maker/fills`: fills with a greater id. */
export const MakerFillsQuerySchema = Type.Object({
  after: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
});

/** Answer of `GET /v1/maker/fills`: ascending by id, of the newest 500. */
export const MakerFillsSchema = Type.Object({ fills: Type.Array(FillRecordSchema, { maxItems: 500 }) });
export type MakerFills = Static<typeof MakerFillsSchema>;

/** One price of one source (FEED-1). */
export const FeedPrintSchema = Type.Object({
  symbol: SymbolText,
  source: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the price source' }),
  price: price('Price of the underlying'),
});
export type FeedPrint = Static<typeof FeedPrintSchema>;

/** The body a feed sends to `/v1/feed/prints`. */
export interface FeedRequest {
  prints: FeedPrint[];
}

export const FeedBodySchema = Type.Object({ prints: Type.Array(Type.Unknown()) });
export type FeedBody = Static<typeof FeedBodySchema>;

export const FeedAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  accepted: count('Prints taken'),
  rejected: count('Prints refused'),
  rowErrors: RowErrorsSchema,
});
export type FeedAnswer = Static<typeof FeedAnswerSchema>;
