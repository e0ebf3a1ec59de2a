/** Batches, and the lookup of orders (BAT-3, CID-2). */

import { type Static, Type } from 'typebox';
import type { RejectReason } from '../messages/reasons.ts';
import { AccountSchema } from './account.ts';
import { OrderFillSchema, SignedFields } from './orders.ts';
import {
  contracts,
  count,
  DeclinedFields,
  nullable,
  oneOf,
  pageRows,
  price,
  SeriesIdText,
  SideText,
  SymbolText,
  text,
  unixMs,
} from './primitives.ts';

const ClientIdText = Type.String({
  description: 'Chosen by the client: 1 to 36 of A-Z a-z 0-9 _ -, the first a letter or digit',
});
const TifText = oneOf('gtc', 'ioc', 'fok', 'gtd');
const FlagText = oneOf('post-only', 'reduce-only');
const StpText = oneOf('taker', 'maker', 'both', 'none');
const OrderIdNumber = Type.Integer({ minimum: 1, description: 'Order id, unique for the life of the venue' });

export const PlaceActionSchema = Type.Object({
  type: Type.Literal('place'),
  seriesId: SeriesIdText,
  side: SideText,
  qty: contracts('Quantity, fractions allowed, exact to a millionth'),
  price: Type.Optional(price('Limit price; a market order has none')),
  tif: Type.Optional(TifText),
  expiresAt: Type.Optional(unixMs('When a gtd order leaves')),
  postOnly: Type.Optional(Type.Boolean({ description: 'Rejected if it would trade on arrival' })),
  reduceOnly: Type.Optional(Type.Boolean({ description: 'Cut to what closes the position' })),
  stp: Type.Optional(StpText),
  clientId: Type.Optional(ClientIdText),
});
export type PlaceActionWire = Static<typeof PlaceActionSchema>;

export const ComboLegSchema = Type.Object({
  seriesId: SeriesIdText,
  side: SideText,
  ratio: Type.Integer({ minimum: 1, maximum: 10, description: 'Contracts in one unit of the combo' }),
});
export type ComboLeg = Static<typeof ComboLegSchema>;

const ComboLegs = Type.Array(ComboLegSchema, {
  minItems: 2,
  maxItems: 4,
  description: 'Distinct series of one underlying, in the order in which they trade',
});

export const ComboActionSchema = Type.Object({
  type: Type.Literal('combo'),
  legs: ComboLegs,
  qty: contracts('Units, fractions allowed, exact to a millionth'),
  net: Type.Optional(price('The most that a unit may cost, before fees; negative if it must bring in')),
  tif: Type.Optional(oneOf('ioc', 'fok')),
  clientId: Type.Optional(ClientIdText),
});
export type ComboActionWire = Static<typeof ComboActionSchema>;

const OrderRefFields = { orderId: Type.Optional(OrderIdNumber), clientId: Type.Optional(ClientIdText) };

export const AmendActionSchema = Type.Object({
  type: Type.Literal('amend'),
  ...OrderRefFields,
  qty: Type.Optional(contracts('New total quantity, what is filled included')),
  price: Type.Optional(price('New limit price')),
  filledAtMost: Type.Optional(contracts('Refused once more than this is filled')),
});
export type AmendActionWire = Static<typeof AmendActionSchema>;

export const CancelActionSchema = Type.Object({ type: Type.Literal('cancel'), ...OrderRefFields });
export type CancelActionWire = Static<typeof CancelActionSchema>;

export const CancelAllActionSchema = Type.Object({
  type: Type.Literal('cancel-all'),
  symbols: Type.Optional(Type.Array(SymbolText, { minItems: 1, maxItems: 64 })),
  seriesIds: Type.Optional(Type.Array(SeriesIdText, { minItems: 1, maxItems: 64 })),
  side: Type.Optional(SideText),
});
export type CancelAllActionWire = Static<typeof CancelAllActionSchema>;

export const GuardActionSchema = Type.Object({
  type: Type.Literal('guard'),
  ms: Type.Integer({ description: '5,000 to 600,000 ms until all orders leave; 0 removes the guard' }),
});
export type GuardActionWire = Static<typeof GuardActionSchema>;

const SetNumber = Type.Integer({
  minimum: 1,
  maximum: 16,
  description: 'Number of a quote set of the account',
});

