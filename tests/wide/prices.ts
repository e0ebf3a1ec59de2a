/** A test price feed, and the settlement price computed by hand from its posts. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedPrint } from '@venue/protocol';
import type { FeedWrites } from '@venue/sdk';

const TICK_MS = 250;
const WINDOW_MS = 30 * 60_000;
/** The clocks of two processes have whole milliseconds. */
const READING_MS = 2;
const MICRO = 1e-6;

/** A print, with bounds on the time the log can have given it. */
interface Posted extends FeedPrint {
  readonly sentMs: number;
  readonly answeredMs: number;
}

export interface PosterOptions {
  readonly feed: FeedWrites;
  readonly now: () => number;
  /** The prices of one tick, by its time. */
  readonly pricesAt: (ms: number) => readonly FeedPrint[];
}

/** Posts prices until it is stopped. */
export class Poster {
  readonly posted: Posted[] = [];
  readonly #options: PosterOptions;
  readonly #ended: Promise<void>;
  #stopped = false;

  constructor(options: PosterOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Rejects with the first error while posting. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { feed, now, pricesAt } = this.#options;
    while (!this.#stopped) {
      const sentMs = now();
      const prints = pricesAt(sentMs);
      const { rejected } = await feed.prints([...prints]);
      assert.equal(rejected, 0);
      const answeredMs = now();
      for (const print of prints) this.posted.push({ ...print, sentMs, answeredMs });
      await sleep(TICK_MS);
    }
  }
}

export interface HandAverage {
  readonly price: number;
  /** Its maximum error, as the log timed each print between its sending and its answer. */
  readonly tolerance: number;
}

/** The average of one source's prints over the half hour before a cutoff; the first counts from its start on. */
export function averageByHand(prints: readonly Posted[], cutoffMs: number): HandAverage {
  const inside = prints.filter(({ sentMs }) => sentMs <= cutoffMs);
  let sum = 0;
  let slack = 0;
  for (const [i, { price, sentMs, answeredMs }] of inside.entries()) {
    const fromMs = i === 0 ? cutoffMs - WINDOW_MS : sentMs;
    const untilMs = inside[i + 1]?.sentMs ?? cutoffMs;
    sum += price * (untilMs - fromMs);
    const step = price - (inside[i - 1]?.price ?? price);
    slack += Math.abs(step) * (answeredMs - sentMs + READING_MS);
  }
  return { price: sum / WINDOW_MS, tolerance: slack / WINDOW_MS + MICRO };
}

/** The middle one of an odd number of averages. */
export function medianByHand(averages: readonly HandAverage[]): HandAverage {
  const sorted = [...averages].sort((a, b) => a.price - b.price);
  const tolerance = Math.max(...averages.map((average) => average.tolerance));
  return { price: sorted[Math.floor(sorted.length / 2)]!.price, tolerance };
}
