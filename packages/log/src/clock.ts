/** The time of entries, from a clock that is believed only while another one bears it out (CLOCK-1, OWN-51). */

import { readFileSync } from 'node:fs';

/** The clock that a log stamps its entries by. */
export interface LogClock {
  /** Unix ms, and why it is not to be believed, in words; `lastTs` is the time of the last entry, if that matters. */
  read(lastTs?: number): { readonly nowMs: number; readonly fault: string | undefined };
  /** Whether an entry may get the time of the last one although that lies ahead of the clock. */
  readonly mayLag: boolean;
  /** Another clock says the same: believed from now on. */
  confirm(): void;
  /** The operator says that it is right. */
  accept(): void;
}

/** Off by more than this, a clock is wrong. */
export const CLOCK_STEP_MS = 2_000;
/** The rate at which a difference is put right: 1 ms in a second, twice what NTP may. */
const SLEW = 0.001;

export interface ClockSources {
  /** Unix ms. */
  readonly wallMs: () => number;
  /** Goes on evenly, whatever is done to the wall clock, and perhaps not while the machine sleeps. */
  readonly steadyMs: () => number;
  /** The same, and also while it sleeps; undefined where no clock does that. */
  readonly sinceBootMs: () => number | undefined;
}

/** A wall clock that is held against the monotonic one at every look, so that no entry gets the time of a step. */
export class SteadyClock implements LogClock {
  mayLag = false;
  readonly #sources: ClockSources;
  #steadyMs!: number;
  /** Unix ms when the monotonic clock was at zero. */
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

  /** How far the wall clock is from where it should be by now. */
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

  /** How long the machine has slept since it was started, as far as that can be told. */
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
      // Elsewhere than on Linux the monotonic clock goes on while the machine sleeps.
      return undefined;
    }
  },
};

/** A clock that is believed whatever it says. */
export function plainClock(now: () => number): LogClock {
  return { read: () => ({ nowMs: now(), fault: undefined }), mayLag: true, confirm() {}, accept() {} };
}

function distance(ms: number): string {
  return `${inWords(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'back'}`;
}

export function inWords(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
