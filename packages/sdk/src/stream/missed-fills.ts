/** Finds the fills that a stream did not deliver, by time, because frames of fills have no id. */

import type { FillRecord, StreamFill } from '@venue/protocol';

/**
 * A stream's position in the fills. The cursor is the newest `ts` that arrived. Fills of that same millisecond are
 * counted one by one, so that none is lost and none comes twice, however a connection ends.
 */
export class FillCursor {
  #ts: number | null;
  /** Counts of each fill of the newest millisecond; null once all have arrived. */
  #seen: Map<string, number> | null = null;
  /** Fills that a read found first. Frames go out on a tick, so the stream may still bring them. */
  #early = new Map<string, number>();

  /**
   * Continues from a time in unix milliseconds, whose own fills have all arrived; with null, from the account's
   * present state.
   */
  constructor(ts: number | null = null) {
    this.#ts = ts;
  }

  /** The newest `ts` that has arrived, or the starting point; null before the account was first read. */
  get ts(): number | null {
    return this.#ts;
  }

  /** Records a fill from the stream; false for one already delivered from a read. */
  arrives(fill: StreamFill): boolean {
    const isEarly = count(this.#early, fill, 0) > 0;
    if (isEarly) count(this.#early, fill, -1);
    else this.#note(fill);
    return !isEarly;
  }

  /**
   * Returns the fills of a list that have not arrived, oldest first, and records them as delivered. The list is
   * newest first, as in `GET /v1/fills`, and reaches back past the cursor; `coming` are those that the connection has
   * brought since it was opened. The first read of an account misses nothing: it sets the starting point.
   */
  missed(records: readonly FillRecord[], coming: readonly StreamFill[]): StreamFill[] {
    const isFirst = this.#ts === null;
    const cursor = this.#ts ?? 0;
    const known = new Map(this.#seen);
    for (const fill of coming) count(known, fill, 1);
    const missed = records
      .filter(({ ts }) => ts > cursor || (ts === cursor && this.#seen !== null))
      .map(streamFillOf)
      .filter((fill) => count(known, fill, -1) < 0)
      .reverse();
    for (const fill of missed) this.#note(fill);
    this.#ts ??= 0;
    this.#early = new Map();
    if (isFirst) return [];
    for (const fill of missed) count(this.#early, fill, 1);
    return missed;
  }

  #note(fill: StreamFill): void {
    if (this.#ts === null || fill.ts > this.#ts) {
      this.#ts = fill.ts;
      this.#seen = new Map();
    }
    if (fill.ts === this.#ts && this.#seen !== null) count(this.#seen, fill, 1);
  }
}

/** The part of a fill that a frame shows. */
function streamFillOf({ seriesId, side, price, qty, ts, taker, signer }: StreamFill): StreamFill {
  return { seriesId, side, price, qty, ts, taker, ...(signer !== undefined && { signer }) };
}

/** Counts a fill once more, and returns the new count. */
function count(counts: Map<string, number>, fill: StreamFill, by: number): number {
  const key = JSON.stringify(streamFillOf(fill));
  const sum = (counts.get(key) ?? 0) + by;
  if (by !== 0) counts.set(key, sum);
  return sum;
}
