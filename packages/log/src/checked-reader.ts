import { ChainVerifier } from './chain.ts';
import { type LogArchivedAheadError, LogArchivedError, LogDamagedError, type LogError } from './errors.ts';
import type { BatchRecord, ChainPoint, LogEntry } from './log.ts';

/** The stored entries and batches as they are. */
export interface EntrySource<Page> {
  /** Consecutive entries from `fromSeq` on, none beyond `toSeq`, a page of them; none if that one is not there. */
  entries(fromSeq: number, toSeq: number): Awaitable<Page>;
  entriesOf(page: Page): readonly LogEntry[];
  /** The batches that hold entries of this range, in order, at least as many as a page has entries. */
  batches(fromSeq: number, toSeq: number): Awaitable<readonly BatchRecord[]>;
  /** What the oldest stored batch continues from. */
  chainStart(): Awaitable<ChainPoint>;
}

type Awaitable<T> = T | Promise<T>;

/** Readers that may go on at once without one having to begin its batch anew. */
const READERS_MAX = 8;

/** Reads entries by pages, and holds each batch against its hash once its last entry has been read. */
export class CheckedReader<Page> {
  readonly #source: EntrySource<Page>;
  /** By the seq that each goes on with. */
  readonly #verifiers = new Map<number, ChainVerifier>();

  constructor(source: EntrySource<Page>) {
    this.#source = source;
  }

  /**
   * A page of at least one entry from `fromSeq` on. Rejects with `LogArchivedError`, or with `LogDamagedError`.
   */
  async read(fromSeq: number, toSeq: number): Promise<Page> {
    const page = await this.#source.entries(fromSeq, toSeq);
    const entries = this.#source.entriesOf(page);
    const lastSeq = entries.at(-1)?.seq;
    if (lastSeq === undefined) throw absence({ seq: fromSeq, start: await this.#source.chainStart() });
    const verifier = await this.#verifierAt(fromSeq);
    if (verifier.batchedSeq < lastSeq) {
      verifier.addBatches(await this.#batches(verifier.batchedSeq + 1, lastSeq));
    }
    check(verifier, entries);
    this.#keep(verifier);
    return page;
  }

  async #verifierAt(seq: number): Promise<ChainVerifier> {
    const verifier = this.#verifiers.get(seq);
    if (verifier === undefined) return this.#begin(seq);
    this.#verifiers.delete(seq);
    return verifier;
  }

  /** Begins with the batch of the entry, of which the entries before it are read too. */
  async #begin(seq: number): Promise<ChainVerifier> {
    const [batch] = await this.#batches(seq, seq);
    const verifier = new ChainVerifier(await this.#pointBefore(batch!));
    verifier.addBatches([batch!]);
    while (verifier.nextSeq < seq) {
      const entries = this.#source.entriesOf(await this.#source.entries(verifier.nextSeq, seq - 1));
      if (entries.length === 0) {
        throw absence({ seq: verifier.nextSeq, start: await this.#source.chainStart() });
      }
      check(verifier, entries);
    }
    return verifier;
  }

  /** At least the batch of `fromSeq`, which may have been archived since its entry was read. */
  async #batches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    const batches = await this.#source.batches(fromSeq, toSeq);
    if (batches.length > 0 && batches[0]!.firstSeq <= fromSeq) return batches;
    throw batchAbsence(fromSeq, await this.#source.chainStart());
  }

  async #pointBefore({ firstSeq }: BatchRecord): Promise<ChainPoint> {
    const seq = firstSeq - 1;
    const [before] = await this.#source.batches(seq, seq);
    if (before !== undefined) return { seq, ts: 0, hash: before.hash };
    // After looking for the batch, which may be archived at any moment.
    const start = await this.#source.chainStart();
    if (start.seq === seq) return start;
    throw start.seq > seq ? absence({ seq: firstSeq, start }) : batchAbsence(seq, start);
  }

  #keep(verifier: ChainVerifier): void {
    this.#verifiers.set(verifier.nextSeq, verifier);
    if (this.#verifiers.size > READERS_MAX) this.#verifiers.delete(this.#verifiers.keys().next().value!);
  }
}

function check(verifier: ChainVerifier, entries: readonly LogEntry[]): void {
  const fault = verifier.addEntries(entries);
  if (fault) throw new LogDamagedError(fault.message);
}

interface Absent {
  readonly seq: number;
  /** Where the log begins, asked for after `seq` was not found. */
  readonly start: ChainPoint;
  /** What is not there, if it is not the entry itself. */
  readonly what?: string;
  /** What it means that it was archived. */
  readonly Archived?: typeof LogArchivedError | typeof LogArchivedAheadError;
}

/** Why what was asked for is not there. */
export function absence({
  seq,
  start,
  what = `entry ${seq}`,
  Archived = LogArchivedError,
}: Absent): LogError {
  const firstSeq = start.seq + 1;
  if (seq < firstSeq) return new Archived({ seq, firstSeq });
  return new LogDamagedError(`${what} is missing from the log`);
}

function batchAbsence(seq: number, start: ChainPoint): LogError {
  return absence({ seq, start, what: `the batch of entry ${seq}` });
}
