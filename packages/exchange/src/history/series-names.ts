/** Names of series for the file of the history, which knows series by their number. */

import type { Series } from '@venue/engine';

export type SeriesName = readonly [sid: number, seriesId: string, symbol: string];

/** Names of series for the file, each given once. */
export class SeriesNames {
  #names: SeriesName[] = [];
  readonly #given = new Set<number>();

  add({ sid, seriesId, instrument }: Series): void {
    if (this.#given.has(sid)) return;
    this.#given.add(sid);
    this.#names.push([sid, seriesId, instrument.symbol]);
  }

  /** Removes and returns the names since the last call. */
  take(): readonly SeriesName[] {
    const names = this.#names;
    this.#names = [];
    return names;
  }
}
