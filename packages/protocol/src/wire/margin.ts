/** The margin report of an account, line by line, and the preview of an order. */

import { type Static, Type } from 'typebox';
import { ComboActionSchema, ComboFillSchema } from './batch.ts';
import { OrderFillSchema, OrderRequestSchema } from './orders.ts';
import {
  contracts,
  DeclinedFields,
  nullable,
  price,
  SeriesIdText,
  SideText,
  SymbolText,
  text,
  usd,
} from './primitives.ts';

/** Margin of the shorts of one series, entry or maintenance: unit = premium + max(shock, floor); amount = unit x qty. */
export const MarginLineSchema = Type.Object({
  shock: price('Shock term: share of spot less what the contract is out of the money'),
  floor: price('Floor term: share of strike'),
  unit: price('Margin of one contract'),
  qty: contracts('Quantity that is margined'),
  amount: usd('Margin'),
});
export type MarginLine = Static<typeof MarginLineSchema>;

/** A series in which the account is short, or would be if its resting sells filled. */
export const MarginSeriesSchema = Type.Object({
  seriesId: SeriesIdText,
  qty: contracts('Position, negative for a short'),
  restingSell: contracts('Quantity of the resting sells'),
  spot: price('Spot used'),
  mark: price('Mark used, 0 when the book is empty'),
  premium: price('Premium term: the mark, or no less than intrinsic where the venue says so'),
  entry: MarginLineSchema,
  maintenance: MarginLineSchema,
});
export type MarginSeries = Static<typeof MarginSeriesSchema>;

/** The mark of a series that the account holds or quotes, and all that it was made of (RSK-2). */
export const MarginMarksSchema = Type.Object({
  seriesId: SeriesIdText,
  iv: nullable(Type.Number({ description: 'Newest volatility that counts for the model, if there is one' })),
  model: nullable(price('Black-76 at spot and `iv`')),
  bid: nullable(price('Average of the impact size on the bids, if they hold as much')),
  ask: nullable(price('Average of the impact size on the asks, if they hold as much')),
  book: nullable(price('Midpoint of the book, or its only side')),
  risk: price('Mark in force for the account, from the book or from the model as `riskMark` says'),
});
export type MarginMarks = Static<typeof MarginMarksSchema>;

/** A resting order: a buy reserves its cost, a sell is margined in its series. */
export const MarginOrderSchema = Type.Object({
  id: Type.Integer(),
  seriesId: SeriesIdText,
  side: SideText,
  price: price('Limit price'),
  remaining: contracts('Size still working'),
  reserve: usd('Cash reserved'),
  openingQty: contracts('Part of a sell that would open or extend a short'),
});
export type MarginOrder = Static<typeof MarginOrderSchema>;

/** A quantity of a short, the long that covers it, and what one contract of both needs before marks (DRM-1). */
export const MarginCoverSchema = Type.Object({
  short: SeriesIdText,
  long: SeriesIdText,
  qty: contracts('Quantity covered'),
  each: usd('Most that one contract of the pair can lose'),
});
export type MarginCover = Static<typeof MarginCoverSchema>;

/** The positions of one underlying and expiry, where longs cover shorts (DRM-5). */
export const MarginGroupSchema = Type.Object({
  symbol: SymbolText,
  expiryTs: Type.Integer({ description: 'Unix seconds' }),
  rule: Type.Union([
    Type.Literal('A', { description: 'the cheapest cover' }),
    Type.Literal('B', { description: 'the greatest loss of the whole group' }),
    Type.Literal('settlement', { description: 'what it will pay, as its price is known' }),
    Type.Literal('none', { description: 'nothing is short' }),
  ]),
  requirement: usd('Locked for the group; resting sells count as filled'),
  maintenance: usd('Its part of the maintenance margin, by positions alone; may be negative'),
  covers: Type.Array(MarginCoverSchema, { description: 'Under rule A' }),
  loss: Type.Object(
    {
      amount: usd('Most that is paid out'),
      at: price('Price of the underlying at which it is'),
    },
    { description: 'Of the whole group under rule B, else of what is covered' },
  ),
  uncovered: Type.Array(
    Type.Object({
      seriesId: SeriesIdText,
      qty: contracts('Quantity that nothing covers'),
      unit: price('Entry margin of one contract'),
    }),
  ),
});
export type MarginGroup = Static<typeof MarginGroupSchema>;

