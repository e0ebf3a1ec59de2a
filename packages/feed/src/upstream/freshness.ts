/** Decides whether an upstream timestamp is current, whatever the local clock does. */

export interface Clock {
  /** Unix milliseconds; may step either way when somebody sets it. */
  wallMs(): number;
  /** Milliseconds since an arbitrary moment; never steps. */
  steadyMs(): number;
}

export const SYSTEM_CLOCK: Clock = { wallMs: () => Date.now(), steadyMs: () => performance.now() };

/** More than the clock difference of two well-kept machines. */
const FUTURE_MAX_MS = 5_000;

/**
 * Checks timestamps against two clocks: the wall clock, and the steady clock counted from when the wall clock last
 * agreed with the upstream. Agreeing with one is enough. So a wall clock set wrong while the feed runs does no harm,
 * and one that was wrong from the start stops hurting as soon as it is corrected.
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

  /** Null for a current timestamp, in unix milliseconds. */
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
