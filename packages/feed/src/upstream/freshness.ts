/** Whether an upstream timestamp is of now: neither history nor the future, whatever the local clock does. */

export interface Clock {
  /** Unix milliseconds; may step either way when somebody sets it. */
  wallMs(): number;
  /** Milliseconds since some moment; never steps. */
  steadyMs(): number;
}

export const SYSTEM_CLOCK: Clock = { wallMs: () => Date.now(), steadyMs: () => performance.now() };

/** Clocks of two well-kept machines differ by less. */
const FUTURE_MAX_MS = 5_000;

/**
 * Judges timestamps by two clocks: the wall clock, and the steady clock counted on from when the wall clock last
 * agreed with the upstream. One of them is enough. So a wall clock that is set wrong while the feed runs changes
 * nothing, and one that was wrong from the start heals the feed as soon as it is put right.
 */
export class Freshness {
  readonly #clock: Clock;
  readonly #ageMaxMs: number;
  #steadyToWallMs: number;

  constructor(clock: Clock, ageMaxMs: number) {
    this.#clock = clock;
    this.#ageMaxMs = ageMaxMs;
    this.#steadyToWallMs = clock.wallMs() - clock.steadyMs();
  }

  /** Null for a timestamp, in unix milliseconds, that is of now. */
  fault(upstreamMs: number): 'history' | 'future' | null {
    const wallMs = this.#clock.wallMs();
    const steadyMs = this.#clock.steadyMs();
    if (this.#isFresh(wallMs - upstreamMs)) {
      this.#steadyToWallMs = wallMs - steadyMs;
      return null;
    }
    if (this.#isFresh(steadyMs + this.#steadyToWallMs - upstreamMs)) return null;
    return wallMs > upstreamMs ? 'history' : 'future';
  }

  #isFresh(ageMs: number): boolean {
    return ageMs <= this.#ageMaxMs && ageMs >= -FUTURE_MAX_MS;
  }
}
