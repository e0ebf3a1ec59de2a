/** The venue's time, independent of this machine's clock: taken from the `Date` header of answers. */

/** The header has whole seconds: half a second is cut off on average. */
const CUT_OFF_MS = 500;
/** Measuring more often would only add jitter. */
const MEASURE_EVERY_MS = 5 * 60_000;

export interface VenueClockOptions {
  /** The `Date` header of an answer, or null if there is none. Rejects when the venue does not answer. */
  readonly readDate: () => Promise<string | null>;
  /** Called with how far the venue is ahead of this machine, in ms. */
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
   * Measures the venue's time. The answer was made between request and receipt, so the midpoint is the best estimate;
   * differences below the header's resolution are ignored. Without an answer nothing changes.
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

/** From this difference on the page warns: the venue accepts signatures within a minute of its own time. */
const WORTH_SAYING_MS = 30_000;

/**
 * The header's warning about a wrong clock, or null while it is right.
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
