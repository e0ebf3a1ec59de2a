/**
 * The moments of an hour at which samples are taken. They follow from the time of the log alone, so that every start
 * finds the same ones.
 */

export const HOUR_MS = 3_600_000;
/** Each is a second of the first minute of an hour. */
export const SLOTS = 60;
const SLOT_MS = 1_000;

export interface DueSlot {
  readonly slot: number;
  /** Hours since the Unix epoch. */
  readonly hour: number;
}

/** The newest hour in which a slot has come by a time of the log. */
export function hourOf(slot: number, ts: number): number {
  return Math.floor((ts - slot * SLOT_MS) / HOUR_MS);
}

const NOTHING_DUE: readonly DueSlot[] = [];

export class HourSlots {
  /** The time of the last entry. */
  #ts: number;

  /** `ts` is the time of the last entry before those that it will hear of. */
  constructor(ts: number) {
    this.#ts = ts;
  }

  /** The slots that came with an entry, each once: after a long silence for the newest hour alone. */
  due(ts: number): readonly DueSlot[] {
    const before = this.#ts;
    this.#ts = ts;
    if (Math.floor(ts / SLOT_MS) === Math.floor(before / SLOT_MS)) return NOTHING_DUE;
    const due: DueSlot[] = [];
    for (let slot = 0; slot < SLOTS; slot++) {
      const hour = hourOf(slot, ts);
      if (hour > hourOf(slot, before)) due.push({ slot, hour });
    }
    return due;
  }
}
