/** The channels that somebody listens to, or did until lately (STR-1). */

import type { Account, Effects, Instrument, State } from '@venue/engine';
import {
  type PrivateChannelKind,
  type PublicChannelKind,
  STREAM_CHANNELS,
  streamChannelOf,
} from '@venue/protocol/wire';
import type { Tape } from '../../views/tape.ts';
import type { Tickers } from '../../views/tickers.ts';
import { AccountContent } from './account.ts';
import { BookContent } from './book.ts';
import { ChainContent } from './chain.ts';
import { Channel } from './channel.ts';
import type { Content } from './content.ts';
import { type EndReason, endOfExpiry, endOfSeries, endOfUnderlying } from './ends.ts';
import { FillsContent } from './fills.ts';
import { ListingContent } from './listing.ts';
import { OrdersContent } from './orders.ts';
import { SettlementsContent } from './settlements.ts';
import { SpotsContent } from './spots.ts';
import { TickerContent } from './ticker.ts';
import { TradesContent } from './trades.ts';

export interface CatalogOptions {
  readonly state: State;
  readonly tape: Tape;
  readonly tickers: Tickers;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
}

/** A channel whose content is told what happens. */
interface Told<C extends Content> {
  readonly channel: Channel;
  readonly content: C;
}

interface AccountChannels extends Readonly<Record<PrivateChannelKind, Told<Content>>> {
  readonly account: Told<AccountContent>;
  readonly orders: Told<OrdersContent>;
  readonly fills: Told<FillsContent>;
}

/** The channel with a name, by what follows the colon in it, or why it has ended; null if there is none such. */
type Opener = (of: string, name: string) => Channel | EndReason | null;

export type ChannelEffects = Pick<
  Effects,
  | 'filled'
  | 'accountChanged'
  | 'ordersChanged'
  | 'orderOpened'
  | 'comboOpened'
  | 'orderAmended'
  | 'orderClosed'
  | 'printed'
>;

/** Returns true for a channel of one account, which takes a token. */
export function isPrivateName(name: string): name is keyof AccountChannels {
  const found = streamChannelOf(name);
  return found !== null && STREAM_CHANNELS[found.kind].isPrivate;
}

export class Catalog {
  readonly #options: CatalogOptions;
  readonly #public = new Map<string, Channel>();
  /** By symbol. */
  readonly #trades = new Map<string, Told<TradesContent>>();
  readonly #accounts = new Map<Account, AccountChannels>();

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** The public channel with a name, or why it has ended; null if there is none such. */
  open(name: string): Channel | EndReason | null {
    const known = this.#public.get(name);
    if (known !== undefined) return known;
    const opened = this.#opened(name);
    if (opened instanceof Channel) this.#public.set(name, opened);
    return opened;
  }

  /** Public channels that are kept. */
  get publicCount(): number {
    return this.#public.size;
  }

  /** The channel of an account. */
  openPrivate(name: keyof AccountChannels, account: Account): Channel {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known[name].channel;
    const opened = this.#accountChannels(account);
    this.#accounts.set(account, opened);
    return opened[name].channel;
  }

  /** The first message to one who has the fills of an account up to an id. */
  fillsAfter(account: Account, after: number): () => string {
    const content = new FillsContent(account);
    return () => content.snapshotAfter(after);
  }

