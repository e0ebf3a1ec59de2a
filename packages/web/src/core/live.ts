/** Feeds the venue's data into the stores and the market while the page is open. */

import type { Account, FillRecord, Series, StreamFrame } from '@venue/protocol';
import {
  type Follower,
  UnauthorizedError,
  VenueChangedError,
  type VenueClient,
  VenueError,
} from '@venue/sdk/browser';
import { expiryStage } from './chain/expiry-stage.ts';
import type { Market } from './chain/market.ts';
import { type Failure, Schedule, type Task } from './chain/schedule.ts';
import { venueNowMs } from './clock.ts';
import type { Allowance } from './session/allowance.ts';
import type { Send } from './session/sending.ts';
import { holdingsOf, type Link, type LinkState, NOTHING, type Stores } from './stores.ts';

/** Ages of the newest numbers at which the page marks them as late, then as stale. */
const LATE_MS = 1_000;
const STALE_MS = 5_000;
const CHAIN_MS = 250;
/** Slower while a ticket is open, as its previews share the read allowance. */
const CHAIN_WITH_TICKET_MS = 500;
const META_MS = 5_000;
const SERIES_MS = 30_000;
/** Nothing is listed for an underlying before its first price, so this polls fast. */
const UNLISTED_MS = 1_000;
const ACCOUNT_HELD_MS = 2_000;
const ACCOUNT_IDLE_MS = 10_000;
const FILLS_MS = 30_000;
/** Page size; older fills are loaded on request. */
const FILLS = 100;
const DECIDED_MS = 30_000;
/** While an expired expiry is on the screen: it may be in review. */
const REVIEWED_MS = 5_000;
/** While an expiry waits for its settlement price. */
const DECIDING_MS = 2_000;
/** For the reads that continue while the page is hidden. */
const HIDDEN_MS = 30_000;
/** Consecutive failures from which the page counts as offline. */
const OFFLINE_FAILURES = 3;

export interface LiveOptions {
  readonly client: VenueClient;
  readonly stores: Stores;
  readonly market: Market;
  readonly allowance: Allowance;
  /** Makes a call, and retries it once after remedying a refusal. */
  readonly send: Send;
  /** Called with fills, newest first, whenever they were read. */
  /** Called when another deployment answers at this address: the client sends nothing more (VEN-1). */
  readonly onOtherVenue: () => void;
  readonly onFills: (address: string, fills: readonly FillRecord[]) => void;
  /** True while the page is visible. */
  readonly isShown: () => boolean;
  readonly now: () => number;
}

