import { ChainVerifier } from './chain.ts';
import { type LogArchivedAheadError, LogArchivedError, LogDamagedError, type LogError } from './errors.ts';
import type { BatchRecord, ChainPoint, LogEntry } from './log.ts';

/** The stored entries and batches, unchecked. */
export interface EntrySource<Page> {
  /** A page of consecutive entries from `fromSeq` up to at most `toSeq`; empty if `fromSeq` is missing. */
  entries(fromSeq: number, toSeq: number): Awaitable<Page>;
  entriesOf(page: Page): readonly LogEntry[];
  /** The batches that contain this range of entries, in order, covering at least a page. */
  batches(fromSeq: number, toSeq: number): Awaitable<readonly BatchRecord[]>;
  /** The point that the oldest stored batch continues from. */
  chainStart(): Awaitable<ChainPoint>;
}

type Awaitable<T> = T | Promise<T>;

/** Concurrent readers that can each continue without re-reading the start of a batch. */
const READERS_MAX = 8;

/** Reads entries page by page, and checks the hash of each batch once its last entry has been read. */
export class CheckedReader<Page> {
  readonly #source: EntrySource<Page>;
  /** Keyed by the seq each will read next. */
  readonly #verifiers = new Map<number, ChainVerifier>();

  constructor(source: EntrySource<Page>) {
    this.#source = source;
  }

  /** A page of at least one entry from `fromSeq`. Rejects with `LogArchivedError` or `LogDamagedError`. */
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

  /** Begins at the batch of the entry and reads the batch's earlier entries too. */
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

  /** Includes at least the batch of `fromSeq`; throws if that was archived after its entry was read. */
  async #batches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    const batches = await this.#source.batches(fromSeq, toSeq);
    if (batches.length > 0 && batches[0]!.firstSeq <= fromSeq) return batches;
    throw batchAbsence(fromSeq, await this.#source.chainStart());
  }

  async #pointBefore({ firstSeq }: BatchRecord): Promise<ChainPoint> {
    const seq = firstSeq - 1;
    const [before] = await this.#source.batches(seq, seq);
    if (before !== undefined) return { seq, ts: 0, hash: before.hash };
    // Read this after looking for the batch, which may be archived at any moment.
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
  /** The start of the log, read after `seq` was not found. */
  readonly start: ChainPoint;
  /** The missing thing, if it is not the entry itself. */
  readonly what?: string;
  /** The error to use if it was archived. */
  readonly Archived?: typeof LogArchivedError | typeof LogArchivedAheadError;
}

/** The error for an entry or a batch that is missing. */
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