  /** Sends what changed up to the last entry. Channels that have ended are forgotten, listened to or not. */
  tick(): void {
    const { seq } = this.#options.state;
    for (const channel of this.#public.values()) {
      if (channel.isHeard) channel.tick(seq);
      const reason = channel.ended;
      if (reason === null) continue;
      channel.end(seq, reason);
      this.#forget(channel.name);
    }
    for (const { account, orders, fills } of this.#accounts.values())
      for (const { channel } of [account, orders, fills]) if (channel.isHeard) channel.tick(seq);
  }

  /** Forgets channels to which nobody has listened since a moment. */
  forgetUnheard(sinceMs: number): void {
    for (const [name, channel] of this.#public) if (channel.isUnheardSince(sinceMs)) this.#forget(name);
    for (const [key, { account, orders, fills }] of this.#accounts) {
      if ([account, orders, fills].every(({ channel }) => channel.isUnheardSince(sinceMs)))
        this.#accounts.delete(key);
    }
  }

  /** Effects to subscribe to the engine. */
  get effects(): ChannelEffects {
    const { state } = this.#options;
    const tell = <C extends Content>(told: Told<C> | undefined, say: (content: C) => void) => {
      if (told?.channel.isHeard) say(told.content);
      else told?.channel.changedAt(state.seq);
    };
    return {
      filled: (account, fill) => {
        const channels = this.#accounts.get(account);
        tell(channels?.fills, (content) => content.add(fill));
        tell(channels?.orders, (content) => content.touched(fill.orderId));
      },
      accountChanged: (account) => this.#accounts.get(account)?.account.content.touch(),
      ordersChanged: (account) => this.#accounts.get(account)?.account.content.touch(),
      orderOpened: (order) =>
        tell(this.#accounts.get(order.account)?.orders, (content) => content.opened(order)),
      comboOpened: (combo) =>
        tell(this.#accounts.get(combo.account)?.orders, (content) => content.opened(combo)),
      orderAmended: ({ account, id }) =>
        tell(this.#accounts.get(account)?.orders, (content) => content.touched(id)),
      orderClosed: (account, id, cause) =>
        tell(this.#accounts.get(account)?.orders, (content) => content.closed(id, cause)),
      printed: (print) =>
        tell(this.#trades.get(print.series.instrument.symbol), (content) => content.add(print)),
    };
  }

  #forget(name: string): void {
    this.#public.delete(name);
    const found = streamChannelOf(name);
    if (found?.kind === 'trades') this.#trades.delete(found.of);
  }

  #opened(name: string): Channel | EndReason | null {
    const found = streamChannelOf(name);
    if (found === null || !isPublicKind(found.kind)) return null;
    return this.#openers[found.kind](found.of, name);
  }

  /** Opens each kind of public channel. */
  readonly #openers: Readonly<Record<PublicChannelKind, Opener>> = {
    book: (seriesId, name) => {
      const series = this.#options.state.seriesById.get(seriesId);
      if (series === undefined) return null;
      return endOfSeries(series) ?? this.#channel(name, new BookContent(series));
    },
    chain: (of, name) => this.#chain(of, name),
    ticker: this.#ofUnderlying((instrument, name) => {
      const { state, tickers, elapsedMs } = this.#options;
      return this.#channel(name, new TickerContent({ state, instrument, tickers, elapsedMs }));
    }),
    trades: this.#ofUnderlying((instrument, name) => this.#tradesOf(name, instrument)),
    listing: this.#ofUnderlying((instrument, name) =>
      this.#channel(name, new ListingContent(this.#options.state, instrument)),
    ),
    spots: (_, name) => this.#channel(name, new SpotsContent(this.#options.state)),
    settlements: (_, name) => this.#channel(name, new SettlementsContent(this.#options.state)),
  };

  #ofUnderlying(opened: (instrument: Instrument, name: string) => Channel): Opener {
    return (symbol, name) => {
      const instrument = this.#options.state.instruments.get(symbol);
      if (instrument === undefined) return null;
      return endOfUnderlying(instrument) ?? opened(instrument, name);
    };
  }

  #chain(of: string, name: string): Channel | EndReason | null {
    const { state } = this.#options;
    const at = of.lastIndexOf(':');
    const instrument = state.instruments.get(of.slice(0, at));
    const text = of.slice(at + 1);
    const expiryTs = Number(text);
    // One expiry, one name.
    if (instrument === undefined || String(expiryTs) !== text) return null;
    const ended = endOfExpiry(instrument, expiryTs);
    if (ended !== null) return ended;
    if (!instrument.series.some((series) => series.expiryTs === expiryTs)) return null;
    return this.#channel(name, new ChainContent(state, instrument, expiryTs));
  }

  #tradesOf(name: string, instrument: Instrument): Channel {
    const content = new TradesContent(this.#options.tape, instrument);
    const channel = this.#channel(name, content);
    this.#trades.set(instrument.symbol, { channel, content });
    return channel;
  }

  #accountChannels(account: Account): AccountChannels {
    const { state, elapsedMs } = this.#options;
    const told = <C extends Content>(name: keyof AccountChannels, content: C): Told<C> => ({
      channel: this.#channel(name, content),
      content,
    });
    return {
      account: told('account', new AccountContent({ state, account, elapsedMs })),
      orders: told('orders', new OrdersContent(state, account)),
      fills: told('fills', new FillsContent(account)),
    };
  }

  #channel(name: string, content: Content): Channel {
    return new Channel({ name, content, isPrivate: isPrivateName(name), seq: this.#options.state.seq });
  }
}

function isPublicKind(kind: keyof typeof STREAM_CHANNELS): kind is PublicChannelKind {
  return !STREAM_CHANNELS[kind].isPrivate;
}