export const ProtectActionSchema = Type.Object({
  type: Type.Literal('protect'),
  set: SetNumber,
  symbol: SymbolText,
  windowMs: Type.Integer({
    description: '100 to 600,000 ms: a push so long after the first fill makes the allowance whole again',
  }),
  qty: contracts('Contracts that may trade before the set is pulled and frozen; 0 ends the set'),
  delta: Type.Optional(Type.Number({ description: 'Contracts times absolute delta that may trade' })),
  frozenMs: Type.Integer({ description: '0 to 86,400,000 ms; 0 until the set is unfrozen' }),
});
export type ProtectActionWire = Static<typeof ProtectActionSchema>;

export const UnfreezeActionSchema = Type.Object({ type: Type.Literal('unfreeze'), set: SetNumber });
export type UnfreezeActionWire = Static<typeof UnfreezeActionSchema>;

const MarginModeText = oneOf('per-leg', 'defined-risk');

export const MarginModeActionSchema = Type.Object({
  type: Type.Literal('margin-mode'),
  mode: MarginModeText,
});
export type MarginModeActionWire = Static<typeof MarginModeActionSchema>;

export const ActionSchema = Type.Union([
  PlaceActionSchema,
  ComboActionSchema,
  AmendActionSchema,
  CancelActionSchema,
  CancelAllActionSchema,
  GuardActionSchema,
  ProtectActionSchema,
  UnfreezeActionSchema,
  MarginModeActionSchema,
]);
export type ActionWire = Static<typeof ActionSchema>;

/** Body of `POST /v1/batch`. Unlike in older bodies, an unknown property is malformed (BAT-1). */
export const BatchRequestSchema = Type.Object({
  actions: Type.Array(ActionSchema, { minItems: 1, maxItems: 64 }),
  ...SignedFields,
});
export type BatchRequest = Static<typeof BatchRequestSchema>;

/** Result of a `place` or an `amend`. */
export const PlaceResultSchema = Type.Object({
  type: Type.Union([Type.Literal('place'), Type.Literal('amend')]),
  status: oneOf('filled', 'partial', 'rested', 'cancelled', 'rejected', 'duplicate'),
  orderId: Type.Integer({ minimum: 0, description: 'Order id; 0 when rejected' }),
  clientId: Type.Optional(ClientIdText),
  fills: Type.Array(OrderFillSchema),
  restedQty: Type.Optional(contracts('Size left on the book; absent when rejected')),
  qty: Type.Optional(contracts('What a reduce-only order was cut to')),
  reason: Type.Optional(Type.Unsafe<RejectReason>(text('Why the order, or the rest of it, was declined'))),
  ...DeclinedFields,
});
export type PlaceResult = Static<typeof PlaceResultSchema>;

/** One fill of a leg of a combo. */
export const ComboFillSchema = Type.Object({
  seriesId: SeriesIdText,
  side: SideText,
  price: price('Price'),
  qty: contracts('Quantity'),
});
export type ComboFill = Static<typeof ComboFillSchema>;

/** Result of a `combo` (CMB-3). */
export const ComboResultSchema = Type.Object({
  type: Type.Literal('combo'),
  status: oneOf('filled', 'partial', 'cancelled', 'rejected', 'duplicate'),
  orderId: Type.Integer({ minimum: 0, description: 'Order id; 0 when rejected' }),
  clientId: Type.Optional(ClientIdText),
  fills: Type.Array(ComboFillSchema, { description: 'Leg by leg, in the order in which they traded' }),
  restedQty: Type.Optional(contracts('0; absent when rejected')),
  reason: Type.Optional(Type.Unsafe<RejectReason>(text('Why the combo was declined'))),
  ...DeclinedFields,
});
export type ComboResult = Static<typeof ComboResultSchema>;

export const CancelResultSchema = Type.Object({
  type: Type.Literal('cancel'),
  ok: Type.Boolean({ description: 'False when the caller has no such order in the book' }),
  orderId: Type.Integer({ minimum: 0, description: 'Order id; 0 for a client id that is not known' }),
});
export type CancelResult = Static<typeof CancelResultSchema>;

export const CancelAllResultSchema = Type.Object({
  type: Type.Literal('cancel-all'),
  ok: Type.Boolean({ description: 'False when nothing matched' }),
  pulled: count('Number of orders cancelled'),
});
export type CancelAllResult = Static<typeof CancelAllResultSchema>;

export const GuardResultSchema = Type.Object({ type: Type.Literal('guard'), ok: Type.Boolean() });
export type GuardResult = Static<typeof GuardResultSchema>;

