/** Keeps the stores and the market as the venue has them while the page is open, and judges how old they are. */

import type { Chain, FillRecord } from '@venue/protocol';
import {
  type Channels,
  type ChannelsOptions,
  UnauthorizedError,
  VenueChangedError,
  type VenueClient,
  VenueError,
} from '@venue/sdk/browser';
import type { AsOf } from '../market/as-of.ts';
import { venueNowMs } from '../market/clock.ts';
import { FirstQuoted } from '../market/first-quoted.ts';
import type { Market } from '../market/market.ts';
import { MarketFeed } from '../market/market-feed.ts';
import { type Failure, Schedule, type Task } from '../market/schedule.ts';
import type { Link, LinkState, MarketStores } from '../market/state.ts';
import { strikesOf } from '../market/strikes-of.ts';
import type { Allowance } from './allowance.ts';
import type { AnsweredAccount } from './batches.ts';
import { OwnFeed } from './own-feed.ts';
import type { Send } from './sending.ts';
import type { SessionStores } from './state.ts';

/** Ages of the newest numbers at which the page marks them as late, then as stale. */
const LATE_MS = 1_000;
const STALE_MS = 5_000;
/** A venue without news is asked for a sign of life this often, well within the age that is late (TERM-9). */
export const PING_MS = 400;
const JUDGE_MS = 250;
/** While the channel of the listing is not there. */
const SERIES_MS = 30_000;
/** While the venue lists other expiries than the page shows: a node that was read may have been behind. */
const UNLISTED_MS = 1_000;
/** Page size; older fills are loaded on request. */
const FILLS = 100;
const FEED_AGAIN_MS = 5_000;
const FILLS_AGAIN_MS = 1_000;
/** Consecutive failures from which the page counts as offline. */
const OFFLINE_FAILURES = 3;

export interface LiveOptions {
  readonly client: VenueClient;
  readonly channels: Pick<Channels, 'listen' | 'account' | 'fills' | 'heardMs' | 'retryNow' | 'close'>;
  readonly stores: MarketStores & SessionStores;
  readonly market: Market;
  readonly asOf: AsOf;
  readonly allowance: Allowance;
  /** Makes a call, and retries it once after remedying a refusal. */
  readonly send: Send;
  /** Called when another deployment answers at this address: the client sends nothing more (VEN-1). */
  readonly onOtherVenue: () => void;
  /** Called when the venue refuses the session. */
  readonly onRefused: (error: UnauthorizedError) => void;
  /** Called with the newest fills, newest first, whenever there are new ones. */
  readonly onFills: (address: string, fills: readonly FillRecord[]) => void;
  /** True while the page is visible. */
  readonly isShown: () => boolean;
  readonly now: () => number;
}

