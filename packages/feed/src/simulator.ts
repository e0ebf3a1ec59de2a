/** A simulated market: seeded, endless, and the same in every run with one seed. */

import type { InstrumentProfile } from '@venue/protocol/simulation';
import { Random } from '@venue/protocol/simulation';
import { PricePaths } from './paths.ts';
import { SOURCES, SourceChannel } from './sources.ts';
import type { PriceTick, Print } from './tick.ts';

export interface SimulationOptions {
  /** Any safe integer. */
  readonly seed: number;
  readonly instruments: readonly InstrumentProfile[];
  readonly tickMs: number;
  /** Mean time between two gaps of a channel of one symbol, by default 20 minutes; Infinity for none. */
  readonly gapEveryMs?: number;
}

const GAP_EVERY_MS = 20 * 60_000;

/**
 * Yields one tick every `tickMs` of simulated time, forever. A tick carries the prices that changed; an unchanged
 * price is repeated every few seconds.
 *
 * @example for (const tick of simulate({ seed: 1, instruments: [profileOf('BTC', 'crypto')], tickMs: 250 })) …
 */
export function* simulate(options: SimulationOptions): Generator<PriceTick> {
  const { seed, instruments, tickMs, gapEveryMs = GAP_EVERY_MS } = options;
  const random = new Random(seed);
  const paths = new PricePaths(random, instruments);
  const rows = instruments.map((instrument) =>
    SOURCES.map((profile) => new SourceChannel(random, instrument, profile, { gapEveryMs })),
  );
  const past = new PriceHistory(tickMs, Math.max(...SOURCES.map(({ latencyMs }) => latencyMs)));
  for (let atMs = 0; ; atMs += tickMs) {
    past.push(paths.prices);
    yield { atMs, prints: printsOf(rows, past, atMs, tickMs) };
    paths.step(tickMs);
  }
}

function printsOf(
  rows: readonly (readonly SourceChannel[])[],
  past: PriceHistory,
  atMs: number,
  tickMs: number,
): Print[] {
  const prints: Print[] = [];
  for (const [i, channels] of rows.entries()) {
    for (const channel of channels) {
      const price = channel.observe(past.price(i, channel.latencyMs), atMs, tickMs);
      if (price !== null) prints.push({ symbol: channel.symbol, source: channel.source, price });
    }
  }
  return prints;
}

/** Prices of the last few ticks, for channels with latency. */
class PriceHistory {
  readonly #tickMs: number;
  readonly #length: number;
  /** Newest first. */
  readonly #rows: number[][] = [];

  constructor(tickMs: number, reachMs: number) {
    this.#tickMs = tickMs;
    this.#length = Math.ceil(reachMs / tickMs) + 1;
  }

  push(prices: readonly number[]): void {
    this.#rows.unshift([...prices]);
    this.#rows.length = Math.min(this.#rows.length, this.#length);
  }

  /** The price of instrument `i` some time ago, interpolated linearly between two ticks. */
  price(i: number, agoMs: number): number {
    const back = Math.min(agoMs / this.#tickMs, this.#rows.length - 1);
    const newer = this.#rows[Math.floor(back)]![i]!;
    const older = this.#rows[Math.ceil(back)]![i]!;
    return newer + (older - newer) * (back % 1);
  }
}
