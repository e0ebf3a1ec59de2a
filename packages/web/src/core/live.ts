/** Brings what the venue says into the stores and the market, for as long as the page is open. */

import type { Account, FillRecord, StreamFrame } from '@venue/protocol';
import type { Follower, VenueClient } from '@venue/sdk/browser';
import type { Allowance } from './allowance.ts';
import type { Market } from './market.ts';
import { type Failure, Schedule, type Task } from './schedule.ts';
import { holdingsOf, type LinkState, type Stores } from './stores.ts';

/** Ages of the newest numbers from which the page says so, and from which it does not trust them. */
const LATE_MS = 1_000;
const STALE_MS = 5_000;
const CHAIN_MS = 250;
/** A preview of the ticket takes its share of the reads. */
const CHAIN_WITH_TICKET_MS = 500;
const META_MS = 5_000;
const SERIES_MS = 30_000;
/** Nothing is listed for an underlying before its first price. */
const UNLISTED_MS = 1_000;
const ACCOUNT_HELD_MS = 2_000;
const ACCOUNT_IDLE_MS = 10_000;
const FILLS_MS = 30_000;
/** Failures in a row from which the page is offline and not merely unlucky. */
const OFFLINE_FAILURES = 3;

export interface LiveOptions {
  readonly client: VenueClient;
  readonly stores: Stores;
  readonly market: Market;
  readonly allowance: Allowance;
  /** Whether somebody looks at the page. */
  readonly isShown: () => boolean;
  readonly now: () => number;
}

export class Live {
  readonly #options: LiveOptions;
  readonly #schedule: Schedule;
  #freshness: ReturnType<typeof setInterval> | null = null;
  #follower: Follower | null = null;

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
    this.#freshness ??= setInterval(() => this.#judge(), 250);
  }

  stop(): void {
    this.#schedule.stop();
    if (this.#freshness !== null) clearInterval(this.#freshness);
    this.#freshness = null;
    this.#follower?.close();
  }

  /** Another expiry or underlying is looked at, or the page is back: what is on the screen is wanted now. */
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
      { name: 'meta', everyMs: () => META_MS, run: () => this.#readMeta() },
      {
        name: 'series',
        everyMs: () => {
          const { symbol, expiries } = listing();
          if (symbol === null) return null;
          return expiries.length === 0 ? UNLISTED_MS : SERIES_MS;
        },
        run: () => this.#readSeries(),
      },
      {
        name: 'chain',
        everyMs: () => {
          if (listing().expiryTs === null || !isShown()) return null;
          return stores.ticket.getState().seriesId === null ? CHAIN_MS : CHAIN_WITH_TICKET_MS;
        },
        run: () => this.#readChain(),
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
    stores.link.setState({ mode: fundingMode });
  }

  async #readMeta(): Promise<void> {
    const { client, stores } = this.#options;
    const { instruments, pendingReview } = await client.market.meta();
    const { symbol } = stores.listing.getState();
    stores.listing.setState({ instruments, pendingReview });
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
    const kept = expiryTs !== null && expiries.includes(expiryTs) ? expiryTs : (expiries[0] ?? null);
    stores.listing.setState({ expiries, expiryTs: kept });
    this.hurry('chain');
  }

  async #readChain(): Promise<void> {
    const { client, stores, market, now } = this.#options;
    const { symbol, expiryTs } = stores.listing.getState();
    if (symbol === null || expiryTs === null) return;
    const chain = await client.market.chain(symbol, expiryTs);
    const wanted = stores.listing.getState();
    // Meanwhile the person may look at something else.
    if (wanted.symbol === symbol && wanted.expiryTs === expiryTs) market.apply(chain, now());
  }

  async #readAccount(): Promise<void> {
    const { client } = this.#options;
    this.takeAccount(await client.account.me());
  }

  async #readFills(): Promise<void> {
    const { client, stores } = this.#options;
    stores.holdings.setState({ fills: await client.account.fills() });
  }

  /** An account as any answer of the venue brings it. */
  takeAccount(account: Account, fills?: readonly FillRecord[]): void {
    const { stores, now } = this.#options;
    stores.holdings.setState(holdingsOf(account, fills ?? stores.holdings.getState().fills, now()));
  }

  /** From here on there is an account to look at, and frames of it come. */
  onSignedIn(): void {
    const { client, stores } = this.#options;
    this.#follower?.close();
    this.#follower = client.follow({
      onFrame: (frame) => this.takeFrame(frame),
      onLost: () => stores.link.setState({ isStreaming: false }),
      onLive: () => stores.link.setState({ isStreaming: true }),
    });
    this.hurry('account');
    this.hurry('fills');
  }

  /** What the stream pushes; everything of it also comes by reads, later. */
  takeFrame(frame: StreamFrame): void {
    const { stores } = this.#options;
    if (frame.type === 'account') this.takeAccount(frame.account);
    if (frame.type === 'spots') stores.listing.setState({ instruments: frame.spots });
    // Margin and buying power are in the account alone.
    if (frame.type === 'orders' || frame.type === 'fill') this.hurry('account');
    if (frame.type === 'fill') this.hurry('fills');
  }

  #onAnswer(): void {
    const { stores } = this.#options;
    if (stores.link.getState().nextTryMs !== null) stores.link.setState({ nextTryMs: null, reason: null });
    this.#judge();
  }

  #onFailure({ error, inARow, nextTryMs }: Failure): void {
    const { stores } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    if (inARow >= OFFLINE_FAILURES) stores.link.setState({ state: 'offline', reason, nextTryMs });
  }

  #judge(): void {
    const { stores, market, isShown, now } = this.#options;
    const { nextTryMs, state } = stores.link.getState();
    if (nextTryMs !== null) return;
    const next = market.receivedMs === 0 ? 'connecting' : freshnessOf(now() - market.receivedMs, isShown());
    if (next !== state) stores.link.setState({ state: next });
  }
}

function freshnessOf(ageMs: number, isShown: boolean): LinkState {
  if (!isShown || ageMs < LATE_MS) return 'live';
  return ageMs < STALE_MS ? 'late' : 'stale';
}
