/** Batches, and the lookup of orders (BAT-3, CID-2). */

import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { COMBO, LEG_JSON, LEGS, type ComboLeg as Leg } from '../actions/combo.ts';
import { ACTIONS, type ActionWire } from '../actions/index.ts';
import type { ActionKind, PostedOf } from '../actions/kind.ts';
import { BATCH_ACTIONS_MAX } from '../actions/limits.ts';
import { ORDER_ID } from '../actions/ref.ts';
import { objectOf } from '../actions/schema.ts';
import { CLIENT_ID_VALUE, ORDER_FLAGS, TIMES_IN_FORCE } from '../actions/terms.ts';
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

const ClientIdText = Type.Unsafe<string>(CLIENT_ID_VALUE.schema);
const TifText = oneOf(...TIMES_IN_FORCE);
const FlagText = oneOf(...ORDER_FLAGS);
const OrderIdNumber = Type.Unsafe<number>(ORDER_ID.schema);

/** As it is sent: an object of the client's own. */
export type ComboLeg = { -readonly [Name in keyof Leg]: Leg[Name] };
export const ComboLegSchema = Type.Unsafe<ComboLeg>(LEG_JSON);
const ComboLegs = Type.Unsafe<ComboLeg[]>(LEGS.schema);

/** The schema of each kind of action, by the name that the API document gives it. */
export const ACTION_SCHEMAS: ReadonlyMap<string, TSchema> = new Map(
  ACTIONS.map((kind) => [documentName(kind), schemaOf(kind)]),
);

/** `CancelAllAction` of `cancel-all`. */
function documentName({ type }: ActionKind): string {
  return `${type.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Action`;
}

function schemaOf<K extends ActionKind>(kind: K): TUnsafe<PostedOf<K>> {
  const fields = Object.values(kind.fields);
  const type = { type: 'string', const: kind.type };
  const properties = Object.assign({ type }, ...fields.map((field) => field.properties));
  const required = fields.flatMap((field) => (field.isRequired ? Object.keys(field.properties) : []));
  return Type.Unsafe(objectOf(properties, ['type', ...required]));
}

export const ActionSchema = Type.Unsafe<ActionWire>({ anyOf: [...ACTION_SCHEMAS.values()] });

export const ComboActionSchema = schemaOf(COMBO);

/** Body of `POST /v1/batch`. Unlike in older bodies, an unknown property is malformed (BAT-1). */
export const BatchRequestSchema = Type.Object({
  actions: Type.Array(ActionSchema, { minItems: 1, maxItems: BATCH_ACTIONS_MAX }),
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