const amounts = {
  cash: usd('Settled cash'),
  equity: usd('Cash and mark value of positions'),
  locked: usd('Short margin at entry level and reserves'),
  buyingPower: usd('Cash less locked'),
  maintenanceMargin: usd('Margin required to keep the shorts'),
  marginCall: Type.Boolean({ description: 'Equity is under the maintenance margin' }),
};

/**
 * Answer of `GET /v1/margin`: `locked` is `reserved` plus the entry amounts, to the micro; in defined-risk mode, plus the
 * requirements of the groups.
 */
export const MarginReportSchema = Type.Object({
  marginEnabled: Type.Boolean(),
  marginMode: Type.Union([Type.Literal('per-leg'), Type.Literal('defined-risk')]),
  premiumTerm: Type.Union([Type.Literal('mark'), Type.Literal('intrinsic')]),
  ...amounts,
  reserved: usd('Cash reserved by every resting buy'),
  series: Type.Array(MarginSeriesSchema),
  riskMark: Type.Union([Type.Literal('book'), Type.Literal('model')]),
  marks: Type.Array(MarginMarksSchema, {
    description: 'How the marks come about: every series with a position, or with sells that would open one',
  }),
  orders: Type.Array(MarginOrderSchema, { description: 'Resting orders, ascending by id, the newest 500' }),
  groups: Type.Optional(Type.Array(MarginGroupSchema, { description: 'Given in defined-risk mode' })),
});
export type MarginReport = Static<typeof MarginReportSchema>;

/** Body of `POST /v1/order/preview`: an order without a signature, or a `place` as a batch takes it (BAT-6). */
export const OrderPreviewRequestSchema = Type.Object({
  seriesId: OrderRequestSchema.properties.seriesId,
  side: OrderRequestSchema.properties.side,
  qty: OrderRequestSchema.properties.qty,
  price: OrderRequestSchema.properties.price,
  type: Type.Optional(
    Type.Unknown({ description: '`place` for an action of a batch, with all fields that one may have' }),
  ),
});
export type OrderPreviewRequest = Static<typeof OrderPreviewRequestSchema>;

/** The same for a combo, as a batch takes it (CMB-3). */
export const ComboPreviewRequestSchema = ComboActionSchema;
export type ComboPreviewRequest = Static<typeof ComboPreviewRequestSchema>;

const AmountsSchema = Type.Object(amounts);

/** Answer of `POST /v1/order/preview`; no order is placed. A declined order is a 200 with its reason. */
export const OrderPreviewAnswerSchema = Type.Object({
  status: Type.Union([
    Type.Literal('filled'),
    Type.Literal('partial'),
    Type.Literal('rested'),
    Type.Literal('cancelled'),
    Type.Literal('rejected'),
  ]),
  reason: Type.Optional(text('Why the order, or the rest of it, would be declined')),
  ...DeclinedFields,
  fills: Type.Array(OrderFillSchema),
  restedQty: contracts('Size that would rest'),
  qty: Type.Optional(contracts('What a reduce-only order would be cut to')),
  cost: usd('Premium of the fills: paid by a buy, received by a sell'),
  fee: usd('Taker fee of the fills'),
  before: AmountsSchema,
  after: AmountsSchema,
});
export type OrderPreviewAnswer = Static<typeof OrderPreviewAnswerSchema>;

/** Answer of `POST /v1/order/preview` to a combo. */
export const ComboPreviewAnswerSchema = Type.Object({
  status: Type.Union([
    Type.Literal('filled'),
    Type.Literal('partial'),
    Type.Literal('cancelled'),
    Type.Literal('rejected'),
  ]),
  reason: Type.Optional(text('Why the combo would be declined')),
  ...DeclinedFields,
  fills: Type.Array(ComboFillSchema, { description: 'Leg by leg, in the order in which they would trade' }),
  filledQty: contracts('Units that would trade'),
  cost: usd('Premium of the fills: what is paid less what is received'),
  fee: usd('Taker fees of the fills'),
  before: AmountsSchema,
  after: AmountsSchema,
});
export type ComboPreviewAnswer = Static<typeof ComboPreviewAnswerSchema>;