export class Live {
  readonly #options: LiveOptions;
  readonly #schedule: Schedule;
  #freshness: ReturnType<typeof setInterval> | null = null;
  #follower: Follower | null = null;
  /** When the venue last answered; 0 before it ever did. */
  #answeredMs = 0;
  /** Since when the page waits for a newly chosen chain; 0 once it has come. */
  #awaitedMs = 0;
  #wasWaiting = false;
  /** How many writes were answered with the account. */
  #writes = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
    const { allowance, now } = options;
    this.#schedule = new Schedule({
      tasks: this.#tasks(),
      take: () => allowance.take(),
      now,
      onAnswer: () => this.#onAnswer(),
      onFailure: (failure) => this.#onFailure(failure),
    });
  }

  start(): void {
    this.#schedule.start();
    this.#freshness ??= setInterval(() => {
      this.#judge();
      this.#watchCutoff();
    }, 250);
  }

  stop(): void {
    this.#schedule.stop();
    if (this.#freshness !== null) clearInterval(this.#freshness);
    this.#freshness = null;
    this.#follower?.close();
  }

  /** Another expiry or underlying was chosen, or the page is visible again: what is on the screen is due now. */
  hurry(name?: string): void {
    this.#schedule.hurry(name);
  }

  #tasks(): Task[] {
    const { stores, isShown } = this.#options;
    const listing = () => stores.listing.getState();
    const isSignedIn = () => stores.session.getState().state === 'ready';
    return [
      {
        name: 'health',
        everyMs: () => (stores.link.getState().mode === null ? 1_000 : null),
        run: () => this.#readHealth(),
      },
      { name: 'meta', everyMs: () => (isShown() ? META_MS : HIDDEN_MS), run: () => this.#readMeta() },
      {
        name: 'series',
        everyMs: () => {
          const { symbol, expiries } = listing();
          if (symbol === null) return null;
          return expiries.length === 0 && isShown() ? UNLISTED_MS : SERIES_MS;
        },
        run: () => this.#readSeries(),
      },
      {
        name: 'chain',
        everyMs: () => {
          if (listing().expiryTs === null || !isShown() || this.#isOver()) return null;
          return stores.ticket.getState().seriesId === null ? CHAIN_MS : CHAIN_WITH_TICKET_MS;
        },
        run: () => this.#readChain(),
      },
      {
        name: 'settlements',
        everyMs: () => {
          if (listing().symbol === null) return null;
          if (this.#isSettling()) return DECIDING_MS;
          return this.#isOver() && isShown() ? REVIEWED_MS : DECIDED_MS;
        },
        run: () => this.#readSettlements(),
      },
      {
        name: 'account',
        everyMs: () => {
          if (!isSignedIn()) return null;
          const { positions } = stores.holdings.getState();
          return positions.size > 0 && isShown() ? ACCOUNT_HELD_MS : ACCOUNT_IDLE_MS;
        },
        run: () => this.#readAccount(),
      },
      {
        name: 'fills',
        everyMs: () => (isSignedIn() ? FILLS_MS : null),
        run: () => this.#readFills(),
      },
    ];
  }

  async #readHealth(): Promise<void> {
    const { client, stores } = this.#options;
    const { fundingMode } = await client.market.health();
    stores.link.setState({ mode: fundingMode, riskMark: await this.#riskMark() });
  }

  /** A venue that does not say it yet marks by the book. */
  async #riskMark(): Promise<Link['riskMark']> {
    try {
      return (await this.#options.client.market.venue()).riskMark;
    } catch (error) {
      if (error instanceof VenueError) return 'book';
      throw error;
    }
  }

  async #readMeta(): Promise<void> {
    const { client, stores } = this.#options;
    const { instruments, pendingReview } = await client.market.meta();
    stores.listing.setState({ instruments, pendingReview });
    // A listener of the listing may have chosen one by now.
    const { symbol } = stores.listing.getState();
    const first = instruments.find(({ spot }) => spot > 0) ?? instruments[0];
    if (symbol === null && first !== undefined) {
      stores.listing.setState({ symbol: first.symbol });
      this.hurry('series');
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
    const kept =
      expiryTs !== null && (expiries.includes(expiryTs) || this.#isOver()) ? expiryTs : (expiries[0] ?? null);
    stores.listing.setState({ readSymbol: symbol, expiries, expiryTs: kept, strikes: strikesOf(series) });
    this.hurry('chain');
  }

  async #readChain(): Promise<void> {
    const { client, stores, market, now } = this.#options;
    const { symbol, expiryTs } = stores.listing.getState();
    if (symbol === null || expiryTs === null) return;
    const chain = await client.market.chain(symbol, expiryTs);
    const wanted = stores.listing.getState();
    // The person may have chosen another meanwhile. At its cutoff the venue's chain loses its rows; the page keeps
    // them.
    if (wanted.symbol !== symbol || wanted.expiryTs !== expiryTs) return;
    if (chain.rows.length > 0 || market.shape === null) market.apply(chain, now());
  }

  async #readSettlements(): Promise<void> {
    const { client, stores } = this.#options;
    const { symbol } = stores.listing.getState();
    if (symbol === null) return;
    const settlements = await client.market.settlements(symbol);
    if (stores.listing.getState().symbol !== symbol) return;
    const wasSettling = this.#isSettling();
    stores.listing.setState({ settlements });
    if (!wasSettling || this.#isSettling()) return;
    this.hurry('account');
    this.hurry('fills');
    this.hurry('series');
  }

  /** Reads settlements when an expiry passes its cutoff, or an expired one is opened. */
  #watchCutoff(): void {
    const isWaiting = this.#isSettling() || this.#isOver();
    if (isWaiting && !this.#wasWaiting) this.hurry('settlements');
    this.#wasWaiting = isWaiting;
  }

  /** True when the expiry on the screen is past its cutoff: its rows are frozen. */
  #isOver(): boolean {
    const { link, listing } = this.#options.stores;
    const { expiryTs } = listing.getState();
    return expiryTs !== null && venueNowMs(link) >= expiryTs * 1_000;
  }

  /** True when a listed or chosen expiry is past its cutoff and undecided. */
  #isSettling(): boolean {
    const { link, listing } = this.#options.stores;
    const { expiries, expiryTs, settlements } = listing.getState();
    const moment = { decided: settlements, nowMs: venueNowMs(link) };
    return [...expiries.slice(0, 1), ...(expiryTs === null ? [] : [expiryTs])].some(
      (one) => expiryStage(one, moment).kind === 'settling',
    );
  }

  async #readAccount(): Promise<void> {
    const { client, send, stores } = this.#options;
    const before = this.#writes;
    const account = await this.#ownRead(() => send(() => client.account.me()));
    if (account === null || stores.session.getState().state !== 'ready') return;
    // It may be the account as it was before a write that was answered meanwhile, and would undo it on the screen.
    if (this.#writes === before) this.#takeAccount(account);
    else this.hurry('account');
  }

  async #readFills(): Promise<void> {
    const { client, stores, send, onFills } = this.#options;
    const fills = await this.#ownRead(() => send(() => client.account.fills({ limit: FILLS })));
    const { state, address } = stores.session.getState();
    if (fills === null || state !== 'ready' || address === null) return;
    stores.holdings.setState({ fills });
    onFills(address, fills);
  }

  /** Null on a refusal, which concerns the session and not the link. */
  async #ownRead<T>(read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof UnauthorizedError) return null;
      throw error;
    }
  }

  /** Takes the account from the answer to a write. */
  takeAccount(account: Account): void {
    this.#writes += 1;
    this.#takeAccount(account);
  }

  #takeAccount(account: Account): void {
    const { stores, now } = this.#options;
    stores.holdings.setState(holdingsOf(account, stores.holdings.getState().fills, now()));
  }

  /** Starts reading the account, whose frames the stream now sends. */
  onSignedIn(): void {
    const { client, stores } = this.#options;
    this.#follower?.close();
    this.#follower = client.follow({
      onFrame: (frame) => this.takeFrame(frame),
      onLost: ({ reason }) => {
        stores.link.setState({ isStreaming: false });
        // The next read ends the page's work.
        if (reason instanceof VenueChangedError) this.hurry();
      },
      onLive: () => stores.link.setState({ isStreaming: true }),
    });
    this.hurry('account');
    this.hurry('fills');
  }

  /** Removes the account's data from the page after sign-out. */
  onSignedOut(): void {
    const { stores } = this.#options;
    this.#follower?.close();
    this.#follower = null;
    stores.link.setState({ isStreaming: false });
    stores.holdings.setState(NOTHING);
  }

  /** Applies a frame of the stream; polls deliver the same data later. */
  takeFrame(frame: StreamFrame): void {
    const { stores } = this.#options;
    if (frame.type === 'account') this.#takeAccount(frame.account);
    if (frame.type === 'spots') stores.listing.setState({ instruments: frame.spots });
    // Only the account has margin and buying power.
    if (frame.type === 'orders' || frame.type === 'fill') this.hurry('account');
    if (frame.type === 'fill') this.hurry('fills');
  }

  #onAnswer(): void {
    const { stores, now } = this.#options;
    this.#answeredMs = now();
    if (stores.link.getState().nextTryMs !== null) stores.link.setState({ nextTryMs: null, reason: null });
    this.#judge();
  }

  /** Age of the data on the screen; without a chain, the time since the venue last answered. */
  #ageMs(): number {
    const { market, stores, now } = this.#options;
    if (stores.listing.getState().expiryTs === null || this.#isOver())
      return now() - this.#answeredMs - META_MS;
    if (market.receivedMs === 0) this.#awaitedMs ||= now();
    else this.#awaitedMs = 0;
    return now() - (market.receivedMs || this.#awaitedMs);
  }

  #onFailure({ error, inARow, nextTryMs }: Failure): void {
    const { stores, onOtherVenue } = this.#options;
    if (error instanceof VenueChangedError) {
      this.stop();
      stores.link.setState({ state: 'offline', isOtherVenue: true, reason: error.message, nextTryMs: null });
      onOtherVenue();
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    if (inARow >= OFFLINE_FAILURES) stores.link.setState({ state: 'offline', reason, nextTryMs });
  }

  #judge(): void {
    const { stores, isShown } = this.#options;
    const { nextTryMs, state, isOtherVenue } = stores.link.getState();
    if (nextTryMs !== null || isOtherVenue) return;
    const next = this.#answeredMs === 0 ? 'connecting' : freshnessOf(this.#ageMs(), isShown());
    if (next !== state) stores.link.setState({ state: next });
  }
}

/** Strikes by expiry, ascending. */
function strikesOf(series: readonly Series[]): ReadonlyMap<number, readonly number[]> {
  const strikes = new Map<number, Set<number>>();
  for (const { expiryTs, strike } of series) {
    const known = strikes.get(expiryTs);
    if (known === undefined) strikes.set(expiryTs, new Set([strike]));
    else known.add(strike);
  }
  return new Map([...strikes].map(([expiryTs, of]) => [expiryTs, [...of].sort((a, b) => a - b)]));
}

function freshnessOf(ageMs: number, isShown: boolean): LinkState {
  if (!isShown || ageMs < LATE_MS) return 'live';
  return ageMs < STALE_MS ? 'late' : 'stale';
}
