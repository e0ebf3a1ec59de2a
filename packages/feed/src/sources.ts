/** Turns the true price into that of a channel: late, noisy, in its own steps, sometimes silent. */

import { MICROS_PER_UNIT, SIMULATED_PREFIX } from '@venue/protocol';
import type { InstrumentProfile, Random } from '@venue/protocol/simulation';

export interface SourceProfile {
  readonly source: string;
  /** Its price step, as a share of the instrument's. */
  readonly tickShare: number;
  /** Standard deviation of its error. */
  readonly noiseBps: number;
  readonly latencyMs: number;
}

/** Channels of one upstream market: its trades, its quotes, and a slower, finer average. */
export const SOURCES: readonly SourceProfile[] = [
  { source: `${SIMULATED_PREFIX}trades`, tickShare: 1, noiseBps: 0.8, latencyMs: 50 },
  { source: `${SIMULATED_PREFIX}mid`, tickShare: 0.5, noiseBps: 0.3, latencyMs: 150 },
  { source: `${SIMULATED_PREFIX}index`, tickShare: 0.1, noiseBps: 0.2, latencyMs: 400 },
];

/**
 * A price that has moved by less is not printed, because every print is an entry of the venue's log: noise of the last
 * step would fill it and tell nobody anything.
 */
const MOVE_BPS = 1;
/** It is printed again after this long, so that silence means a gap; far below the age at which the venue calls it stale. */
export const HEARTBEAT_MS = 12_000;

const GAP_MIN_MS = 2_000;
const GAP_MAX_MS = 12_000;
/** Share of its error that a channel keeps from one second to the next. */
const NOISE_MEMORY_PER_SECOND = 0.5;

export interface GapOptions {
  /** Mean time between two gaps of a channel of one symbol; Infinity for none. */
  readonly gapEveryMs: number;
}

/** One source of one symbol. */
export class SourceChannel {
  readonly symbol: string;
  readonly source: string;
  readonly latencyMs: number;
  readonly #random: Random;
  readonly #gapEveryMs: number;
  readonly #tickMicros: number;
  readonly #noise: number;
  #error: number;
  #silentFromMs: number;
  #silentUntilMs: number;
  #lastMicros = 0;
  #lastAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    random: Random,
    instrument: InstrumentProfile,
    profile: SourceProfile,
    { gapEveryMs }: GapOptions,
  ) {
    this.symbol = instrument.symbol;
    this.source = profile.source;
    this.latencyMs = profile.latencyMs;
    this.#random = random;
    this.#gapEveryMs = gapEveryMs;
    this.#tickMicros = Math.max(1, Math.round(instrument.tickMicros * profile.tickShare));
    this.#noise = profile.noiseBps / 10_000;
    this.#error = random.normal() * this.#noise;
    this.#silentFromMs = random.exponential(gapEveryMs);
    this.#silentUntilMs = this.#silentFromMs + this.#gapMs();
  }

  /**
   * The price to print at `atMs` given the true price `latencyMs` ago: a multiple of the channel's step, so exact in
   * micros. Null while the channel is silent or has nothing new.
   */
  observe(truePrice: number, atMs: number, stepMs: number): number | null {
    this.#drift(stepMs);
    if (this.#isSilent(atMs)) return null;
    const steps = Math.round((truePrice * (1 + this.#error) * MICROS_PER_UNIT) / this.#tickMicros);
    const micros = Math.max(1, steps) * this.#tickMicros;
    const hasMoved = Math.abs(micros - this.#lastMicros) * 10_000 >= MOVE_BPS * micros;
    if (!hasMoved && atMs - this.#lastAtMs < HEARTBEAT_MS) return null;
    this.#lastMicros = micros;
    this.#lastAtMs = atMs;
    return micros / MICROS_PER_UNIT;
  }

  // An error that reverts to zero keeps its standard deviation whatever the step.
  #drift(stepMs: number): void {
    const kept = NOISE_MEMORY_PER_SECOND ** (stepMs / 1_000);
    this.#error = kept * this.#error + Math.sqrt(1 - kept * kept) * this.#noise * this.#random.normal();
  }

  #isSilent(atMs: number): boolean {
    if (atMs >= this.#silentUntilMs) {
      this.#silentFromMs = this.#silentUntilMs + this.#random.exponential(this.#gapEveryMs);
      this.#silentUntilMs = this.#silentFromMs + this.#gapMs();
    }
    return atMs >= this.#silentFromMs && atMs < this.#silentUntilMs;
  }

  #gapMs(): number {
    return GAP_MIN_MS + this.#random.uniform() * (GAP_MAX_MS - GAP_MIN_MS);
  }
}
