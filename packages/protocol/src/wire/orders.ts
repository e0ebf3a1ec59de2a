/** Trading writes: order, cancel, cancel of one order, margin. Unknown properties of a request are ignored. */

import { type Static, Type } from 'typebox';
import type { RejectReason } from '../messages/reasons.ts';
import { AccountSchema } from './account.ts';
import { contracts, count, price, SeriesIdText, SideText, SymbolText, text, unixMs } from './primitives.ts';

/** Underlyings that one cancel names. */
export const SYMBOLS_PER_CANCEL_MAX = 1_000;

/** The three fields of a signed write: all or none (AUTH-3). */
export const SignedFields = {
  sessionKey: Type.Optional(text('Address of the approved session key')),
  nonce: Type.Optional(unixMs('Nonce, within 60 s of service time and unique for the key')),
  signature: Type.Optional(text('65-byte signature of the envelope by the session key, hex')),
};

/** Body of `POST /v1/order`. Without a price it is a market order; 0 is a limit price (ORD-5). */
export const OrderRequestSchema = Type.Object({
  seriesId: SeriesIdText,
  side: SideText,
  qty: contracts('Positive quantity, fractions allowed, exact to a millionth'),
  price: Type.Optional(price('Limit price, exact to a millionth')),
  ...SignedFields,
});
export type OrderRequest = Static<typeof OrderRequestSchema>;

export const OrderFillSchema = Type.Object({ price: price('Price'), qty: contracts('Quantity') });
export type OrderFill = Static<typeof OrderFillSchema>;

/** An order that passed every check. */
export const OrderAcceptedSchema = Type.Object({
  status: Type.Union([
    Type.Literal('filled'),
    Type.Literal('partial'),
    Type.Literal('rested'),
    Type.Literal('cancelled'),
  ]),
  orderId: Type.Integer({ minimum: 1, description: 'Order id, unique for the life of the venue' }),
  fills: Type.Array(OrderFillSchema),
  restedQty: contracts('Size left on the book'),
  account: AccountSchema,
});
export type OrderAccepted = Static<typeof OrderAcceptedSchema>;

/** An order the engine declined: HTTP 400, nothing changed. */
export const OrderRejectedSchema = Type.Object({
  status: Type.Literal('rejected'),
  reason: Type.Unsafe<RejectReason>(text('Why the order was declined')),
  fills: Type.Array(OrderFillSchema, { maxItems: 0 }),
  orderId: Type.Literal(0),
  account: AccountSchema,
});
export type OrderRejected = Static<typeof OrderRejectedSchema>;

export const OrderAnswerSchema = Type.Union([OrderAcceptedSchema, OrderRejectedSchema]);
export type OrderAnswer = Static<typeof OrderAnswerSchema>;

/**
 * Body of `POST /v1/cancel`. With neither `symbol` nor `symbols` it cancels everything; with both it is malformed
 * (ORD-9).
 */
export const CancelRequestSchema = Type.Object({
  symbols: Type.Optional(Type.Array(SymbolText, { minItems: 1, maxItems: SYMBOLS_PER_CANCEL_MAX })),
  symbol: Type.Optional(SymbolText),
  ...SignedFields,
});
export type CancelRequest = Static<typeof CancelRequestSchema>;

export const CancelAnswerSchema = Type.Object({
  ok: Type.Boolean({ description: 'False when nothing matched, which is no error' }),
  pulled: count('Number of orders cancelled'),
  account: AccountSchema,
});
export type CancelAnswer = Static<typeof CancelAnswerSchema>;

/** Body of `POST /v1/order/cancel` (ORD-12). */
export const CancelOrderRequestSchema = Type.Object({ orderId: Type.Integer(), ...SignedFields });
export type CancelOrderRequest = Static<typeof CancelOrderRequestSchema>;

export const CancelOrderAnswerSchema = Type.Object({
  ok: Type.Boolean({ description: 'False when the caller has no such order in the book' }),
  orderId: Type.Integer(),
  account: AccountSchema,
});
export type CancelOrderAnswer = Static<typeof CancelOrderAnswerSchema>;

/** Body of `POST /v1/margin` (ACC-3). */
export const MarginRequestSchema = Type.Object({ enabled: Type.Boolean(), ...SignedFields });
export type MarginRequest = Static<typeof MarginRequestSchema>;

export const MarginAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  marginEnabled: Type.Boolean(),
  account: AccountSchema,
});
export type MarginAnswer = Static<typeof MarginAnswerSchema>;

/** Body of every refusal except a declined order. */
export const ErrorBodySchema = Type.Object({
  error: text('What was wrong, for a person to read'),
  lastNonce: Type.Optional(Type.Integer({ description: 'Of a stale push: what its nonce had to be above' })),
});
export type ErrorBody = Static<typeof ErrorBodySchema>;
