/** A connection to a local upstream, with its log lines and published prices. */

import type { Print } from '../src/tick.ts';
import { PriceBoard } from '../src/upstream/board.ts';
import { type Hooks, keepConnected } from '../src/upstream/connection.ts';

export class Connected {
  readonly lines: string[] = [];
  readonly board = new PriceBoard({ outlierBps: 500, ageMaxMs: 10_000 });
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  readonly #latest = new Map<string, number>();

  readonly log = (line: string): void => {
    this.lines.push(line);
  };

  run(listen: (signal: AbortSignal, hooks: Hooks) => Promise<string>, silenceMs = 2_000): void {
    const backoff = { firstMs: 10, limitMs: 40 };
    this.#running = keepConnected({
      name: 'up',
      listen,
      silenceMs,
      signal: this.#stop.signal,
      log: this.log,
      backoff,
    });
  }

  /** New prices since the last call, as `source price`. */
  take(): string[] {
    const prints = this.board.take();
    for (const { source, price } of prints) this.#latest.set(source, price);
    return prints.map(({ symbol, source, price }: Print) => `${symbol} ${source} ${price}`);
  }

  /** The latest price of a source. */
  price(source: string): number | undefined {
    this.take();
    return this.#latest.get(source);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

/** Repeats an action until it has had its effect; fails after a minute. */
export async function until(isSo: () => boolean, nudge: () => void = () => {}): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!isSo()) {
    if (performance.now() > deadlineMs) throw new Error(`waited in vain for ${isSo}`);
    nudge();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
