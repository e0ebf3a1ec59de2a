/** Requests and messages of `GET /v1/stream` (STR-1 to STR-5). */

import { type Static, Type } from 'typebox';
import { AccountSchema, FillRecordSchema, PositionSchema } from './account.ts';
import { TickerSchema } from './analytics.ts';
import { ComboRecordSchema, PlainOrderRecordSchema } from './batch.ts';
import { ChainRowSchema, RefusedExpirySchema, SettlementSchema } from './market.ts';
import { TradeSchema } from './market-history.ts';
import { contracts, nullable, price, SeriesIdText, SymbolText, unixSeconds, usd } from './primitives.ts';

/** Names a request, for its answer. */
const RequestId = Type.Union([
  Type.String({ minLength: 1, maxLength: 64 }),
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
]);

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** A name that no channel has is refused alone, whatever it is (STR-5). */
const ChannelName = Type.String();
const STRICT = { additionalProperties: false };

export const ChannelRequestSchema = Type.Union([
  ChannelName,
  Type.Object({ channel: ChannelName, seq: Type.Optional(Seq) }, STRICT),
  Type.Object({ channel: Type.Literal('fills'), after: Seq }, STRICT),
]);
export type ChannelRequest = Static<typeof ChannelRequestSchema>;

export const StreamAuthSchema = Type.Object(
  { id: RequestId, op: Type.Literal('auth'), token: Type.String({ minLength: 1, maxLength: 256 }) },
  STRICT,
);
export const StreamSubscribeSchema = Type.Object(
  {
    id: RequestId,
    op: Type.Literal('subscribe'),
    channels: Type.Array(ChannelRequestSchema, { minItems: 1 }),
  },
  STRICT,
);
export const StreamUnsubscribeSchema = Type.Object(
  { id: RequestId, op: Type.Literal('unsubscribe'), channels: Type.Array(ChannelName, { minItems: 1 }) },
  STRICT,
);
export const StreamPingSchema = Type.Object({ id: RequestId, op: Type.Literal('ping') }, STRICT);
/** The rest is the body of `POST /v1/batch`, which its route checks. */
export const StreamBatchSchema = Type.Object({
  id: RequestId,
  op: Type.Literal('batch'),
  prefer: Type.Optional(Type.String({ maxLength: 256 })),
});

export type StreamAuth = Static<typeof StreamAuthSchema>;
export type StreamSubscribe = Static<typeof StreamSubscribeSchema>;
export type StreamUnsubscribe = Static<typeof StreamUnsubscribeSchema>;
export type StreamPing = Static<typeof StreamPingSchema>;
export type StreamBatch = Static<typeof StreamBatchSchema>;
export type StreamRequestId = Static<typeof RequestId>;

const EndReason = Type.Union([
  Type.Literal('settled'),
  Type.Literal('pending-review', { description: 'It waits for a settlement by hand' }),
  Type.Literal('delisted', { description: 'The underlying is no longer in force' }),
]);

/** A channel of a list that is not subscribed to. */
export const RefusedChannelSchema = Type.Object({
  channel: ChannelName,
  status: Type.Integer({ description: 'As of a request for this channel alone' }),
  code: Type.String({ description: 'As in the header `x-venue-code`' }),
  error: Type.String(),
  reason: Type.Optional(EndReason),
});
export type RefusedChannel = Static<typeof RefusedChannelSchema>;

/** The answer to `subscribe` and `unsubscribe`. */
export const SubscribedSchema = Type.Object({
  channels: Type.Integer({ description: 'Those of the connection' }),
  resumed: Type.Optional(
    Type.Array(ChannelName, { description: 'Without a first message, if any was to be resumed' }),
  ),
  refused: Type.Optional(Type.Array(RefusedChannelSchema, { description: 'Absent if there is none' })),
});
export type Subscribed = Static<typeof SubscribedSchema>;

/** Sent every 5 s to a connection with channels. */
export const StreamBeatSchema = Type.Object({
  type: Type.Literal('beat'),
  seq: Type.Integer({ description: 'The channels of the connection are complete up to this entry' }),
  sent: Type.Optional(
    Type.Record(Type.String(), Seq, {
      description: 'The `seq` of the last message of each channel that had one since the beat before',
    }),
  ),
  ended: Type.Optional(
    Type.Array(ChannelName, { description: 'The channels that ended since the beat before' }),
  ),
});
export type StreamBeat = Static<typeof StreamBeatSchema>;

/** The last message of a channel. */
export const StreamEndSchema = Type.Object({
  channel: ChannelName,
  type: Type.Literal('end'),
  seq: Seq,
  reason: EndReason,
});
export type StreamEnd = Static<typeof StreamEndSchema>;

/** Price and quantity of a level; in a delta quantity 0 is a level that is gone. */
export const BookRowSchema = Type.Tuple([price('Price'), contracts('Size at that price')]);
export type BookRow = Static<typeof BookRowSchema>;

/** Members of `book:<seriesId>`; a delta has only the sides that changed. */
export const BookMembersSchema = Type.Object({
  bids: Type.Optional(Type.Array(BookRowSchema, { description: 'Best first in a snapshot' })),
  asks: Type.Optional(Type.Array(BookRowSchema, { description: 'Best first in a snapshot' })),
});
export type BookMembers = Static<typeof BookMembersSchema>;

