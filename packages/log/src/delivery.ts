import { placeItems } from './append-queue.ts';
import { ChainVerifier, chainHash } from './chain.ts';
import { absence } from './checked-reader.ts';
import { LogArchivedAheadError, LogDamagedError, LogDivergedError } from './errors.ts';
import type { BatchRecord, ChainPoint, LogEntry, LogItem } from './log.ts';
import type { StoreEvents } from './store.ts';

/** The place where an append stored a batch. */
export interface Placement {
  readonly firstSeq: number;
  readonly ts: number;
  readonly hash: string;
}

/** A batch of this node that is being appended. */
export interface OwnBatch {
  readonly id: string;
  readonly items: readonly LogItem[];
  readonly digest: Uint8Array;
  placement?: Placement;
}

export interface DeliverySource {
  readonly start: ChainPoint;
  readonly events: Pick<StoreEvents, 'committed' | 'arrived' | 'failed'>;
  /** The first batches in this range. Like `readEntries`, rejects when the store cannot be read just now. */
  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]>;
  /** The first entries in this range. */
  readEntries(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]>;
  /** The point that the oldest stored batch continues from. */
  chainStart(): Promise<ChainPoint>;
  /** True if an error of these may be gone a moment later. */
  isPassing(error: unknown): boolean;
  /** Resolves when reading can be retried. */
  ready(): Promise<unknown>;
}

/**
 * Merges this node's appends and those of others into one order, and verifies the chain. Entries of this node are never
 * read back from the store, which does not keep their `local` value.
 */
export class Delivery {
  readonly #source: DeliverySource;
  #delivered: ChainPoint;
  /** The last seq known to be in the log. */
  #knownSeq: number;
  #own: OwnBatch | undefined;
  #isRunning = false;
  #isStopped = false;

  constructor(source: DeliverySource) {
    this.#source = source;
    this.#delivered = source.start;
    this.#knownSeq = source.start.seq;
  }

  get delivered(): ChainPoint {
    return this.#delivered;
  }

  get lagEntries(): number {
    return Math.max(0, this.#knownSeq - this.#delivered.seq);
  }

  /** Announces a batch of this node, before it can possibly be in the log. */
  expect(own: OwnBatch): void {
    this.#own = own;
  }

  /** The announced batch is durable at this place. */
  place(placement: Placement): void {
    const own = this.#own!;
    own.placement = placement;
    this.#knownSeq = Math.max(this.#knownSeq, placement.firstSeq + own.items.length - 1);
    this.#wake();
  }

  /** A new connection sees the log end at `headSeq`; anything known beyond that may be lost. */
  reset(headSeq: number): void {
    this.#knownSeq = Math.max(this.#delivered.seq, headSeq);
    this.#wake();
  }

  /** The log contains entries up to `seq`. */
  hint(seq: number): void {
    this.#knownSeq = Math.max(this.#knownSeq, seq);
    this.#wake();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #wake(): void {
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    this.#run().then(
      () => {},
      (error) => this.#fail(error as Error),
    );
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#settleOwn()) continue;
      const toSeq = this.#own?.placement ? this.#own.placement.firstSeq - 1 : this.#knownSeq;
      if (toSeq <= this.#delivered.seq) break;
      try {
        const isBlocked = !(await this.#readUpTo(toSeq));
        if (isBlocked && this.#own?.placement === undefined) break;
      } catch (error) {
        if (!this.#source.isPassing(error)) throw error;
        await this.#source.ready();
      }
    }
    this.#isRunning = false;
  }

  /** Delivers this node's batch if it is next. */
  #settleOwn(): boolean {
    const own = this.#own;
    if (own?.placement === undefined) return false;
    const { firstSeq, ts, hash } = own.placement;
    if (firstSeq > this.#delivered.seq + 1) return false;
    if (chainHash({ previousHash: this.#delivered.hash, firstSeq, ts }, own.digest) !== hash) {
      throw new LogDivergedError(this.#delivered.seq);
    }
    this.#own = undefined;
    this.#delivered = { seq: firstSeq + own.items.length - 1, ts, hash };
    this.#source.events.committed(placeItems(own.items, { firstSeq, ts }));
    return true;
  }

  /** Delivers the batches of other nodes. Returns false if a batch of this node must be placed first. */
  async #readUpTo(toSeq: number): Promise<boolean> {
    const fromSeq = this.#delivered.seq + 1;
    const batches = await this.#source.readBatches(fromSeq, toSeq);
    const ownAt = batches.findIndex(({ id }) => id === this.#own?.id);
    const others = ownAt < 0 ? batches : batches.slice(0, ownAt);
    const lastSeq = others.at(-1)?.lastSeq;
    if (lastSeq === undefined) {
      if (ownAt === 0) return false;
      throw await this.#absence(fromSeq);
    }
    await this.#readBatchEntries(others, lastSeq);
    return true;
  }

  async #readBatchEntries(batches: readonly BatchRecord[], lastSeq: number): Promise<void> {
    const verifier = new ChainVerifier(this.#delivered);
    verifier.addBatches(batches);
    let unsealed: LogEntry[] = [];
    while (verifier.nextSeq <= lastSeq && !this.#isStopped) {
      const page = await this.#source.readEntries(verifier.nextSeq, lastSeq);
      if (page.length === 0) throw await this.#absence(verifier.nextSeq);
      const fault = verifier.addEntries(page);
      if (fault) throw new LogDamagedError(fault.message);
      unsealed = unsealed.concat(page);
      unsealed = this.#handOver(unsealed, verifier.verified);
    }
  }

  /** Delivers the entries up to `sealed` and returns the rest. */
  #handOver(entries: LogEntry[], sealed: ChainPoint): LogEntry[] {
    const count = sealed.seq - this.#delivered.seq;
    if (count === 0 || this.#isStopped) return entries;
    this.#delivered = sealed;
    this.#source.events.arrived(entries.slice(0, count));
    return entries.slice(count);
  }

  /** The error for a missing entry that must exist. */
  async #absence(seq: number): Promise<Error> {
    return absence({ seq, start: await this.#source.chainStart(), Archived: LogArchivedAheadError });
  }

  #fail(error: Error): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#source.events.failed(error);
  }
}
