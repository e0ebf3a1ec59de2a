/** The channels of a venue, for programs: local books, iterators, and batches over the same connection. */

import type {
  AccountMembers,
  BookMembers,
  ChainMembers,
  FillRecord,
  FillsMembers,
  ListingMembers,
  OrdersMembers,
  SettlementsMembers,
  SpotsMembers,
  TickerMembers,
  Trade,
  TradesMembers,
} from '@venue/protocol';
import type { Market } from '../market/market.ts';
import { ChannelEndedError, isRefusedAs, VenueTimeoutError, VenueUnreachableError } from '../net/errors.ts';
import type { Handlers } from '../net/handlers.ts';
import type { AccountReads } from '../trade/account.ts';
import type { Action } from '../trade/actions.ts';
import { type BatchAnswer, Batches, type BatchOptions, type PostBatch } from '../trade/batches.ts';
import { ChannelConnection, type ChannelsOptions, type ConnectionParts } from './channel-connection.ts';
import type { ChannelMessage } from './channel-link.ts';
import { FillsTopic, Topic } from './channel-topic.ts';
import { LocalAccount, OWN } from './local-account.ts';
import { LocalBook } from './local-book.ts';
import type { CopyParts, LocalCopy } from './local-copy.ts';
import { Queue } from './queue.ts';
import { TradesInOrder } from './trades-in-order.ts';

/** A channel's own members by its name. */
export type MembersOf<Name extends string> = Name extends `book:${string}`
  ? BookMembers
  : Name extends `chain:${string}`
    ? ChainMembers
    : Name extends `trades:${string}`
      ? TradesMembers
      : Name extends `ticker:${string}`
        ? TickerMembers
        : Name extends `listing:${string}`
          ? ListingMembers
          : Name extends 'spots'
            ? SpotsMembers
            : Name extends 'settlements'
              ? SettlementsMembers
              : Name extends 'account'
                ? AccountMembers
                : Name extends 'orders'
                  ? OrdersMembers
                  : Name extends 'fills'
                    ? FillsMembers
                    : object;

/** Handlers of a channel's messages. An error thrown by one of them goes to `onHandlerError`. */
export interface ChannelHandlers<Members> {
  onMessage(message: ChannelMessage & Members): void;
  /** Told of true when everything up to now has been delivered, of false when that is no longer sure. */
  onRight?(isRight: boolean): void;
  /** The venue refuses the channel, or has ended it (`ChannelEndedError`); it is not asked for again. */
  onRefused?(reason: Error): void;
}

export interface TradesOptions {
  /** Id of the last trade that another process handled; without it, the newest 50 come first. */
  readonly after?: number;
  /** Called where trades between two connections may be missing, because the venue's history could not be read. */
  readonly onGap?: (reason: Error) => void;
}

export interface FillsOptions {
  /** Id of the last fill that another process handled; without it, from now on. */
  readonly after?: number;
}

export class Channels {
  readonly #connection: ChannelConnection;
  readonly #account: AccountReads;
  readonly #market: Market;
  readonly #handlers: Handlers;
  readonly #batches: Batches;
  readonly #ends = new Set<() => void>();

  /** Opened by `openChannels`. */
  constructor(
    parts: ConnectionParts & { readonly account: AccountReads; readonly market: Market },
    options: ChannelsOptions,
  ) {
    const { auth, account, market } = parts;
    this.#connection = new ChannelConnection(parts, options);
    this.#account = account;
    this.#market = market;
    this.#handlers = parts.transport.handlers;
    this.#batches = new Batches({ ...parts, renew: () => auth.renew(), post: postOver(this.#connection) });
    void this.#connection.run().finally(() => this.#endAll());
  }

  /** True while it is connected and everything is subscribed to. */
  get isLive(): boolean {
    return this.#connection.isLive;
  }

  /**
   * When the venue was last known to be in touch, by the clock of `performance.now`; null while it is not connected. A
   * connection without news is asked every `pingMs`.
   */
  get heardMs(): number | null {
    return this.#connection.heardMs;
  }

  /** Connects at once, where it waits for its next attempt. */
  retryNow(): void {
    this.#connection.retryNow();
  }

  /** Ends it, every iterator and every book permanently. */
  close(): void {
    this.#connection.close();
    this.#endAll();
  }

