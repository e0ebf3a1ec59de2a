import { realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { absence } from '../checked-reader.ts';
import type { BatchRecord, ChainPoint, LogEntry, Snapshot } from '../log.ts';
import type { LogReader } from '../reader.ts';
import { headFileOf, readHead } from './head.ts';
import { unpack } from './packed.ts';
import { openForReading } from './schema.ts';
import { SqliteTables } from './tables.ts';

/** Opens a log file for reading, in this thread. Throws `LogOpenError`. */
export async function openSqliteReader(path: string): Promise<LogReader> {
  return new SqliteReader(openForReading(path), path);
}

class SqliteReader implements LogReader {
  readonly #db: DatabaseSync;
  readonly #tables: SqliteTables;
  readonly #path: string;

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#path = path;
    this.#tables = new SqliteTables(db);
  }

  async head(): Promise<ChainPoint> {
    // In this order, because a writer records a head only once it is in the tables.
    const noted = readHead(headFileOf(realpathSync(this.#path)));
    const stored = this.#tables.head();
    return typeof noted !== 'string' && noted.seq > stored.seq ? { ...noted, ts: 0 } : stored;
  }

  async chainStart(): Promise<ChainPoint> {
    return this.#tables.chainStart();
  }

  async readEntries(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    const page = unpack(this.#tables.entries(fromSeq, toSeq));
    if (page.length === 0) throw absence({ seq: fromSeq, start: this.#tables.chainStart() });
    return page;
  }

  async readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.#tables.batches(fromSeq, toSeq);
  }

  async readStamp(): Promise<Map<string, string>> {
    return this.#tables.readStamp();
  }

  async loadSnapshots(): Promise<Snapshot[]> {
    return this.#tables.loadSnapshots();
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
