/** Collects the changes of a public channel that a slow client has missed, so that it catches up with one delta. */

import type { Change } from './content.ts';

/** Beyond, a fresh snapshot is sent instead (STR-3). */
const BYTES_MAX = 262_144;

interface Dated {
  readonly change: Change;
  /** The entry after which the member was so. */
  readonly seq: number;
}

export class Recent {
  /** The newest change of each row and value, in the order of the changes. */
  readonly #changes = new Map<string, Dated>();
  #bytes = 0;
  /** All changes after this entry are here. */
  #from: number;

  constructor(from: number) {
    this.#from = from;
  }

  add(changes: readonly Change[], seq: number): void {
    for (const change of changes) {
      const id = `${change.member} ${change.key ?? ''}`;
      this.#bytes += change.json.length - (this.#changes.get(id)?.change.json.length ?? 0);
      this.#changes.delete(id);
      this.#changes.set(id, { change, seq });
    }
    if (this.#bytes <= BYTES_MAX) return;
    this.#changes.clear();
    this.#bytes = 0;
    this.#from = seq;
  }

  /** The changes after an entry, or null if they are not all here. */
  after(seq: number): readonly Change[] | null {
    if (seq < this.#from) return null;
    return [...this.#changes.values()].filter((dated) => dated.seq > seq).map(({ change }) => change);
  }
}
