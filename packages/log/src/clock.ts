/** The time of entries, from a clock that is trusted only while a second clock confirms it (CLOCK-1, OWN-51). */

import { readFileSync } from 'node:fs';

/** The clock that gives a log's entries their time. */
export interface LogClock {
  /** Unix ms, and the reason not to trust it, if any. `lastTs` is the time of the last entry, if that matters. */
  read(lastTs?: number): { readonly nowMs: number; readonly fault: string | undefined };
  /** True if an entry may reuse the last entry's time although that is ahead of the clock. */
  readonly mayLag: boolean;
  /** Another clock agrees, so trust this one from now on. */
  confirm(): void;
  /** The operator confirms that the clock is right. */
  accept(): void;
}

/** A clock is wrong if it is off by more than this. */
export const CLOCK_STEP_MS = 2_000;
/** The rate at which a small difference is absorbed: 1 ms per second, twice the rate NTP may use. */
const SLEW = 0.001;

export interface ClockSources {
  /** Unix ms. */
  readonly wallMs: () => number;
  /** A monotonic clock. Unaffected by changes to the wall clock, and may stop while the machine sleeps. */
  readonly steadyMs: () => number;
  /** A monotonic clock that also runs during sleep; undefined if there is none. */
  readonly sinceBootMs: () => number | undefined;
}

/** A wall clock that is compared with the monotonic clock on every read, so that no entry gets the time of a step. */
export class SteadyClock implements LogClock {
  mayLag = false;
  readonly #sources: ClockSources;
  #steadyMs!: number;
  /** Unix ms at the monotonic clock's zero. */
  #originMs!: number;
  #asleepMs!: number;

  constructor(sources: ClockSources = SYSTEM) {
    this.#sources = sources;
    this.confirm();
  }

  read(lastTs?: number): { nowMs: number; fault: string | undefined } {
    const nowMs = Math.floor(this.#sources.wallMs());
    const stepMs = this.#stepMs(nowMs);
    if (Math.abs(stepMs) > CLOCK_STEP_MS) return { nowMs, fault: `the clock jumped ${distance(stepMs)}` };
    if (lastTs === undefined) return { nowMs, fault: undefined };
    const behindMs = lastTs - nowMs;
    if (behindMs <= 0) this.mayLag = false;
    if (behindMs > CLOCK_STEP_MS && !this.mayLag)
      return { nowMs, fault: `the clock is ${inWords(behindMs)} behind the last entry of the log` };
    return { nowMs, fault: undefined };
  }

  confirm(): void {
    const { wallMs, steadyMs } = this.#sources;
    this.#steadyMs = steadyMs();
    this.#originMs = wallMs() - this.#steadyMs;
    this.#asleepMs = this.#asleep();
  }

  accept(): void {
    this.confirm();
    this.mayLag = true;
  }

  /** How far the wall clock is from its expected time. */
  #stepMs(nowMs: number): number {
    const steadyMs = this.#sources.steadyMs();
    const elapsedMs = steadyMs - this.#steadyMs;
    let stepMs = nowMs - steadyMs - this.#originMs;
    if (Math.abs(stepMs) > CLOCK_STEP_MS) {
      const asleepMs = this.#asleep();
      stepMs -= asleepMs - this.#asleepMs;
      this.#originMs += asleepMs - this.#asleepMs;
      this.#asleepMs = asleepMs;
      if (Math.abs(stepMs) > CLOCK_STEP_MS) return stepMs;
    }
    const slewMs = elapsedMs * SLEW;
    this.#originMs += Math.max(-slewMs, Math.min(slewMs, stepMs));
    this.#steadyMs = steadyMs;
    return stepMs;
  }

  /** How long the machine has slept since boot, as far as that is known. */
  #asleep(): number {
    const sinceBootMs = this.#sources.sinceBootMs();
    return sinceBootMs === undefined ? 0 : sinceBootMs - this.#sources.steadyMs();
  }
}

const SYSTEM: ClockSources = {
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  sinceBootMs: () => {
    try {
      return Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1_000;
    } catch {
      // On systems other than Linux the monotonic clock keeps running while the machine sleeps.
      return undefined;
    }
  },
};

/** A clock that is always trusted. */
export function plainClock(now: () => number): LogClock {
  return { read: () => ({ nowMs: now(), fault: undefined }), mayLag: true, confirm() {}, accept() {} };
}

function distance(ms: number): string {
  return `${inWords(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'back'}`;
}

export function inWords(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
