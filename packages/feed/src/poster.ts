/** Posts ticks when they are due, and continues whatever happens to the exchange. */

import type { FeedAnswer } from '@venue/protocol';
import { Backoff, type BackoffOptions, pause } from '@venue/sdk';
import type { FeedMetrics } from './metrics.ts';
import type { PriceTick, Print } from './tick.ts';

/** The destination of prices: the feed route of the venue. */
export interface PrintSink {
  prints(prints: readonly Print[]): Promise<FeedAnswer>;
}

export interface PosterOptions {
  readonly sink: PrintSink;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
  readonly metrics?: Pick<FeedMetrics, 'posted' | 'failed'>;
  readonly backoff?: BackoffOptions;
  /** Age at which an unposted price is dropped as outdated; without it, never. */
  readonly keepMs?: number;
  /** Adds to the status line of every minute. */
  readonly report?: () => string;
  /** Time between two status lines; by default a minute. */
  readonly statusEveryMs?: number;
}

const STATUS_EVERY_MS = 60_000;
/** A tick later than this is not posted separately; its prices go out with the next. */
const LATE_MS = 1_000;

/** Posts every tick at its time. A price that could not be posted waits until a newer one replaces it. */
export class Poster {
  readonly #options: PosterOptions;
  readonly #backoff: Backoff;
  /** Latest unposted price of each channel. */
  readonly #pending = new Map<string, { print: Print; sinceMs: number }>();
  #counts = { posts: 0, accepted: 0, rejected: 0, failures: 0 };
  #statusAtMs = performance.now();
  #down = false;

  constructor(options: PosterOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.backoff);
  }

  /** Runs until the ticks end or the signal aborts; never throws for a fault of the exchange. */
  async run(ticks: Iterable<PriceTick> | AsyncIterable<PriceTick>): Promise<void> {
    const { signal } = this.#options;
    const startedMs = performance.now();
    for await (const { atMs, prints } of ticks) {
      const sinceMs = startedMs + atMs;
      for (const print of prints) this.#pending.set(`${print.symbol} ${print.source}`, { print, sinceMs });
      const waitMs = startedMs + atMs - performance.now();
      if (waitMs < -LATE_MS && !signal.aborted) continue;
      await pause(waitMs, signal);
      if (signal.aborted) return;
      await this.#post();
      this.#reportStatus();
    }
    while (this.#pending.size > 0 && !signal.aborted) await this.#post();
  }

  async #post(): Promise<void> {
    this.#forgetPast();
    if (this.#pending.size === 0) return;
    try {
      const { accepted, rejected, rowErrors } = await this.#options.sink.prints(
        [...this.#pending.values()].map(({ print }) => print),
      );
      this.#pending.clear();
      this.#recovered();
      this.#options.metrics?.posted({ accepted, rejected });
      this.#counts.posts += 1;
      this.#counts.accepted += accepted;
      this.#counts.rejected += rejected;
      if (rejected > 0 && this.#counts.rejected === rejected)
        this.#options.log(`prints refused: ${rowErrors[0]?.error}`);
    } catch (error) {
      await this.#failed(error);
    }
  }

  // The venue times a print on arrival (ORA-1), so an old price would look fresh.
  #forgetPast(): void {
    const { keepMs } = this.#options;
    if (keepMs === undefined) return;
    for (const [key, { sinceMs }] of this.#pending)
      if (performance.now() - sinceMs > keepMs) this.#pending.delete(key);
  }

  #recovered(): void {
    this.#backoff.reset();
    if (this.#down) this.#options.log('posting again');
    this.#down = false;
  }

  async #failed(error: unknown): Promise<void> {
    if (!(error instanceof Error)) throw error;
    this.#counts.failures += 1;
    this.#options.metrics?.failed();
    if (!this.#down && !this.#options.signal.aborted)
      this.#options.log(`cannot post prices, trying again: ${error.message}`);
    this.#down = true;
    await pause(this.#backoff.next(), this.#options.signal);
  }

  #reportStatus(): void {
    const { report, statusEveryMs = STATUS_EVERY_MS } = this.#options;
    if (performance.now() - this.#statusAtMs < statusEveryMs) return;
    const { posts, accepted, rejected, failures } = this.#counts;
    this.#options.log(
      `last minute: ${posts} posts, ${accepted} prints, ${rejected} refused, ${failures} failures${report === undefined ? '' : `; ${report()}`}`,
    );
    this.#counts = { posts: 0, accepted: 0, rejected: 0, failures: 0 };
    this.#statusAtMs = performance.now();
  }
}
