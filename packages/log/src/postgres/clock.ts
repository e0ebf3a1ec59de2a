import { CLOCK_STEP_MS, inWords, type LogClock, SteadyClock } from '../clock.ts';

/** One comparison with the server's clock. */
export interface ServerTime {
  /** This machine's clock, before and after the request. */
  readonly sentMs: number;
  readonly heardMs: number;
  readonly serverMs: number;
  /** Time of the last entry. */
  readonly lastTs: number;
}

/** The database's clock, which gives entries their time, checked against this machine's (CLOCK-1). */
export class DatabaseClock {
  readonly #own: LogClock;
  readonly #server: SteadyClock;
  #serverMs = 0;
  #hasHeard = false;
  /** Why the clock is not trusted, in words; undefined if it is. */
  fault: string | undefined;

  /** `own` is this machine's clock; `steadyMs` is its monotonic one. */
  constructor(own: LogClock, steadyMs = () => performance.now()) {
    this.#own = own;
    this.#server = new SteadyClock({ wallMs: () => this.#serverMs, steadyMs, sinceBootMs: () => undefined });
  }

  /**
   * True if the clocks must be compared before the next append, because the server refused one; that answer may have
   * been slow.
   */
  isSuspect = false;

  compare({ sentMs, heardMs, serverMs, lastTs }: ServerTime): void {
    const offMs = serverMs < sentMs ? serverMs - sentMs : Math.max(0, serverMs - heardMs);
    const behindMs = lastTs - serverMs;
    const tookMs = heardMs - sentMs;
    const isOff = Math.abs(offMs) > CLOCK_STEP_MS;
    // A slow answer proves nothing.
    const doAgree = !isOff && tookMs >= 0 && tookMs <= CLOCK_STEP_MS;
    this.isSuspect = false;
    if (isOff) this.fault = differing(offMs);
    else if (behindMs > CLOCK_STEP_MS && !this.#own.mayLag)
      this.fault = `the clock of the database is ${inWords(behindMs)} behind the last entry of the log`;
    else this.fault = undefined;
    this.#serverMs = serverMs;
    if (!this.#hasHeard) this.#server.confirm();
    this.#hasHeard = true;
    if (doAgree) this.#confirm();
  }

  /** Two clocks that agree confirm each other, unless both have jumped: they may be on the same machine. */
  #confirm(): void {
    if (this.#own.read().fault === undefined) this.#server.confirm();
    else if (this.#server.read().fault === undefined) this.#own.confirm();
  }
}

function differing(offMs: number): string {
  const where = offMs > 0 ? 'ahead of' : 'behind';
  return `the clock of the database is ${inWords(Math.abs(offMs))} ${where} this machine's`;
}
