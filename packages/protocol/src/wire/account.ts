/** An account and its positions, resting orders and fills. */

import { type Static, Type } from 'typebox';
import {
  AddressText,
  contracts,
  count,
  nullable,
  price,
  SeriesIdText,
  SideText,
  SymbolText,
  unixMs,
  unixSeconds,
  usd,
} from './primitives.ts';

export const PositionSchema = Type.Object({
  seriesId: SeriesIdText,
  symbol: SymbolText,
  optType: Type.Union([Type.Literal('call'), Type.Literal('put')]),
  strike: price('Strike'),
  expiryTs: unixSeconds('Expiry'),
  qty: contracts('Signed quantity, negative when short'),
  avgPrice: price('Average premium'),
  mark: price('Current mark'),
  realized: usd('Realised profit and loss of the series, fees excluded'),
  unrealized: usd('Profit and loss of the position at the mark'),
});
export type Position = Static<typeof PositionSchema>;

/** A resting order as the account shows it (ORD-11). */
export const OpenOrderSchema = Type.Object({
  id: Type.Integer({ description: 'Order id, unique for the life of the venue' }),
  seriesId: SeriesIdText,
  symbol: SymbolText,
  side: SideText,
  price: price('Limit price'),
  qty: contracts('Original size'),
  remaining: contracts('Size still working'),
  ts: unixMs('Time of acceptance'),
});
export type OpenOrder = Static<typeof OpenOrderSchema>;

/** The account, as in every answer to a write, with the additions of ACC-1. */
export const AccountSchema = Type.Object({
  address: AddressText,
  cash: usd('Settled cash; premium and fees have already moved'),
  equity: usd('Cash plus positions at their marks'),
  buyingPower: usd('Cash less what is locked; may be negative'),
  locked: usd('Margin held against shorts plus reserves of resting orders'),
  realizedPnl: usd('Realised profit and loss to date, fees excluded'),
  unrealizedPnl: usd('Profit and loss of open positions at their marks'),
  maintenanceMargin: usd('Margin needed to keep the shorts'),
  marginCall: Type.Boolean({ description: 'Whether equity is under maintenance margin' }),
  marginEnabled: Type.Boolean({ description: 'Whether shorts may be opened' }),
  openOrderCount: count('Exact number of resting orders'),
  openOrders: Type.Array(OpenOrderSchema, {
    maxItems: 500,
    description: 'The newest 500 resting orders, ascending by id',
  }),
  positions: Type.Array(PositionSchema),
  guardAt: Type.Optional(
    nullable(
      unixMs(
        'When the guard takes all resting orders, null without one; in `GET /v1/me` and answers to batches',
      ),
    ),
  ),
  held: Type.Optional(
    usd('Deposits that wait for an operator to release them; while there are any, the account is frozen'),
  ),
});
export type Account = Static<typeof AccountSchema>;

/** One row of the fill history (ACC-4). */
export const FillRecordSchema = Type.Object({
  id: Type.Integer({ description: 'Fill id, ascending' }),
  orderId: Type.Integer({ description: 'Order that traded; 0 for a settlement' }),
  seriesId: SeriesIdText,
  symbol: SymbolText,
  side: SideText,
  price: price('Price of the fill; for a settlement the payout'),
  qty: contracts('Quantity'),
  fee: usd('Fee paid'),
  realized: usd('Profit and loss realised by this fill, fee excluded'),
  taker: Type.Boolean({ description: 'Whether the account was the aggressor' }),
  ts: unixMs('Time of the fill'),
  kind: Type.Union([Type.Literal('trade'), Type.Literal('settlement'), Type.Literal('liquidation')]),
  signer: Type.Optional(AddressText),
});
export type FillRecord = Static<typeof FillRecordSchema>;

/** Answer of `GET /v1/fills`. */
export const FillListSchema = Type.Object({
  fills: Type.Array(FillRecordSchema, { maxItems: 500, description: 'Newest first' }),
  before: Type.Optional(
    Type.Integer({ description: 'Given where there may be older ones: ask for them with it as `before`' }),
  ),
  completeFrom: Type.Optional(
    unixMs('Given where the history of the venue begins later than the account: older fills may be missing'),
  ),
});
export type FillList = Static<typeof FillListSchema>;
