/** Moves old entries out of a log in a file, so that it does not grow without end (LOG-5). */

import type { Log } from '@venue/log';
import type { Snapshots } from './snapshots.ts';

/** Copies the entries below the older snapshot to a file, durably, and resolves with the last; null if there are none. */
export type CopyToArchive = (request: {
  readonly log: string;
  readonly folder: string;
  readonly firstSeq: number;
  readonly signal: AbortSignal;
}) => Promise<number | null>;

export interface ArchivingOptions {
  readonly log: Pick<Log, 'firstSeq' | 'dropBefore'>;
  readonly snapshots: Pick<Snapshots, 'saveIfOlder'>;
  readonly copy: CopyToArchive;
  /** The log, as `openLogReader` takes it, and the folder of its archives. */
  readonly place: { readonly log: string; readonly folder: string };
  readonly everyMs: number;
  readonly onError: (error: Error) => void;
}

/** A start has to fall back on the older snapshot, so two of them come in the time of a round. */
const SNAPSHOTS_PER_ROUND = 2;

export class Archiving {
  readonly #options: ArchivingOptions;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #current = Promise.resolve();
  #round = 0;

  constructor(options: ArchivingOptions) {
    this.#options = options;
  }

  begin(): void {
    const { everyMs } = this.#options;
    this.#timer = setTimeout(() => {
      this.#current = this.#step().then(() => {
        if (!this.#stop.signal.aborted) this.begin();
      });
    }, everyMs / SNAPSHOTS_PER_ROUND);
    this.#timer.unref();
  }

  /** Gives up a copy under way: the entries stay in the log, and go with the next. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#current;
  }

  async #step(): Promise<void> {
    const { snapshots, everyMs, onError } = this.#options;
    try {
      await snapshots.saveIfOlder(everyMs / SNAPSHOTS_PER_ROUND);
      this.#round += 1;
      if (this.#round % SNAPSHOTS_PER_ROUND === 0) await this.#move();
    } catch (error) {
      if (!this.#stop.signal.aborted) onError(error as Error);
    }
  }

  async #move(): Promise<void> {
    const { log, copy, place } = this.#options;
    const { signal } = this.#stop;
    const toSeq = await copy({ ...place, firstSeq: await log.firstSeq(), signal });
    if (toSeq !== null && !signal.aborted) await log.dropBefore(toSeq + 1);
  }
}
