/**
 * Requests and channels of `GET /v1/stream` (STR-1 to STR-5). The service answers by these two tables,
 * and its AsyncAPI document is made of them.
 */

import { type TObject, Type } from 'typebox';
import { BatchAnswerSchema, BatchRequestSchema } from './batch.ts';
import {
  AccountMembersSchema,
  BookMembersSchema,
  ChainMembersSchema,
  FillsMembersSchema,
  ListingMembersSchema,
  OrdersMembersSchema,
  SettlementsMembersSchema,
  SpotsMembersSchema,
  StreamAuthSchema,
  StreamBatchSchema,
  StreamPingSchema,
  StreamSubscribeSchema,
  StreamUnsubscribeSchema,
  SubscribedSchema,
  TickerMembersSchema,
  TradesMembersSchema,
} from './channels.ts';
import { AddressText, unixMs } from './primitives.ts';

export interface StreamRequestKind {
  readonly summary: string;
  /** Checked before the request is carried out. */
  readonly request: TObject;
  /** The members that a route checks afterwards. */
  readonly more?: TObject;
  /** The `body` of an answer with status 200. */
  readonly answer: TObject;
}

/** The requests, by `op`. */
export const STREAM_REQUESTS = {
  auth: {
    summary: 'Signs the connection in, until the token expires',
    request: StreamAuthSchema,
    answer: Type.Object({ address: AddressText, expiresAt: unixMs('When the token expires') }),
  },
  subscribe: {
    summary: 'Listens to channels, each from a snapshot or from what the client knows',
    request: StreamSubscribeSchema,
    answer: SubscribedSchema,
  },
  unsubscribe: {
    summary: 'Listens to channels no longer',
    request: StreamUnsubscribeSchema,
    answer: SubscribedSchema,
  },
  ping: {
    summary: 'Asks for the time; earlier messages come before the answer',
    request: StreamPingSchema,
    answer: Type.Object({ time: unixMs('Time of the service') }),
  },
  batch: {
    summary: 'Carries out a batch as `POST /v1/batch` does',
    request: StreamBatchSchema,
    more: BatchRequestSchema,
    answer: BatchAnswerSchema,
  },
} as const satisfies Readonly<Record<string, StreamRequestKind>>;

export interface StreamChannelKind {
  readonly summary: string;
  /** The name of a channel behind its kind and a colon, each part in braces; null where the kind is the name. */
  readonly of: string | null;
  /** True for a channel of one account, which takes a token. */
  readonly isPrivate: boolean;
  /** Members of its messages beside `channel`, `type`, `seq` and `prevSeq`. */
  readonly members: TObject;
}

/** The channels, by the part of the name before the colon. */
export const STREAM_CHANNELS = {
  book: {
    summary: 'The book of one series, to full depth',
    of: '{seriesId}',
    isPrivate: false,
    members: BookMembersSchema,
  },
  chain: {
    summary: 'The calls and puts of one expiry',
    of: '{symbol}:{expiryTs}',
    isPrivate: false,
    members: ChainMembersSchema,
  },
  ticker: {
    summary: 'Prices, volume, volatility and greeks of every live series',
    of: '{symbol}',
    isPrivate: false,
    members: TickerMembersSchema,
  },
  trades: {
    summary: 'The trades of one underlying, oldest first',
    of: '{symbol}',
    isPrivate: false,
    members: TradesMembersSchema,
  },
  listing: {
    summary: 'The expiries of one underlying that can be traded',
    of: '{symbol}',
    isPrivate: false,
    members: ListingMembersSchema,
  },
  spots: {
    summary: 'Price and freshness of each underlying',
    of: null,
    isPrivate: false,
    members: SpotsMembersSchema,
  },
  settlements: {
    summary: 'Settlements, and expiries that wait for one by hand',
    of: null,
    isPrivate: false,
    members: SettlementsMembersSchema,
  },
  account: {
    summary: 'Cash, margin and positions of the account',
    of: null,
    isPrivate: true,
    members: AccountMembersSchema,
  },
  orders: {
    summary: 'Open orders, then each that changed',
    of: null,
    isPrivate: true,
    members: OrdersMembersSchema,
  },
  fills: {
    summary: 'Fills of the account, oldest first',
    of: null,
    isPrivate: true,
    members: FillsMembersSchema,
  },
} as const satisfies Readonly<Record<string, StreamChannelKind>>;

type Kinds = typeof STREAM_CHANNELS;
type NameWhere<IsPrivate extends boolean> = {
  [K in keyof Kinds]: Kinds[K]['isPrivate'] extends IsPrivate ? K : never;
}[keyof Kinds];
export type PublicChannelKind = NameWhere<false>;
export type PrivateChannelKind = NameWhere<true>;

/** The kind of a channel by its name, and what follows the colon; null for a name that no kind has. */
export function streamChannelOf(name: string): { readonly kind: keyof Kinds; readonly of: string } | null {
  const at = name.indexOf(':');
  const kind = at === -1 ? name : name.slice(0, at);
  if (!isKind(kind) || (at === -1) !== (STREAM_CHANNELS[kind].of === null)) return null;
  return { kind, of: at === -1 ? '' : name.slice(at + 1) };
}

function isKind(text: string): text is keyof Kinds {
  return Object.hasOwn(STREAM_CHANNELS, text);
}