/** Members of `chain:<SYMBOL>:<expiryTs>`; a delta has what changed. */
export const ChainMembersSchema = Type.Partial(
  Type.Object({
    symbol: SymbolText,
    expiryTs: unixSeconds('Expiry'),
    spot: price('Last price of the underlying'),
    sessionOpen: Type.Boolean({ description: 'As in the answer of `GET /v1/chain`' }),
    rows: Type.Array(ChainRowSchema, { description: 'A row without call and put is gone' }),
  }),
);
export type ChainMembers = Static<typeof ChainMembersSchema>;

/** Members of `trades:<SYMBOL>`. */
export const TradesMembersSchema = Type.Object({
  symbol: Type.Optional(SymbolText),
  trades: Type.Array(TradeSchema, {
    description: 'Oldest first: in a snapshot the newest 50, in a delta those since',
  }),
});
export type TradesMembers = Static<typeof TradesMembersSchema>;

/** Members of `ticker:<SYMBOL>`; a delta has what changed. */
export const TickerMembersSchema = Type.Object({
  symbol: Type.Optional(SymbolText),
  spot: Type.Optional(price('Last price of the underlying')),
  settlementSoFar: Type.Optional(nullable(price('As in the answer of `GET /v1/tickers`'))),
  tickers: Type.Optional(
    Type.Array(
      Type.Union([
        TickerSchema,
        Type.Object({
          seriesId: SeriesIdText,
          gone: Type.Literal(true, { description: 'No longer traded' }),
        }),
      ]),
    ),
  ),
});
export type TickerMembers = Static<typeof TickerMembersSchema>;

/** Members of `listing:<SYMBOL>`; a delta has the expiries that changed. */
export const ListingMembersSchema = Type.Object({
  symbol: Type.Optional(SymbolText),
  expiries: Type.Array(
    Type.Union([
      Type.Object({
        expiryTs: unixSeconds('Expiry'),
        series: Type.Integer({ description: 'How many of its series can be traded' }),
      }),
      Type.Object({
        expiryTs: unixSeconds('Expiry'),
        gone: Type.Literal(true, { description: 'Its cutoff has passed' }),
      }),
    ]),
    { description: 'Ascending in a snapshot' },
  ),
});
export type ListingMembers = Static<typeof ListingMembersSchema>;

/** The price of one underlying. */
export const StreamSpotSchema = Type.Object({
  symbol: SymbolText,
  spot: Type.Optional(price('Last price, also when it is stale')),
  feedFresh: Type.Optional(Type.Boolean({ description: 'As in the answer of `GET /v1/meta`' })),
  gone: Type.Optional(Type.Boolean({ description: 'True, and nothing else, for one no longer in force' })),
});
export type StreamSpot = Static<typeof StreamSpotSchema>;

/** Members of `spots`. */
export const SpotsMembersSchema = Type.Object({ spots: Type.Array(StreamSpotSchema) });
export type SpotsMembers = Static<typeof SpotsMembersSchema>;

/** Members of `settlements`, oldest first. A settlement takes the place of the refusal of its expiry. */
export const SettlementsMembersSchema = Type.Object({
  settlements: Type.Optional(Type.Array(SettlementSchema)),
  refused: Type.Optional(Type.Array(RefusedExpirySchema)),
});
export type SettlementsMembers = Static<typeof SettlementsMembersSchema>;

/** Members of `account`: those of `GET /v1/me` without its orders, in a delta those that changed. */
export const AccountMembersSchema = Type.Partial(
  Type.Object({
    ...Type.Omit(AccountSchema, ['openOrders', 'positions', 'held']).properties,
    held: nullable(usd('Held deposits, while the account is frozen; null once it is not')),
    positions: Type.Array(
      Type.Union([
        PositionSchema,
        Type.Object({ seriesId: SeriesIdText, qty: Type.Literal(0, { description: 'It is gone' }) }),
      ]),
    ),
  }),
);
export type AccountMembers = Static<typeof AccountMembersSchema>;

const { filledQty: _, avgPrice: __, status: ___, ...OrderFields } = PlainOrderRecordSchema.properties;

/** An order of the channel `orders`, as it is at `seq`. */
export const StreamedOrderSchema = Type.Object(OrderFields);
export type StreamedOrder = Static<typeof StreamedOrderSchema>;

const { filledQty: _f, avgPrice: _a, status: _s, ...ComboFields } = ComboRecordSchema.properties;

/** A combo of the channel `orders`: opened and closed at once. */
export const StreamedComboSchema = Type.Object(ComboFields);
export type StreamedCombo = Static<typeof StreamedComboSchema>;

/** The close of an order that an earlier message had. */
export const StreamedCloseSchema = Type.Pick(PlainOrderRecordSchema, [
  'id',
  'remaining',
  'cause',
  'closedAt',
]);
export type StreamedClose = Static<typeof StreamedCloseSchema>;

/** Members of `orders`: in a snapshot what is open, in a delta what changed. */
export const OrdersMembersSchema = Type.Object({
  orders: Type.Array(Type.Union([StreamedOrderSchema, StreamedComboSchema, StreamedCloseSchema])),
});
export type OrdersMembers = Static<typeof OrdersMembersSchema>;

/** Members of `fills`, oldest first. */
export const FillsMembersSchema = Type.Object({
  after: Type.Optional(Type.Integer({ description: 'Of a snapshot: it has every fill with a greater id' })),
  fills: Type.Array(FillRecordSchema),
});
export type FillsMembers = Static<typeof FillsMembersSchema>;
