/** Follows the channels of the account: what it holds, its orders, and its fills. */

import type { Account, FillRecord } from '@venue/protocol';
import { type ChannelMessage, type Channels, type MembersOf, UnauthorizedError } from '@venue/sdk/browser';
import { LiveAccount } from './account/live-account.ts';
import { holdingsOf, NOTHING, type Stores } from './stores.ts';

export interface OwnFeedOptions {
  readonly channels: Pick<Channels, 'listen' | 'fills'>;
  readonly stores: Pick<Stores, 'holdings' | 'session'>;
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
  /** New fills that wait for the others which came with them. */
  #news: FillRecord[] = [];

  constructor(options: OwnFeedOptions) {
    this.#options = options;
  }

  /** Whether the account and its orders are all that the venue has sent. */
  get isRight(): boolean {
    return this.#isRight.account && this.#isRight.orders;
  }

  /** Begins with the account that has signed in. */
  start(): void {
    this.stop();
    const live = new LiveAccount();
    const show = () => {
      const { account } = live;
      if (account !== null) this.#show(account);
    };
    this.#listen('account', (message) => live.takeAccount(message), show);
    this.#listen('orders', (message) => live.takeOrders(message), show);
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

  /** Takes the account from the answer to a write, unless its channels bring it anyway, in order. */
  takeAnswered(account: Account): void {
    if (!this.isRight) this.#show(account);
  }

  /** Removes the account from the page. */
  stop(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
    this.#news = [];
    this.#isRight.account = this.#isRight.orders = false;
    this.#options.stores.holdings.setState(NOTHING);
  }

  #listen<Name extends 'account' | 'orders'>(
    name: Name,
    take: (message: ChannelMessage & MembersOf<Name>) => void,
    show: () => void,
  ): void {
    const { channels, onRefused } = this.#options;
    const end = channels.listen(name, {
      onMessage: (message) => {
        take(message);
        show();
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
    stores.holdings.setState({ fills });
    if (address !== null) onFills(address, fills);
  }
}
