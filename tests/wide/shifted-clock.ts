/** Processes whose clock runs at normal speed but is offset, with Debian's `faketime`. */

import { globSync, renameSync, writeFileSync } from 'node:fs';

const LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1';

/** The reason to skip where `faketime` is not installed, or null. Throws where skipping is forbidden. */
export function faketimeMissing(): string | null {
  if (library() !== undefined) return null;
  const line = 'needs the Debian package faketime';
  if (process.env.VENUE_TEST_REQUIRE === 'all')
    throw new Error(`${line}, and VENUE_TEST_REQUIRE forbids to skip`);
  return line;
}

function library(): string | undefined {
  return globSync(LIBRARY)[0];
}

/** A clock offset by whole seconds, for this process to read and for others to be started with. */
export class ShiftedClock {
  readonly #offsetS: number;

  /** Now reads about `ms`. */
  constructor(ms: number) {
    this.#offsetS = Math.round((ms - Date.now()) / 1_000);
  }

  /** Unix milliseconds. */
  now(): number {
    return Date.now() + this.#offsetS * 1_000;
  }

  /** Environment for a process: all its threads then read this clock. Timers use the machine's own. */
  get env(): Record<string, string> {
    const sign = this.#offsetS < 0 ? '-' : '+';
    return {
      LD_PRELOAD: library()!,
      FAKETIME: `${sign}${Math.abs(this.#offsetS)}s`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }
}

/** A clock set through a file: `set(7200)` puts it two hours ahead of the machine's, in running processes. */
export class SettableClock {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    this.set(0);
  }

  set(aheadS: number): void {
    writeFileSync(`${this.#file}.new`, `${aheadS < 0 ? '-' : '+'}${Math.abs(aheadS)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }

  get env(): Record<string, string> {
    return {
      LD_PRELOAD: library()!,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }
}
