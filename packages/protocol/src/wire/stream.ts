/** Frames of the WebSocket stream (WS-1). */

import { type Static, Type } from 'typebox';
import { AccountSchema } from './account.ts';
import { InstrumentSchema, TapePrintSchema } from './market.ts';
import { AddressText, contracts, price, SeriesIdText, SideText, SymbolText, unixMs } from './primitives.ts';

export const AccountFrameSchema = Type.Object({ type: Type.Literal('account'), account: AccountSchema });
export type AccountFrame = Static<typeof AccountFrameSchema>;

export const SpotsFrameSchema = Type.Object({
  type: Type.Literal('spots'),
  spots: Type.Array(InstrumentSchema, { description: 'Every symbol, when any moved' }),
});
export type SpotsFrame = Static<typeof SpotsFrameSchema>;

export const TapeFrameSchema = Type.Object({
  type: Type.Literal('tape'),
  symbol: SymbolText,
  print: TapePrintSchema,
});
export type TapeFrame = Static<typeof TapeFrameSchema>;

export const StreamFillSchema = Type.Object({
  seriesId: SeriesIdText,
  side: SideText,
  price: price('Price'),
  qty: contracts('Quantity'),
  ts: unixMs('Time of the fill'),
  taker: Type.Boolean({ description: 'Whether the account was the aggressor' }),
  signer: Type.Optional(AddressText),
});
export type StreamFill = Static<typeof StreamFillSchema>;

export const FillFrameSchema = Type.Object({ type: Type.Literal('fill'), fill: StreamFillSchema });
export type FillFrame = Static<typeof FillFrameSchema>;

export const StreamOrderSchema = Type.Object({
  id: Type.Integer({ description: 'Order id' }),
  seriesId: SeriesIdText,
  side: SideText,
  price: price('Limit price'),
  remaining: contracts('Size still working'),
});
export type StreamOrder = Static<typeof StreamOrderSchema>;

export const OrdersFrameSchema = Type.Object({
  type: Type.Literal('orders'),
  orders: Type.Array(StreamOrderSchema, { description: 'Everything that rests, ascending by id' }),
});
export type OrdersFrame = Static<typeof OrdersFrameSchema>;

export const StreamFrameSchema = Type.Union([
  AccountFrameSchema,
  SpotsFrameSchema,
  TapeFrameSchema,
  FillFrameSchema,
  OrdersFrameSchema,
]);
export type StreamFrame = Static<typeof StreamFrameSchema>;
