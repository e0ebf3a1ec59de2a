import { CLOCK_STEP_MS, inWords, type LogClock, SteadyClock } from '../clock.ts';

/** One comparison with the server's clock. */
export interface ServerTime {
  /** By this machine's clock, before and after the server was asked. */
  readonly sentMs: number;
  readonly heardMs: number;
  readonly serverMs: number;
  /** Of the last entry. */
  readonly lastTs: number;
}

/** The clock of the database, which gives entries their time, held against this machine's (CLOCK-1). */
export class DatabaseClock {
  readonly #own: LogClock;
  readonly #server: SteadyClock;
  #serverMs = 0;
  #hasHeard = false;
  /** Why it is not to be believed, in words. */
  fault: string | undefined;

  /** `own` is this machine's; `steadyMs` is the monotonic one. */
  constructor(own: LogClock, steadyMs = () => performance.now()) {
    this.#own = own;
    this.#server = new SteadyClock({ wallMs: () => this.#serverMs, steadyMs, sinceBootMs: () => undefined });
  }

  /** Whether the clocks have to be compared before anything more goes out, as an append was refused; its way may have been long. */
  isSuspect = false;

  compare({ sentMs, heardMs, serverMs, lastTs }: ServerTime): void {
    const offMs = serverMs < sentMs ? serverMs - sentMs : Math.max(0, serverMs - heardMs);
    const behindMs = lastTs - serverMs;
    const tookMs = heardMs - sentMs;
    const isOff = Math.abs(offMs) > CLOCK_STEP_MS;
    // An answer that was long on its way proves nothing.
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

  /** Two that agree bear each other out, unless both have jumped: they may be of one machine. */
  #confirm(): void {
    if (this.#own.read().fault === undefined) this.#server.confirm();
    else if (this.#server.read().fault === undefined) this.#own.confirm();
  }
}

function differing(offMs: number): string {
  const where = offMs > 0 ? 'ahead of' : 'behind';
  return `the clock of the database is ${inWords(Math.abs(offMs))} ${where} this machine's`;
}
