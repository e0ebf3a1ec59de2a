import { placeItems } from '../append-queue.ts';
import { ChainVerifier, chainHash } from '../chain.ts';
import { absence } from '../checked-reader.ts';
import { LogArchivedAheadError, LogDamagedError, LogDivergedError } from '../errors.ts';
import type { BatchRecord, ChainPoint, LogEntry, LogItem } from '../log.ts';
import type { StoreEvents } from '../store.ts';
import { isPassing } from './connection.ts';
import type { Placement } from './statements.ts';

/** A batch of this node on its way. */
export interface OwnBatch {
  readonly id: string;
  readonly items: readonly LogItem[];
  readonly digest: Uint8Array;
  placement?: Placement;
}

export interface DeliverySource {
  readonly start: ChainPoint;
  readonly events: StoreEvents;
  /** The first of the batches in this range. Rejects when the connection is lost, as the next does. */
  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]>;
  /** The first of the entries in this range. */
  readEntries(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]>;
  /** The point of the chain that the oldest stored batch continues from. */
  chainStart(): Promise<ChainPoint>;
  /** Resolves when reading may be tried again. */
  ready(): Promise<unknown>;
}

/**
 * Brings what this node appends and what others append into one order, and checks the chain on the way. Entries of
 * this node never come back from the database, where they would have lost what is local to them.
 */
export class Delivery {
  readonly #source: DeliverySource;
  #delivered: ChainPoint;
  /** Known to be there. */
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

  /** The announced batch is durable in this place. */
  place(placement: Placement): void {
    const own = this.#own!;
    own.placement = placement;
    this.#knownSeq = Math.max(this.#knownSeq, placement.firstSeq + own.items.length - 1);
    this.#wake();
  }

  /** The log as a new connection shows it ends with `headSeq`: what was known beyond it may be lost. */
  reset(headSeq: number): void {
    this.#knownSeq = Math.max(this.#delivered.seq, headSeq);
    this.#wake();
  }

  /** There are entries up to `seq`. */
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
        if (!isPassing(error)) throw error;
        await this.#source.ready();
      }
    }
    this.#isRunning = false;
  }

  /** Hands over the batch of this node if it is the next. */
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

  /** Hands over what others have appended, batch by batch. Answers false if a batch of this node has to be placed first. */
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

  /** Why an entry that must be there is not. */
  async #absence(seq: number): Promise<Error> {
    return absence({ seq, start: await this.#source.chainStart(), Archived: LogArchivedAheadError });
  }

  #fail(error: Error): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#source.events.failed(error);
  }
}
