/** The venue's time, whatever the clock of this machine says: taken from the `Date` header of an answer. */

/** A header has whole seconds: on average half of one is cut off. */
const CUT_OFF_MS = 500;
/** Measured more often than this it would only wander. */
const MEASURE_EVERY_MS = 5 * 60_000;

export interface VenueClockOptions {
  /** The `Date` header of an answer of the venue, or null where there is none. Rejects when nobody answers. */
  readonly readDate: () => Promise<string | null>;
  /** Told how far the venue is ahead of this machine, in ms. */
  readonly onAhead: (aheadMs: number) => void;
  readonly machineNow?: () => number;
}

export class VenueClock {
  readonly #options: VenueClockOptions;
  #aheadMs = 0;

  constructor(options: VenueClockOptions) {
    this.#options = options;
  }

  /** Unix milliseconds. The machine's own time until the first measurement. */
  readonly now = (): number => this.#machineNow() + this.#aheadMs;

  /** Measures now and every few minutes. */
  start(): void {
    void this.measure();
    setInterval(() => void this.measure(), MEASURE_EVERY_MS);
  }

  /**
   * Asks the venue for the time. The answer was made between question and receipt, so that its middle is the best guess;
   * what the header itself cannot tell apart from the machine's time changes nothing. Without an answer all stays.
   */
  async measure(): Promise<void> {
    const askedMs = this.#machineNow();
    const date = await this.#options.readDate().catch(() => null);
    const dateMs = date === null ? Number.NaN : Date.parse(date);
    if (Number.isNaN(dateMs)) return;
    const receivedMs = this.#machineNow();
    const aheadMs = dateMs + CUT_OFF_MS - (askedMs + receivedMs) / 2;
    const slackMs = CUT_OFF_MS + Math.abs(receivedMs - askedMs) / 2;
    this.#aheadMs = Math.abs(aheadMs) <= slackMs ? 0 : Math.round(aheadMs);
    this.#options.onAhead(this.#aheadMs);
  }

  #machineNow(): number {
    return (this.#options.machineNow ?? Date.now)();
  }
}

/** From here on the page says so: the venue takes signatures within a minute of its own time. */
const WORTH_SAYING_MS = 30_000;

/**
 * What the header says about a clock that is wrong, or null while it is right.
 *
 * @example clockText(-420_000) // 'Your clock is 7 min fast. …'
 */
export function clockText(aheadMs: number): string | null {
  const offMs = Math.abs(aheadMs);
  if (offMs < WORTH_SAYING_MS) return null;
  const minutes = Math.round(offMs / 60_000);
  const by =
    offMs < 90_000
      ? `${Math.round(offMs / 1_000)} s`
      : minutes < 120
        ? `${minutes} min`
        : `${Math.round(minutes / 60)} h`;
  return `Your clock is ${by} ${aheadMs > 0 ? 'slow' : 'fast'}. The page uses the venue's time.`;
}
