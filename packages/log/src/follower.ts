import type { Follower, FollowOptions, LogEntry } from './log.ts';

/** Reads at least one stored entry from `fromSeq`, none beyond `toSeq`. */
export type ReadPage = (fromSeq: number, toSeq: number) => Promise<readonly LogEntry[]>;

export interface FollowerSource {
  readonly fromSeq: number;
  /** The last seq to read from the store; later entries arrive through `offer`. */
  readonly storedSeq: number;
  readonly readPage: ReadPage;
}

/**
 * One reader of a log. Entries that become durable while it still reads stored ones wait in memory, because reading
 * them back from the store would lose the `local` value attached by this process.
 */
export class LogFollower implements Follower {
  readonly caughtUp: Promise<number>;
  readonly #onEntries: (entries: readonly LogEntry[]) => void;
  readonly #onError: (error: unknown) => void;
  readonly #rejectCaughtUp: (error: unknown) => void;
  /** Batches that became durable during the replay; undefined once the follower is live. */
  #waiting: (readonly LogEntry[])[] | undefined = [];
  #nextSeq: number;
  #stopped = false;

  constructor(
    source: FollowerSource,
    onEntries: (entries: readonly LogEntry[]) => void,
    options: FollowOptions,
  ) {
    this.#nextSeq = source.fromSeq;
    this.#onEntries = onEntries;
    this.#onError = options.onError ?? throwUncaught;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.caughtUp = promise;
    this.#rejectCaughtUp = reject;
    // A caller that awaits the promise sees the rejection; for others it has been reported elsewhere.
    promise.catch(() => {});
    this.#replay(source).then(
      () => {
        resolve(source.storedSeq);
        this.#goLive();
      },
      (error) => this.end(error),
    );
  }

  stop(): void {
    this.end(new Error('the follower was stopped before it caught up'));
  }

  /** Stops permanently; a pending `caughtUp` rejects with `reason`. */
  end(reason: unknown): void {
    this.#stopped = true;
    this.#waiting = [];
    this.#rejectCaughtUp(reason);
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Delivers entries that have just become durable. */
  offer(entries: readonly LogEntry[]): void {
    if (this.#waiting === undefined) this.#deliver(entries);
    else if (!this.#stopped) this.#waiting.push(entries);
  }

  async #replay({ storedSeq, readPage }: FollowerSource): Promise<void> {
    if (this.#nextSeq > storedSeq) return;
    let ahead: Promise<readonly LogEntry[]> | undefined = readPage(this.#nextSeq, storedSeq);
    while (ahead !== undefined) {
      const page: readonly LogEntry[] = await ahead;
      const lastSeq = page.at(-1)!.seq;
      // Let the store read the next page while this one is being applied.
      ahead = lastSeq < storedSeq && !this.#stopped ? readPage(lastSeq + 1, storedSeq) : undefined;
      ahead?.catch(() => {});
      this.#deliver(page);
      if (this.#stopped) return;
    }
  }

  #goLive(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const entries of waiting) this.#deliver(entries);
  }

  #deliver(entries: readonly LogEntry[]): void {
    const due = entries[0]!.seq >= this.#nextSeq ? entries : entries.filter((e) => e.seq >= this.#nextSeq);
    if (this.#stopped || due.length === 0) return;
    this.#nextSeq = due.at(-1)!.seq + 1;
    try {
      this.#onEntries(due);
    } catch (error) {
      this.end(error);
      this.#onError(error);
    }
  }
}

function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
