/** Follows the channels of the market: spots, decisions, what is listed, and the chain on the screen. */

import type { Chain, Instrument, ListingMembers, SpotsMembers } from '@venue/protocol';
import type { ChannelMessage, Channels } from '@venue/sdk/browser';
import type { AsOf } from './as-of.ts';
import { Decisions } from './decisions.ts';
import { LiveChain } from './live-chain.ts';
import type { Market } from './market.ts';
import type { MarketStores } from './state.ts';

export interface MarketFeedOptions {
  readonly channels: Pick<Channels, 'listen'>;
  readonly stores: Pick<MarketStores, 'listing'>;
  readonly market: Market;
  readonly asOf: AsOf;
  /** True while the chain on the screen trades, and somebody looks at it. */
  readonly isWatched: () => boolean;
  /** Called with each state of the followed chain. True if it is not to be shown, because another was opened instead. */
  readonly isPassedOver: (chain: Chain) => boolean;
  /** Called when expiries of the chosen underlying may have gone or come. */
  readonly onRelisted: () => void;
  readonly now: () => number;
}

export class MarketFeed {
  readonly #options: MarketFeedOptions;
  readonly #decisions = new Decisions();
  readonly #spots = new Map<string, Instrument>();
  #followed: string | null = null;
  #chain: Chain | null = null;
  #stopChain = () => {};
  #isChainRight = false;
  #areSpotsRight = false;
  /** The underlying whose listing is followed, and its expiries; null before they have come. */
  #listingOf: string | null = null;
  #listed: Set<number> | null = null;
  #stopListing = () => {};

  constructor(options: MarketFeedOptions) {
    this.#options = options;
    const { channels } = options;
    channels.listen('spots', {
      onMessage: (message) => this.#takeSpots(message),
      onRight: (isRight) => {
        this.#areSpotsRight = isRight;
      },
    });
    channels.listen('settlements', {
      onMessage: (message) => {
        this.#decisions.take(message);
        this.showDecisions();
        options.onRelisted();
      },
    });
  }

  /** True while the chain on the screen, and the spots beside it, have everything that the venue has sent. */
  get isRight(): boolean {
    return this.#isChainRight && this.#areSpotsRight;
  }

  /** True if the venue lists these expiries of the chosen underlying and no others; null while that is not known. */
  isListed(expiries: readonly number[]): boolean | null {
    const listed = this.#listed;
    if (listed === null) return null;
    return listed.size === expiries.length && expiries.every((expiryTs) => listed.has(expiryTs));
  }

  /** The chain that is followed, if it is this one and all that the venue has sent. */
  chainOf(symbol: string, expiryTs: number): Chain | null {
    const isThis = this.#chain?.symbol === symbol && this.#chain.expiryTs === expiryTs;
    return this.#isChainRight && isThis ? this.#chain : null;
  }

  /** Shows what the expiries of the chosen underlying settled at. */
  showDecisions(): void {
    const { listing } = this.#options.stores;
    const { symbol } = listing.getState();
    const inReview = this.#decisions.inReview;
    listing.setState({ inReview, settlements: symbol === null ? null : this.#decisions.of(symbol) });
  }

  /** Follows the chain that is on the screen now, if it is another one or is watched again, and the listing beside it. */
  followChain(): void {
    const { channels, stores, isWatched } = this.#options;
    const { symbol, expiryTs } = stores.listing.getState();
    this.#followListing(symbol);
    const wanted = expiryTs === null || !isWatched() ? null : `chain:${symbol}:${expiryTs}`;
    if (wanted === this.#followed) return;
    this.#stopChain();
    this.#followed = wanted;
    this.#isChainRight = false;
    this.#chain = null;
    this.#stopChain = () => {};
    if (wanted === null) return;
    const chain = new LiveChain();
    this.#stopChain = channels.listen(wanted as `chain:${string}`, {
      onMessage: (message) => this.#takeChain(chain.take(message)),
      onRight: (isRight) => {
        if (this.#followed === wanted) this.#isChainRight = isRight;
      },
    });
  }

  /** The venue may have refused a chain that it lists by now. */
  followAnew(): void {
    if (!this.#isChainRight) this.#followed = null;
    this.followChain();
  }

  #followListing(symbol: string | null): void {
    if (symbol === this.#listingOf) return;
    this.#stopListing();
    this.#listingOf = symbol;
    this.#listed = null;
    if (symbol === null) return;
    this.#stopListing = this.#options.channels.listen(`listing:${symbol}`, {
      onMessage: (message) => this.#takeListing(message),
    });
  }

  #takeListing({ type, expiries }: Pick<ChannelMessage, 'type'> & ListingMembers): void {
    const listed = type === 'snapshot' ? new Set<number>() : (this.#listed ?? new Set());
    for (const row of expiries) {
      if ('gone' in row) listed.delete(row.expiryTs);
      else listed.add(row.expiryTs);
    }
    this.#listed = listed;
    this.#options.onRelisted();
  }

  #takeChain(chain: Chain): void {
    const { market, asOf, now, isPassedOver } = this.#options;
    if (isPassedOver(chain)) return;
    this.#chain = chain;
    // At its cutoff the venue's chain loses its rows; the page keeps them.
    if (chain.rows.length === 0 && market.shape !== null) return;
    asOf.chainMs = now();
    market.apply(chain);
  }

  #takeSpots({ type, spots }: Pick<ChannelMessage, 'type'> & SpotsMembers): void {
    const { listing } = this.#options.stores;
    if (type === 'snapshot') this.#spots.clear();
    for (const { symbol, spot, feedFresh } of spots) {
      // One that is gone has nothing but its name.
      if (spot === undefined) this.#spots.delete(symbol);
      else this.#spots.set(symbol, { symbol, spot, feedFresh: feedFresh === true });
    }
    const instruments = [...this.#spots.values()];
    listing.setState({ instruments });
    // A listener of the listing may have chosen one by now.
    const first = instruments.find(({ spot }) => spot > 0) ?? instruments[0];
    if (listing.getState().symbol !== null || first === undefined) return;
    listing.setState({ symbol: first.symbol });
    this.showDecisions();
    this.#options.onRelisted();
  }
}