  /**
   * A copy of the book of a series to its full depth, kept until it is closed: right as of `seq`, at most a tick behind
   * the venue, or `isRight` is false.
   *
   * @example
   * const book = await channels.book(seriesId).right();
   * console.log(book.seq, book.bids[0], book.asks[0]);
   */
  book(seriesId: string): LocalBook {
    return this.#copy(
      (parts) => new LocalBook(seriesId, parts),
      (book) => [
        new Topic(`book:${seriesId}`, {
          onMessage: (message) => book.take(message),
          onRight: (isRight) => book.turn(isRight),
          onRefused: (reason) => book.refuse(reason),
        }),
      ],
    );
  }

  /**
   * A copy of the account with all its open orders, kept by the messages of two channels until it is closed.
   *
   * @example
   * const own = await channels.account().right();
   * console.log(own.account.equity, own.account.openOrders.length);
   */
  account(): LocalAccount {
    return this.#copy(
      (parts) => new LocalAccount(parts),
      (own) =>
        OWN.map(
          (name) =>
            new Topic(name, {
              onMessage: (message) => own.take(message),
              onRight: (isRight) => own.turnOne(name, isRight),
              onRefused: (reason) => own.refuse(reason),
            }),
        ),
    );
  }

  /**
   * Calls handlers with the messages of a channel, as `messages` gives them, and with whether they are all of them.
   * Returns what ends that.
   *
   * @example
   * const stop = channels.listen('spots', { onMessage: ({ spots }) => console.log(spots.length) });
   * stop();
   */
  listen<Name extends string>(name: Name, handlers: ChannelHandlers<MembersOf<Name>>): () => void {
    const topic = new Topic(name, {
      onMessage: (message) =>
        this.#handlers.call(() => handlers.onMessage(message as ChannelMessage & MembersOf<Name>)),
      onRight: (isRight) => this.#handlers.call(() => handlers.onRight?.(isRight)),
      onRefused: (reason) => this.#handlers.call(() => handlers.onRefused?.(reason)),
    });
    this.#connection.add(topic);
    return () => this.#connection.remove(topic);
  }

  /**
   * The messages of a channel as they come: a snapshot, then deltas (STR-2). After a lost connection it goes on with a
   * delta, or with a snapshot of all. A name that the venue refuses ends it with the refusal; a channel that has ended
   * just ends it (STR-5).
   *
   * @example
   * for await (const { type, seq, spots } of channels.messages('spots')) {
   *   console.log(type, seq, spots.length);
   *   break;
   * }
   */
  messages<Name extends string>(name: Name): AsyncIterableIterator<ChannelMessage & MembersOf<Name>> {
    const queue = this.#queue<ChannelMessage & MembersOf<Name>>(() => this.#connection.remove(topic));
    const topic = new Topic(name, {
      onMessage: (message) => queue.push(message as ChannelMessage & MembersOf<Name>),
      onRefused: (reason) => queue.end(faultOf(reason)),
    });
    this.#connection.add(topic);
    return queue;
  }

  /**
   * The public trades of an underlying, each once, oldest first: the newest 50, or those since `after`, then every one.
   * What was missed between two connections comes from the venue's history by id.
   *
   * @example
   * for await (const { id, seriesId, price } of channels.trades('BTC')) console.log(id, seriesId, price);
   */
  trades(symbol: string, { after, onGap }: TradesOptions = {}): AsyncIterableIterator<Trade> {
    const queue = this.#queue<Trade>(() => this.#connection.remove(topic));
    const inOrder = new TradesInOrder(after ?? null, {
      pass: (trade) => queue.push(trade),
      missed: (last, before) => this.#missedTrades(symbol, last, before),
      onGap: (reason) => onGap && this.#handlers.call(onGap, reason),
    });
    const topic = new Topic(`trades:${symbol.toUpperCase()}`, {
      onMessage: (message) => {
        const { trades } = message as ChannelMessage & TradesMembers;
        inOrder.take(trades, message.type === 'snapshot');
      },
      onRefused: (reason) => queue.end(faultOf(reason)),
    });
    this.#connection.add(topic);
    return queue;
  }

  /**
   * The fills of the account, each once, oldest first. What was missed between two connections, or since `after`, comes
   * from the venue by id, however long ago.
   *
   * @example
   * for await (const fill of channels.fills({ after: lastFillId })) console.log(fill.id, fill.side, fill.qty);
   */
  fills({ after }: FillsOptions = {}): AsyncIterableIterator<FillRecord> {
    const queue = this.#queue<FillRecord>(() => this.#connection.remove(topic));
    const pass = (fills: readonly FillRecord[]) => {
      for (const fill of fills) {
        if (fill.id <= (topic.mark ?? 0)) continue;
        topic.moveTo(fill.id);
        queue.push(fill);
      }
    };
    const topic: FillsTopic = new FillsTopic(after ?? null, {
      onMessage: (message) => {
        const members = message as ChannelMessage & FillsMembers;
        if (topic.mark === null) topic.moveTo(members.after!);
        pass(members.fills);
      },
      onRefused: (reason) => {
        if (!isRefusedAs(reason, 'fills-not-kept')) return queue.end(reason);
        this.#missed(topic.mark!)
          .then((missed) => {
            pass(missed);
            this.#connection.add(topic);
          })
          .catch((error) => queue.end(error));
      },
    });
    this.#connection.add(topic);
    return queue;
  }

  /**
   * The same as `orders.batch` of the client, over this connection while it is live, which costs venue and client less.
   * A connection that is lost before the answer leaves the outcome unknown: the batch is then sent again as ever, over
   * HTTP if need be, and never counts twice.
   *
   * @example
   * const { results } = await channels.batch([{ type: 'cancel-all', symbols: ['BTC'] }], { account: false });
   * console.log(results[0].pulled);
   */
  batch<const T extends readonly Action[]>(actions: T, options: BatchOptions = {}): Promise<BatchAnswer<T>> {
    return this.#batches.send(actions, options);
  }

  /** Fills above an id that the venue's nodes no longer keep, oldest first. */
  async #missed(after: number): Promise<FillRecord[]> {
    const missed: FillRecord[] = [];
    for await (const fill of this.#account.allFills()) {
      if (fill.id <= after) break;
      missed.push(fill);
    }
    return missed.reverse();
  }

  /** Trades between two ids, or above one, oldest first. */
  async #missedTrades(symbol: string, after: number, before: number | null): Promise<Trade[]> {
    const missed: Trade[] = [];
    for await (const trade of this.#market.allTrades({ symbol, ...(before !== null && { before }) })) {
      if (trade.id <= after) break;
      missed.push(trade);
    }
    return missed.reverse();
  }

  #copy<Copy extends LocalCopy>(
    make: (parts: CopyParts) => Copy,
    topicsOf: (copy: Copy) => readonly Topic[],
  ): Copy {
    const end = () => copy.close();
    const onClose = () => {
      this.#ends.delete(end);
      for (const topic of topics) this.#connection.remove(topic);
    };
    const copy = make({ onClose, handlers: this.#handlers });
    const topics = topicsOf(copy);
    for (const topic of topics) this.#connection.add(topic);
    this.#ends.add(end);
    if (this.#connection.isClosed) copy.close();
    return copy;
  }

  #queue<T>(onReturn: () => void): Queue<T> {
    const end = () => queue.end();
    const queue = new Queue<T>(() => {
      this.#ends.delete(end);
      onReturn();
    });
    this.#ends.add(end);
    if (this.#connection.isClosed) queue.end();
    return queue;
  }

  #endAll(): void {
    for (const end of this.#ends) end();
    this.#ends.clear();
  }
}

/** An iterator of a channel that has ended is through; any other refusal is its fault. */
function faultOf(reason: Error): Error | null {
  return reason instanceof ChannelEndedError ? null : reason;
}

/** Posts batches over a connection, while it is live. */
function postOver(connection: ChannelConnection): PostBatch {
  let lateMs = -Infinity;
  return async (transport, { body, prefer }) => {
    // A follower takes no batches.
    if (!connection.isLive || transport.readUrl !== transport.url) return null;
    // Nothing has come since an answer was late: the connection may be dead, which it takes longer to notice.
    if ((connection.heardMs ?? 0) <= lateMs) return null;
    const members = `${prefer === undefined ? '' : `"prefer":${JSON.stringify(prefer)},`}${body.slice(1, -1)}`;
    try {
      const {
        status,
        code = null,
        seq,
        body: answer,
      } = await connection.batch(members, transport.timeoutMs, transport.signal);
      const bytes = new TextEncoder().encode(JSON.stringify(answer));
      return { status, code, seq, retryAfter: null, bytes };
    } catch (error) {
      if (error instanceof VenueTimeoutError) lateMs = performance.now();
      // It ended before anything was sent, so the other way is as good as ever.
      if (error instanceof VenueUnreachableError && error.neverSent && !transport.signal?.aborted)
        return null;
      throw error;
    }
  };
}
