import { isAboutRequest, LogClosedError } from './errors.ts';
import { LogFollower } from './follower.ts';
import type {
  BatchRecord,
  Follower,
  FollowOptions,
  Head,
  LogEntry,
  LogStatus,
  ReadOnlyLog,
  Snapshot,
} from './log.ts';
import type { ReadOnlyStore } from './store.ts';

/** The reading half of a log on top of a store: hands out what the store delivers, until the store fails. */
export abstract class StoredLog<Store extends ReadOnlyStore = ReadOnlyStore> implements ReadOnlyLog {
  readonly failed: Promise<Error>;
  protected readonly store: Store;
  readonly #resolveFailed: (error: Error) => void;
  readonly #followers = new Set<LogFollower>();
  #lastDelivered: Head;
  #failure: Error | undefined;
  #closed: Promise<void> | undefined;

  constructor(store: Store) {
    this.store = store;
    this.#lastDelivered = store.head;
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.failed = promise;
    this.#resolveFailed = resolve;
  }

  follow(
    fromSeq: number,
    onEntries: (entries: readonly LogEntry[]) => void,
    options: FollowOptions = {},
  ): Follower {
    if (!Number.isSafeInteger(fromSeq) || fromSeq < 1) throw new RangeError(`bad fromSeq ${fromSeq}`);
    const refusal = this.refusal();
    if (refusal) throw refusal;
    const readPage = (from: number, to: number) => this.ask(() => this.store.read(from, to));
    const source = { fromSeq, storedSeq: this.#lastDelivered.seq, readPage };
    const follower = new LogFollower(source, onEntries, options);
    this.#followers.add(follower);
    return follower;
  }

  head(): Promise<Head> {
    return this.ask(() => this.store.readHead());
  }

  firstSeq(): Promise<number> {
    return this.ask(() => this.store.firstSeq());
  }

  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.ask(() => this.store.readBatches(fromSeq, toSeq));
  }

  loadSnapshots(): Promise<Snapshot[]> {
    return this.ask(() => this.store.loadSnapshots());
  }

  readStamp(): Promise<Map<string, string>> {
    return this.ask(() => this.store.readStamp());
  }

  status(): LogStatus {
    return { ...this.store.status(), writable: true, ...(this.refusal() && { reachable: false }) };
  }

  close(): Promise<void> {
    this.#closed ??= this.#finishAndClose();
    return this.#closed;
  }

  /** The last entry delivered. */
  protected get lastDelivered(): Head {
    return this.#lastDelivered;
  }

  protected get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves once nothing is under way that a close must not cut off. */
  protected async finish(): Promise<void> {}

  protected publish(entries: readonly LogEntry[]): void {
    const { seq, ts } = entries.at(-1)!;
    this.#lastDelivered = { seq, ts };
    // A copy, because a follower may start or stop another one.
    for (const follower of [...this.#followers]) {
      follower.offer(entries);
      if (follower.stopped) this.#followers.delete(follower);
    }
  }

  protected refusal(): Error | undefined {
    if (this.#failure) return this.#failure;
    return this.#closed ? new LogClosedError() : undefined;
  }

  protected async ask<T>(request: () => Promise<T>): Promise<T> {
    const refusal = this.refusal();
    if (refusal) throw refusal;
    try {
      return await request();
    } catch (error) {
      if (!isAboutRequest(error)) this.fail(error as Error);
      throw error;
    }
  }

  protected fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#endFollowers(error);
    this.#resolveFailed(error);
  }

  async #finishAndClose(): Promise<void> {
    await this.finish();
    this.#endFollowers(new LogClosedError());
    if (this.#failure) await this.store.abandon();
    else await this.store.close();
  }

  #endFollowers(reason: Error): void {
    for (const follower of this.#followers) follower.end(reason);
    this.#followers.clear();
  }
}

/** A log of which this process writes nothing: everything in it was appended by others. */
export class FollowingLog extends StoredLog {
  constructor(store: ReadOnlyStore) {
    super(store);
    store.begin({
      // A store that is asked to commit nothing commits and refuses nothing.
      committed: (entries) => this.publish(entries),
      refused: (error) => this.fail(error),
      arrived: (entries) => this.publish(entries),
      failed: (error) => this.fail(error),
    });
  }
}
