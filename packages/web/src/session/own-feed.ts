/** Follows the channels of the account: what it holds, its orders, and its fills. */

import type { Account, FillRecord } from '@venue/protocol';
import { type Channels, type LocalAccount, UnauthorizedError } from '@venue/sdk/browser';
import type { AsOf } from '../market/as-of.ts';
import type { AnsweredAccount } from './batches.ts';
import type { SessionStores } from './state.ts';
import { holdingsOf, NO_PAST, NOTHING } from './state.ts';

export interface OwnFeedOptions {
  readonly channels: Pick<Channels, 'account' | 'fills'>;
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
  #own: LocalAccount | null = null;
  #isRefused = false;
  /** As its channels last had it shown. */
  #streamed: Account | null = null;
  /** The entry after which an answer to a write last told of the account. */
  #answeredSeq = 0;
  #showing: ReturnType<typeof setTimeout> | undefined;
  /** New fills that wait for the others which came with them. */
  #news: FillRecord[] = [];

  constructor(options: OwnFeedOptions) {
    this.#options = options;
  }

  /** True while the account and its orders have everything that the venue has sent. */
  get isRight(): boolean {
    return this.#own?.isRight ?? false;
  }

  /** Begins with the account that has signed in. */
  start(): void {
    this.stop();
    const own = this.#options.channels.account();
    this.#own = own;
    own.onChange(() => this.#changed(own));
    this.#ends.push(() => own.close());
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
    if (isRight && (seq <= (this.#own?.seq ?? 0) || !isWhole)) return;
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
    this.#answeredSeq = 0;
    this.#own = this.#streamed = null;
    this.#isRefused = false;
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

  #changed({ account, error }: LocalAccount): void {
    if (error instanceof UnauthorizedError) this.#refused(error);
    // Messages that come together are shown together.
    else if (account !== this.#streamed) this.#showing ??= setTimeout(() => this.#showStreamed());
  }

  #refused(error: UnauthorizedError): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#options.onRefused(error);
  }

  #showStreamed(): void {
    this.#showing = undefined;
    const { account, seq } = this.#own!;
    this.#streamed = account;
    if (account !== null && seq! >= this.#answeredSeq) this.#show(account);
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