export class Live {
  readonly #options: LiveOptions;
  readonly #schedule: Schedule;
  readonly #feed: MarketFeed;
  readonly #own: OwnFeed;
  readonly #firstQuoted = new FirstQuoted();
  #judging: ReturnType<typeof setInterval> | null = null;
  /** The time at which the venue was last heard; 0 before the first time. */
  #heardMs = 0;
  /** Since when the page waits for a newly chosen chain; 0 once it has come. */
  #awaitedMs = 0;
  /** Connections lost or refused in a row. */
  #losses = 0;
  #hasFills = false;
  /** False while the venue may have had no price yet when it was asked whether its prices are simulated (FEED-1). */
  #isFeedKnown = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    const { allowance, now, isShown } = options;
    this.#schedule = new Schedule({
      tasks: this.#tasks(),
      take: () => allowance.take(),
      now,
      onAnswer: () => {},
      onFailure: ({ error }: Failure) => {
        if (error instanceof VenueChangedError) this.#meetOther(error);
      },
    });
    this.#feed = new MarketFeed({
      ...options,
      isWatched: () => isShown() && !this.#isOver(),
      isPassedOver: (chain) => this.#passOver(chain),
      onRelisted: () => this.hurry('series'),
    });
    this.#own = new OwnFeed(options);
  }

  start(): void {
    this.#schedule.start();
    this.#judging ??= setInterval(() => {
      this.#feed.followChain();
      this.#judge();
    }, JUDGE_MS);
  }

  stop(): void {
    this.#schedule.stop();
    this.#options.channels.close();
    if (this.#judging !== null) clearInterval(this.#judging);
    this.#judging = null;
  }

  /** The network is back, or the page is visible again: whatever waits is due now. */
  hurry(name?: string): void {
    if (name === undefined) {
      this.#options.channels.retryNow();
      this.#feed.followChain();
    }
    this.#schedule.hurry(name);
  }

  /** The chain on the screen, if it is this one; null otherwise. */
  chainOf(symbol: string, expiryTs: number): Chain | null {
    return this.#feed.chainOf(symbol, expiryTs);
  }

  /** Another underlying was chosen. */
  onSymbol(): void {
    this.#options.asOf.chainMs = 0;
    this.#feed.showDecisions();
    this.#feed.followChain();
    this.hurry('series');
  }

  /** A person or an address has chosen an expiry, which may be the one that is shown. */
  onChosen(): void {
    this.#firstQuoted.end();
  }

  /** Another expiry was chosen. */
  onExpiry(): void {
    this.#options.asOf.chainMs = 0;
    this.#feed.followChain();
  }

  /** The channels are connected. */
  onLive(): void {
    this.#losses = 0;
    this.#options.stores.link.setState(({ connections }) => ({
      connections: connections + 1,
      nextTryMs: null,
      reason: null,
    }));
    this.#judge();
    this.hurry('series');
  }

  /** The channels have lost their connection, or could not connect. */
  onLost({ reason, retryInMs }: Parameters<NonNullable<ChannelsOptions['onLost']>>[0]): void {
    this.#losses += 1;
    if (reason instanceof VenueChangedError) this.#meetOther(reason);
    else if (this.#losses >= OFFLINE_FAILURES) this.#showOffline(reason, retryInMs);
  }

  #showOffline(reason: Error, retryInMs: number): void {
    const nextTryMs = this.#options.now() + retryInMs;
    this.#options.stores.link.setState({ state: 'offline', reason: reason.message, nextTryMs });
  }

  #tasks(): Task[] {
    const { stores, isShown } = this.#options;
    return [
      {
        name: 'health',
        everyMs: () => {
          if (stores.link.getState().mode === null) return 1_000;
          return this.#isFeedKnown ? null : FEED_AGAIN_MS;
        },
        run: () => this.#readHealth(),
      },
      {
        name: 'series',
        everyMs: () => {
          const { symbol, expiries } = stores.listing.getState();
          if (symbol === null) return null;
          const isListed = this.#feed.isListed(expiries);
          if (isListed === null) return expiries.length === 0 && isShown() ? UNLISTED_MS : SERIES_MS;
          return isListed ? Number.POSITIVE_INFINITY : UNLISTED_MS;
        },
        run: () => this.#readSeries(),
      },
      {
        name: 'fills',
        everyMs: () =>
          stores.session.getState().state === 'ready' && !this.#hasFills ? FILLS_AGAIN_MS : null,
        run: () => this.#readFills(),
      },
    ];
  }

  async #readHealth(): Promise<void> {
    const { client, stores } = this.#options;
    const hadPrices = stores.listing.getState().instruments.some(({ spot }) => spot > 0);
    const { fundingMode } = await client.market.health();
    const told = await this.#readVenue();
    stores.link.setState({ mode: fundingMode, ...told });
    this.#isFeedKnown = hadPrices || told.simulatedPrices;
  }

  /** A venue that does not say it yet marks by the book. */
  async #readVenue(): Promise<Pick<Link, 'riskMark' | 'simulatedPrices' | 'venue'>> {
    try {
      const { venue, riskMark, simulatedPrices } = await this.#options.client.market.venue();
      return { venue, riskMark, simulatedPrices };
    } catch (error) {
      if (error instanceof VenueError) return { venue: null, riskMark: 'book', simulatedPrices: false };
      throw error;
    }
  }

  async #readSeries(): Promise<void> {
    const { client, stores } = this.#options;
    const { symbol } = stores.listing.getState();
    if (symbol === null) return;
    const series = await client.market.series(symbol);
    if (stores.listing.getState().symbol !== symbol) return;
    const expiries = [...new Set(series.map(({ expiryTs }) => expiryTs))].sort((a, b) => a - b);
    const { expiryTs } = stores.listing.getState();
    const isKept = expiryTs !== null && (expiries.includes(expiryTs) || this.#isOver());
    const shown = isKept ? expiryTs : (expiries[0] ?? null);
    if (!isKept) this.#firstQuoted.begin(shown);
    stores.listing.setState({ readSymbol: symbol, expiries, expiryTs: shown, strikes: strikesOf(series) });
    this.#feed.followAnew();
  }

  /** Opens another expiry if this chain, which the page has opened by itself, is not quoted. */
  #passOver(chain: Chain): boolean {
    const { link, listing } = this.#options.stores;
    const expiryTs = this.#firstQuoted.instead(chain, listing.getState().expiries, venueNowMs(link));
    if (expiryTs === null) return false;
    listing.setState({ expiryTs });
    this.#feed.followChain();
    return true;
  }

  /** Reads the fills that the account has; from there on its channel brings them. */
  async #readFills(): Promise<void> {
    const { client, stores, send } = this.#options;
    const read = await send(() => client.account.fills({ limit: FILLS })).catch(nullIfRefused);
    if (read === null || stores.session.getState().state !== 'ready') return;
    this.#hasFills = true;
    const end = () => {
      this.#hasFills = false;
    };
    // Whatever ended it, the session or more than the page could take in: the next read tells.
    void this.#own.followFills(read).then(end, end);
  }

  /** True when the expiry on the screen is past its cutoff: its rows are frozen. */
  #isOver(): boolean {
    const { link, listing } = this.#options.stores;
    const { expiryTs } = listing.getState();
    return expiryTs !== null && venueNowMs(link) >= expiryTs * 1_000;
  }

  /** Takes the account from the answer to a write. */
  takeAccount(answered: AnsweredAccount): void {
    this.#own.takeAnswered(answered);
  }

  onSignedIn(): void {
    this.#own.start();
    this.hurry('fills');
  }

  /** Removes the account's data from the page after sign-out. */
  onSignedOut(): void {
    this.#own.stop();
  }

  #meetOther({ message }: VenueChangedError): void {
    const { stores, onOtherVenue } = this.#options;
    if (stores.link.getState().isOtherVenue) return;
    this.stop();
    stores.link.setState({ state: 'offline', isOtherVenue: true, reason: message, nextTryMs: null });
    onOtherVenue();
  }

  /** Age of the data on the screen; without a chain, the time since the venue was last heard. */
  #ageMs(): number {
    const { asOf, stores, now } = this.#options;
    if (stores.listing.getState().expiryTs === null || this.#isOver()) return now() - this.#heardMs;
    if (asOf.chainMs === 0) this.#awaitedMs ||= now();
    else this.#awaitedMs = 0;
    return now() - (asOf.chainMs || this.#awaitedMs);
  }

  /** As long as the venue is heard, what it has sent is what it has. */
  #confirm(): void {
    const { asOf, channels } = this.#options;
    const { heardMs } = channels;
    if (heardMs === null) return;
    this.#heardMs = heardMs;
    if (this.#feed.isRight && asOf.chainMs !== 0) asOf.chainMs = heardMs;
    if (this.#own.isRight) asOf.accountMs = heardMs;
  }

  #judge(): void {
    const { stores, isShown } = this.#options;
    this.#confirm();
    const { nextTryMs, state, isOtherVenue } = stores.link.getState();
    if (nextTryMs !== null || isOtherVenue) return;
    const next = this.#heardMs === 0 ? 'connecting' : freshnessOf(this.#ageMs(), isShown());
    if (next !== state) stores.link.setState({ state: next });
  }
}

/** A refusal concerns the session and not the link. */
function nullIfRefused(error: unknown): null {
  if (error instanceof UnauthorizedError) return null;
  throw error;
}

function freshnessOf(ageMs: number, isShown: boolean): LinkState {
  if (!isShown || ageMs < LATE_MS) return 'live';
  return ageMs < STALE_MS ? 'late' : 'stale';
}
