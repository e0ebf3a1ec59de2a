/** Follows the channels of the account: what it holds, its orders, and its fills. */

import type { Account, FillRecord } from '@venue/protocol';
import { type ChannelMessage, type Channels, type MembersOf, UnauthorizedError } from '@venue/sdk/browser';
import type { AsOf } from '../market/as-of.ts';
import type { AnsweredAccount } from './batches.ts';
import { LiveAccount } from './live-account.ts';
import type { SessionStores } from './state.ts';
import { holdingsOf, NO_PAST, NOTHING } from './state.ts';

export interface OwnFeedOptions {
  readonly channels: Pick<Channels, 'listen' | 'fills'>;
  readonly stores: SessionStores;
  readonly asOf: Pick<AsOf, 'accountMs'>;
  readonly now: () => number;
  /** Called with the newest fills, newest first, whenever there are new ones. */
  readonly onFills: (address: string, fills: readonly FillRecord[]) => void;
  /** Called when the venue refuses the session. */
  readonly onRefused: (error: UnauthorizedError) => void;
}

/** Older fills are read on request. */
const FILLS_KEPT = 500;

export class OwnFeed {
  readonly #options: OwnFeedOptions;
  #ends: (() => void)[] = [];
  readonly #isRight = { account: false, orders: false };
  /** The entries after which the page was last told of the account, by its channels and by answers to writes. */
  #streamedSeq = 0;
  #answeredSeq = 0;
  #live = new LiveAccount();
  #showing: ReturnType<typeof setTimeout> | undefined;
  /** New fills that wait for the others which came with them. */
  #news: FillRecord[] = [];

  constructor(options: OwnFeedOptions) {
    this.#options = options;
  }

  /** True while the account and its orders have everything that the venue has sent. */
  get isRight(): boolean {
    return this.#isRight.account && this.#isRight.orders;
  }

  /** Begins with the account that has signed in. */
  start(): void {
    this.stop();
    const live = new LiveAccount();
    this.#live = live;
    this.#listen('account', (message) => live.takeAccount(message));
    this.#listen('orders', (message) => live.takeOrders(message));
  }

  /** Goes on from the newest fills, newest first, as they were read. Resolves or rejects when it has ended. */
  async followFills(read: readonly FillRecord[]): Promise<void> {
    const fills = this.#options.channels.fills({ after: read[0]?.id ?? 0 });
    const ends = this.#ends;
    ends.push(() => void fills.return?.());
    this.#showFills(read);
    for await (const fill of fills) {
      if (ends !== this.#ends) return;
      if (this.#news.length === 0) setTimeout(() => this.#takeNews());
      this.#news.unshift(fill);
    }
  }

  /**
   * Takes the account from the answer to a write, unless its channels have brought a later one. They may still bring
   * messages from before it, which are not shown.
   */
  takeAnswered({ account, seq = 0 }: AnsweredAccount): void {
    const { isRight } = this;
    // An answer has only the newest orders.
    const isWhole = account.openOrders.length === account.openOrderCount;
    if (isRight && (seq <= this.#streamedSeq || !isWhole)) return;
    this.#answeredSeq = isRight ? seq : 0;
    this.#show(account);
  }

  /** Removes the account from the page. */
  stop(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
    this.#news = [];
    clearTimeout(this.#showing);
    this.#showing = undefined;
    this.#streamedSeq = this.#answeredSeq = 0;
    this.#isRight.account = this.#isRight.orders = false;
    this.#remember();
    this.#options.stores.holdings.setState(NOTHING);
  }

  /** Keeps what a session showed that has ended by itself; a person who signs out leaves nothing. */
  #remember(): void {
    const { stores, asOf, now } = this.#options;
    const { state } = stores.session.getState();
    const shown = stores.holdings.getState();
    if (state !== 'expired' && state !== 'revoked') stores.past.setState(NO_PAST);
    else if (shown.account !== null)
      stores.past.setState({ ...shown, atMs: Date.now() - (now() - asOf.accountMs) });
  }

  #listen<Name extends 'account' | 'orders'>(
    name: Name,
    take: (message: ChannelMessage & MembersOf<Name>) => void,
  ): void {
    const { channels, onRefused } = this.#options;
    const end = channels.listen(name, {
      onMessage: (message) => {
        take(message);
        this.#streamedSeq = Math.max(this.#streamedSeq, message.seq);
        // Messages that come together are shown together.
        this.#showing ??= setTimeout(() => this.#showStreamed());
      },
      onRight: (isRight) => {
        this.#isRight[name] = isRight;
      },
      onRefused: (reason) => {
        if (reason instanceof UnauthorizedError) onRefused(reason);
      },
    });
    this.#ends.push(end);
  }

  #showStreamed(): void {
    this.#showing = undefined;
    const { account, isWhole } = this.#live;
    // The message that is missing will show it.
    if (account !== null && isWhole && this.#streamedSeq >= this.#answeredSeq) this.#show(account);
  }

  #show(account: Account): void {
    const { holdings } = this.#options.stores;
    holdings.setState(holdingsOf(account, holdings.getState()));
  }

  #takeNews(): void {
    const news = this.#news;
    this.#news = [];
    const { fills } = this.#options.stores.holdings.getState();
    if (news.length > 0) this.#showFills([...news, ...fills].slice(0, FILLS_KEPT));
  }

  #showFills(fills: readonly FillRecord[]): void {
    const { stores, onFills } = this.#options;
    const { address } = stores.session.getState();
    stores.holdings.setState({ fills, areFillsRead: true });
    if (address !== null) onFills(address, fills);
  }
}