/** Result of a `protect` or an `unfreeze`. */
export const SetResultSchema = Type.Object({
  type: Type.Union([Type.Literal('protect'), Type.Literal('unfreeze')]),
  ok: Type.Boolean({ description: 'False when declined; nothing changed' }),
  reason: Type.Optional(Type.Unsafe<RejectReason>(text('Why it was declined'))),
  ...DeclinedFields,
});
export type SetResult = Static<typeof SetResultSchema>;

export const MarginModeResultSchema = Type.Object({
  type: Type.Literal('margin-mode'),
  ok: Type.Boolean({ description: 'False when declined; the mode stays' }),
  reason: Type.Optional(Type.Unsafe<RejectReason>(text('Why it was declined'))),
  ...DeclinedFields,
});
export type MarginModeResult = Static<typeof MarginModeResultSchema>;

export const ActionResultSchema = Type.Union([
  PlaceResultSchema,
  ComboResultSchema,
  CancelResultSchema,
  CancelAllResultSchema,
  GuardResultSchema,
  SetResultSchema,
  MarginModeResultSchema,
]);
export type ActionResult = Static<typeof ActionResultSchema>;

export const BatchAnswerSchema = Type.Object({
  results: Type.Array(ActionResultSchema, { description: 'One per action, in order' }),
  account: Type.Optional(AccountSchema),
});
export type BatchAnswer = Static<typeof BatchAnswerSchema>;

/** Query of `GET /v1/orders`. */
export const OrdersQuerySchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed')])),
  symbol: Type.Optional(SymbolText),
  before: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', description: 'Id of an order: only older ones are answered' }),
  ),
  limit: pageRows(100),
});
export type OrdersQuery = Static<typeof OrdersQuerySchema>;

const CloseCauseText = nullable(
  oneOf('filled', 'user', 'ioc', 'stp', 'gtd', 'guard', 'margin', 'settlement', 'liquidation'),
);

/** One order of a series, open or closed (DET-4). */
export const PlainOrderRecordSchema = Type.Object({
  id: OrderIdNumber,
  clientId: Type.Optional(ClientIdText),
  seriesId: SeriesIdText,
  symbol: SymbolText,
  side: SideText,
  price: nullable(price('Limit price; null for a market order')),
  qty: contracts('Total quantity'),
  remaining: contracts('Size still working; 0 once closed'),
  filledQty: contracts('Size traded'),
  avgPrice: nullable(
    price('Average price of the fills; null without any, or if some came before the history'),
  ),
  tif: TifText,
  expiresAt: Type.Optional(unixMs('When a gtd order leaves')),
  flag: nullable(FlagText),
  status: Type.Union([
    Type.Literal('open'),
    Type.Literal('filled'),
    Type.Literal('cancelled'),
    Type.Literal('expired'),
  ]),
  cause: CloseCauseText,
  ts: unixMs('Time of acceptance'),
  closedAt: nullable(unixMs('When it left; null while open')),
});
export type PlainOrderRecord = Static<typeof PlainOrderRecordSchema>;

/** A combo, which is closed by the entry that opens it (CID-2). */
export const ComboRecordSchema = Type.Object({
  id: OrderIdNumber,
  clientId: Type.Optional(ClientIdText),
  legs: ComboLegs,
  symbol: SymbolText,
  net: nullable(price('The most that a unit may cost; null for no limit')),
  qty: contracts('Units asked for'),
  remaining: contracts('0'),
  filledQty: contracts('Units traded'),
  avgPrice: nullable(price('Average cost of the units traded, before fees; null without any')),
  tif: oneOf('ioc', 'fok'),
  flag: Type.Null(),
  status: Type.Union([Type.Literal('filled'), Type.Literal('cancelled')]),
  cause: CloseCauseText,
  ts: unixMs('Time of acceptance'),
  closedAt: nullable(unixMs('The same time')),
});
export type ComboRecord = Static<typeof ComboRecordSchema>;

/** An order, or a combo, which has legs. */
export const OrderRecordSchema = Type.Union([PlainOrderRecordSchema, ComboRecordSchema]);
export type OrderRecord = PlainOrderRecord | ComboRecord;

/** Answer of `GET /v1/orders`. */
export const OrderListSchema = Type.Object({
  orders: Type.Array(OrderRecordSchema, { maxItems: 500, description: 'Newest first' }),
  before: Type.Optional(
    Type.Integer({ description: 'Given where there may be older ones: ask for them with it as `before`' }),
  ),
  completeFrom: Type.Optional(
    unixMs('Given where the history of the venue begins later than the account: older orders may be missing'),
  ),
});
export type OrderList = Static<typeof OrderListSchema>;
