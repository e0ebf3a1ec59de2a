/** Traders and a price feed on one venue, with a record of the outages they saw. */

import { setTimeout as sleep } from 'node:timers/promises';
import { VenueClient } from '@venue/sdk';
import { eventually, PATIENCE_MS } from '../e2e/launched.ts';
import { type Counts, noCounts, Trader } from './trader.ts';
import type { Write } from './write.ts';

export const SYMBOL = 'AAPL';
const FEED_TOKEN = 'feed-'.repeat(8);
/** Environment of every exchange under a fault; port and log are added. */
export const SETTINGS = {
  VENUE_SYMBOLS: `${SYMBOL}:equity`,
  VENUE_STRIKES_PER_SIDE: '1',
  VENUE_MAINTENANCE_MS: '500',
  VENUE_PAPER_CASH: '1000000',
  VENUE_REQUIRE_SIGNED_ORDERS: '1',
  VENUE_FEED_TOKEN: FEED_TOKEN,
  VENUE_TOKEN_SECRET: 'token-'.repeat(8),
  VENUE_LOG_LEVEL: 'error',
} as const;

const SPOT = 200;
const FEED_EVERY_MS = 500;
/** Series of the last expiry, so that none ends during a run. */
const SERIES_TRADED = 6;

export interface CrowdOptions {
  readonly urls: readonly string[];
  readonly traders: number;
  readonly timeoutMs?: number;
}

/** The longest time without an acknowledgement. */
export interface Outage {
  /** From any node. */
  readonly venueMs: number;
  /** From each node. */
  readonly nodesMs: readonly number[];
}

export class Crowd {
  readonly traders: readonly Trader[];
  readonly #urls: readonly string[];
  readonly #acknowledged: { readonly ms: number; readonly node: number }[] = [];
  #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  private constructor({ urls, traders, timeoutMs }: CrowdOptions, series: readonly string[]) {
    this.#urls = urls;
    this.traders = Array.from({ length: traders }, (_, i) => {
      const onAcknowledged = (node: number) => void this.#acknowledged.push({ ms: performance.now(), node });
      const home = i % urls.length;
      return new Trader({ urls, home, series, onAcknowledged, ...(timeoutMs && { timeoutMs }) });
    });
  }

  /** Waits until the venue has listed its series, and has every trader approve a key. */
  static async gather(options: CrowdOptions): Promise<Crowd> {
    const venue = new VenueClient({ url: options.urls[0]! });
    await print(venue.url);
    const series = await eventually('series', () => listed(venue));
    const crowd = new Crowd(options, series);
    await Promise.all(crowd.traders.map((trader) => trader.open()));
    return crowd;
  }

  /** The writes of all traders, whatever their outcome. */
  get writes(): readonly Write[] {
    return this.traders.flatMap(({ writes }) => writes);
  }

  get acknowledgements(): number {
    return this.#acknowledged.length;
  }

  get faults(): readonly string[] {
    return this.traders.flatMap(({ faults }) => faults);
  }

  /** Treats acknowledgements since then as never received, and returns their number. */
  forgetSince(ms: number): number {
    const late = this.writes.filter(({ heardMs }) => heardMs >= ms);
    for (const write of late) {
      write.heard = null;
      write.isKnownToBeIn = false;
    }
    return late.length;
  }

  /** Acknowledged writes that were first sent after that time. */
  acknowledgedOf(sentMs: number): number {
    return this.writes.filter(({ heard, askedMs }) => heard !== null && askedMs > sentMs).length;
  }

  /** Resolves once every trader was refused a connection from now on, and so has read all that a dead node had sent. */
  async untilRefused(): Promise<void> {
    const before = this.traders.map(({ counts }) => counts.refusedConnections);
    await eventually('a refused connection for everybody', () =>
      this.traders.every(({ counts }, i) => counts.refusedConnections > before[i]!),
    );
  }

  /** Counts of all traders. */
  counts(): Counts {
    const sum = noCounts();
    for (const { counts } of this.traders)
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
    return sum;
  }

  /** Sends every trader's next write to its own node again. */
  goHome(): void {
    for (const trader of this.traders) trader.goHome();
  }

  start(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#running = Promise.all([...this.traders.map((trader) => trader.run(signal)), this.#feed(signal)]);
  }

  /** Needs a reachable venue, as pending requests are retried until answered. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** For a failed run, whose venue may never be reachable again. */
  abandon(): void {
    this.#stop.abort();
    for (const trader of this.traders) trader.abandon();
  }

  /**
   * Resolves once this many more writes were acknowledged, by the given node if any: traders that waited for it too long
   * are sent back to it.
   */
  async untilServed(more: number, { node, limitMs = PATIENCE_MS }: { node?: number; limitMs?: number } = {}) {
    const count = () =>
      node === undefined
        ? this.#acknowledged.length
        : this.#acknowledged.filter((one) => one.node === node).length;
    const enough = count() + more;
    const isServed = () => {
      if (node !== undefined) this.goHome();
      return count() >= enough;
    };
    await eventually(`${more} more acknowledgements`, isServed, limitMs).catch((error) => {
      const heard = { ...this.counts(), acknowledged: count(), faults: this.faults.slice(0, 3) };
      throw new Error(`${error.message}: ${JSON.stringify(heard)}`);
    });
  }

  /** The longest outages between two times on the monotonic clock. */
  outage(fromMs: number, toMs: number): Outage {
    const within = this.#acknowledged.filter(({ ms }) => ms >= fromMs && ms <= toMs);
    const of = (times: readonly number[]) => longestGap([fromMs, ...times, toMs]);
    const nodesMs = this.#urls.map((_, i) => of(within.filter(({ node }) => node === i).map(({ ms }) => ms)));
    return { venueMs: of(within.map(({ ms }) => ms)), nodesMs };
  }

  async #feed(signal: AbortSignal): Promise<void> {
    for (let i = 0; !signal.aborted; i += 1) {
      await print(this.#urls[i % this.#urls.length]!).catch(() => {});
      await sleep(FEED_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }
}

async function print(url: string): Promise<void> {
  const feed = new VenueClient({ url, timeoutMs: 2_000 }).feed(FEED_TOKEN);
  await feed.prints(['one', 'two'].map((source) => ({ symbol: SYMBOL, source, price: SPOT })));
}

async function listed({ market }: VenueClient): Promise<string[] | null> {
  const series = await market.series(SYMBOL);
  const last = Math.max(...series.map(({ expiryTs }) => expiryTs));
  const chosen = series.filter(({ expiryTs }) => expiryTs === last).map(({ seriesId }) => seriesId);
  return chosen.length === 0 ? null : chosen.slice(0, SERIES_TRADED);
}

function longestGap(times: readonly number[]): number {
  return Math.round(Math.max(...times.slice(1).map((ms, i) => ms - times[i]!)));
}
