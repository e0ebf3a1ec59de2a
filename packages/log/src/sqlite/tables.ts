import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { CHAIN_ORIGIN } from '../chain.ts';
import { LogOpenError } from '../errors.ts';
import type { BatchRecord, ChainPoint, Snapshot } from '../log.ts';
import { EntryPacker, type PackedEntries } from './packed.ts';

const PAGE_ENTRIES_MAX = 4096;
const PAGE_BYTES_MAX = 1024 * 1024;

/** Reads an open log file (OWN-23). */
export class SqliteTables {
  readonly #db: DatabaseSync;
  readonly #entries: StatementSync;
  readonly #batches: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#entries = db.prepare('SELECT seq, ts, kind, body FROM log WHERE seq BETWEEN ? AND ? ORDER BY seq');
    this.#entries.setReturnArrays(true);
    this.#batches = db.prepare(`
      SELECT first_seq, last_seq, id, hash FROM batch
      WHERE first_seq >= coalesce((SELECT max(first_seq) FROM batch WHERE first_seq <= ?1), ?1)
        AND first_seq <= ?2 AND last_seq >= ?1
      ORDER BY first_seq LIMIT ${PAGE_ENTRIES_MAX}`);
    this.#batches.setReturnArrays(true);
  }

  /**
   * The end of the last batch. Throws `LogOpenError` if its last entry is missing. One statement, as a follower may look
   * while another process puts an older copy in the place of the log: it sees the one or the other.
   */
  head(): ChainPoint {
    const batch = this.#db
      .prepare(`
        SELECT last_seq, hash, ts FROM batch LEFT JOIN log ON seq = last_seq
        ORDER BY first_seq DESC LIMIT 1`)
      .get() as { last_seq: number; hash: Uint8Array; ts: number | null } | undefined;
    if (batch === undefined) return this.#headWithoutBatches();
    const { last_seq: seq, hash, ts } = batch;
    if (ts === null) {
      throw new LogOpenError(`entry ${seq} is missing from the log; restore the log from a backup`);
    }
    return { seq, ts: Number(ts), hash: hexOf(hash) };
  }

  #headWithoutBatches(): ChainPoint {
    const start = this.chainStart();
    const entry = this.#db.prepare('SELECT min(seq) AS seq FROM log').get();
    if (start.seq === 0 && entry?.seq === null) return CHAIN_ORIGIN;
    throw new LogOpenError('the batches are missing from the log; restore the log from a backup');
  }

  /** The hash after an entry that is the last of its batch; empty if it is not the last, undefined if it was archived. */
  hashAt(seq: number): string | undefined {
    const start = this.chainStart();
    if (seq <= start.seq) return seq === start.seq ? start.hash : undefined;
    const [batch] = this.batches(seq, seq);
    return batch?.lastSeq === seq ? batch.hash : '';
  }

  /** A page of consecutive entries from `fromSeq` up to at most `toSeq`; empty if `fromSeq` is missing. */
  entries(fromSeq: number, toSeq: number): PackedEntries {
    const lastSeq = Math.min(toSeq, fromSeq + PAGE_ENTRIES_MAX - 1);
    const page = new EntryPacker(fromSeq, PAGE_BYTES_MAX);
    const rows = this.#entries.iterate(fromSeq, lastSeq) as unknown as Iterable<EntryRow>;
    for (const [seq, ts, kind, body] of rows) {
      if (seq !== fromSeq + page.count) break;
      page.add(ts, kind, body);
      if (page.sizeBytes >= PAGE_BYTES_MAX) break;
    }
    return page.finish();
  }

  batches(fromSeq: number, toSeq: number): BatchRecord[] {
    const rows = this.#batches.all(fromSeq, toSeq) as unknown as BatchRow[];
    return rows.map(([firstSeq, lastSeq, id, hash]) => ({ firstSeq, lastSeq, id, hash: hexOf(hash) }));
  }

  /** The point that the oldest batch continues from. */
  chainStart(): ChainPoint {
    const row = this.#db.prepare('SELECT first_seq, previous_hash FROM chain_start').get() as
      | { first_seq: number; previous_hash: Uint8Array }
      | undefined;
    return row === undefined
      ? CHAIN_ORIGIN
      : { seq: row.first_seq - 1, ts: 0, hash: hexOf(row.previous_hash) };
  }

  loadSnapshots(): Snapshot[] {
    const rows = this.#db.prepare('SELECT seq, version, digest, body FROM snapshot ORDER BY seq DESC').all();
    return rows as unknown as Snapshot[];
  }

  readStamp(): Map<string, string> {
    const rows = this.#db.prepare('SELECT key, value FROM meta ORDER BY key').all();
    return new Map(rows.map(({ key, value }) => [String(key), String(value)]));
  }
}

type EntryRow = [seq: number, ts: number, kind: string, body: string | Uint8Array];
type BatchRow = [firstSeq: number, lastSeq: number, id: string, hash: Uint8Array];

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
