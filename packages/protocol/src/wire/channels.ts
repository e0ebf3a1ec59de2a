/** Requests and messages of `GET /v1/stream` (STR-1 to STR-4). */

import { type Static, Type } from 'typebox';
import type { Account, FillRecord, Position } from './account.ts';
import type { ChainRow, Instrument, RefusedExpiry, Settlement, TapePrint } from './market.ts';

/** Names a request, for its answer. */
const RequestId = Type.Union([
  Type.String({ minLength: 1, maxLength: 64 }),
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
]);

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const ChannelName = Type.String({ minLength: 1, maxLength: 100 });
const STRICT = { additionalProperties: false };

const ChannelRequestSchema = Type.Union([
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

/** The answer to a request; `id` is null where the request named none that can be read. */
export interface StreamAnswer {
  readonly id: StreamRequestId | null;
  readonly status: number;
  /** The entry whose state it shows, as in the header `x-venue-seq`. */
  readonly seq: number;
  readonly body: unknown;
}

/** The start of every message of a channel. A delta follows the message that had its `prevSeq` as `seq`. */
export type ChannelHead<Name extends string = string> =
  | { readonly channel: Name; readonly type: 'snapshot'; readonly seq: number }
  | { readonly channel: Name; readonly type: 'delta'; readonly seq: number; readonly prevSeq: number };

/** Price and quantity; in a delta quantity 0 is a level that is gone. */
export type BookRow = readonly [price: number, qty: number];

/** Members of `book:<seriesId>`; a delta has only the sides that changed. */
export interface BookMembers {
  readonly bids?: readonly BookRow[];
  readonly asks?: readonly BookRow[];
}

/** Members of `chain:<SYMBOL>:<expiryTs>`; a delta has what changed. A row without call and put is gone. */
export interface ChainMembers {
  readonly symbol?: string;
  readonly expiryTs?: number;
  readonly spot?: number;
  readonly sessionOpen?: boolean;
  readonly rows?: readonly ChainRow[];
}

/** Members of `trades:<SYMBOL>`: in a snapshot the newest 50, in a delta those since; oldest first. */
export interface TradesMembers {
  readonly symbol?: string;
  readonly trades: readonly TapePrint[];
}

/** Members of `spots`. A row with `gone` is of a symbol that is no longer in force. */
export interface SpotsMembers {
  readonly spots: readonly (Instrument & { readonly gone?: true })[];
}

/** Members of `settlements`, oldest first. A settlement takes the place of the refusal of its expiry. */
export interface SettlementsMembers {
  readonly settlements?: readonly Settlement[];
  readonly refused?: readonly RefusedExpiry[];
}

/** Members of `account`: those of `GET /v1/me` without its orders. A position with `qty` 0 is gone. */
export type AccountMembers = Partial<Omit<Account, 'openOrders' | 'positions'>> & {
  readonly positions?: readonly (Position | { readonly seriesId: string; readonly qty: 0 })[];
};

/** An order of the channel `orders`; closed where it has a cause. */
export interface StreamedOrder {
  readonly id: number;
  readonly clientId?: string;
  readonly seriesId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly price: number | null;
  readonly qty: number;
  readonly remaining: number;
  readonly tif: 'gtc' | 'ioc' | 'fok' | 'gtd';
  readonly expiresAt?: number;
  readonly flag: 'post-only' | 'reduce-only' | null;
  readonly cause: string | null;
  readonly ts: number;
  readonly closedAt: number | null;
}

/** Of an order that an earlier message had, its close says no more than this. */
export type StreamedClose = Pick<StreamedOrder, 'id' | 'remaining' | 'cause' | 'closedAt'>;

/** Members of `orders`: in a snapshot what is open, in a delta what changed, each order as it is at `seq`. */
export interface OrdersMembers {
  readonly orders: readonly (StreamedOrder | StreamedClose)[];
}

/** Members of `fills`: in a snapshot all fills with an id above `after`; oldest first. */
export interface FillsMembers {
  readonly after?: number;
  readonly fills: readonly FillRecord[];
}
