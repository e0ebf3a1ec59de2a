/** Which fills a stream did not bring: told by their time, as frames of fills have no id. */

import type { FillRecord, StreamFill } from '@venue/protocol';

/**
 * How far a stream has come. The cursor is the newest `ts` that arrived. Fills of that very millisecond are counted
 * one by one, so that none is lost and none comes twice, however a connection ends.
 */
export class FillCursor {
  #ts: number | null;
  /** How often each fill of the newest millisecond has arrived; null when all of them have. */
  #seen: Map<string, number> | null = null;
  /** What a read told before the stream did: frames go out on a tick, so the stream may bring it yet. */
  #early = new Map<string, number>();

  /** Goes on from a time in unix milliseconds, whose own fills have all arrived; null from wherever the account stands. */
  constructor(ts: number | null = null) {
    this.#ts = ts;
  }

  /** The newest `ts` that has arrived, or where it goes on from; null before the first look at the account. */
  get ts(): number | null {
    return this.#ts;
  }

  /** Notes a fill that the stream brings; false for one that was handed on from a read before. */
  arrives(fill: StreamFill): boolean {
    const isEarly = count(this.#early, fill, 0) > 0;
    if (isEarly) count(this.#early, fill, -1);
    else this.#note(fill);
    return !isEarly;
  }

  /**
   * Those of a list that have not arrived, oldest first, which are noted as handed on. The list is newest first, as
   * `GET /v1/fills` gives it, and reaches back past the cursor; `coming` are those that the connection has brought since it
   * was opened. The first look at an account misses nothing: it says where the account stands.
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

/** What a frame shows of a fill. */
function streamFillOf({ seriesId, side, price, qty, ts, taker, signer }: StreamFill): StreamFill {
  return { seriesId, side, price, qty, ts, taker, ...(signer !== undefined && { signer }) };
}

/** Adds to how often a fill is counted, and gives the sum. */
function count(counts: Map<string, number>, fill: StreamFill, by: number): number {
  const key = JSON.stringify(streamFillOf(fill));
  const sum = (counts.get(key) ?? 0) + by;
  if (by !== 0) counts.set(key, sum);
  return sum;
}
