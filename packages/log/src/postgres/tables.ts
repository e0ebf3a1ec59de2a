import type { EntrySource } from '../checked-reader.ts';
import { findStampConflict, type StampConflict } from '../errors.ts';
import type { BatchRecord, ChainPoint, LogEntry, LogNode, Snapshot } from '../log.ts';
import { type Connection, LONG_ANSWER_MS, type Run } from './connection.ts';
import { LOCK_END } from './places.ts';
import {
  batchAtStatement,
  batchesStatement,
  batchOf,
  entriesOf,
  entriesStatement,
  headOf,
  NODES,
  nodeOf,
  READ_HEAD,
  type StoredHead,
} from './statements.ts';
import { STAMP_FILTER } from './timeline.ts';

/** Reads the tables of a log, over the connection of `run`. */
export class PostgresTables implements EntrySource<readonly LogEntry[]> {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  async head(): Promise<StoredHead> {
    return headOf((await this.#run(READ_HEAD))[0]);
  }

  async entries(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    return entriesOf(await this.#run(entriesStatement(fromSeq, toSeq)), fromSeq);
  }

  entriesOf(page: readonly LogEntry[]): readonly LogEntry[] {
    return page;
  }

  async batches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return (await this.#run(batchesStatement(fromSeq, toSeq))).map(batchOf);
  }

  async chainStart(): Promise<ChainPoint> {
    const { firstSeq, firstHash } = await this.head();
    return { seq: firstSeq - 1, ts: 0, hash: firstHash };
  }

  async loadSnapshots(): Promise<Snapshot[]> {
    const rows = await this.#run('SELECT seq, version, digest, body FROM snapshot ORDER BY seq DESC');
    return rows.map(([seq, version, digest, body]) => ({
      seq: Number(seq),
      version: Number(version),
      digest: digest as string,
      body: body as Buffer,
    }));
  }

  async nodes(): Promise<readonly LogNode[]> {
    return (await this.#run(NODES)).map(nodeOf);
  }

  async readStamp(): Promise<Map<string, string>> {
    return readStamp(this.#run);
  }
}

async function readStamp(run: Run): Promise<Map<string, string>> {
  const rows = await run(`SELECT key, value FROM meta WHERE ${STAMP_FILTER} ORDER BY key`);
  return new Map(rows.map(([key, value]) => [key as string, value as string]));
}

export function keepSnapshot(connection: Connection, snapshot: Snapshot): Promise<void> {
  const { seq, version, digest, body } = snapshot;
  return connection.transaction(async (run) => {
    await run({
      text: `INSERT INTO snapshot VALUES ($1, $2, $3, $4) ON CONFLICT (seq)
        DO UPDATE SET version = excluded.version, digest = excluded.digest, body = excluded.body`,
      values: [seq, version, digest, body],
    });
    await run('DELETE FROM snapshot WHERE seq NOT IN (SELECT seq FROM snapshot ORDER BY seq DESC LIMIT 2)');
  }, LONG_ANSWER_MS);
}

/** Returns the conflict, having written nothing, if a key already has another value. */
export function keepStamp(
  connection: Connection,
  entries: ReadonlyMap<string, string>,
): Promise<StampConflict | undefined> {
  return connection.transaction(async (run) => {
    // Two nodes that start simultaneously must not both find a key missing.
    await run('LOCK TABLE meta IN SHARE ROW EXCLUSIVE MODE');
    const conflict = findStampConflict(await readStamp(run), entries);
    if (conflict) return conflict;
    await run({
      text: `INSERT INTO meta SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
      values: [[...entries.keys()], [...entries.values()]],
    });
    return undefined;
  });
}

/** Undefined if no batch ends with this entry. */
export async function hashAt(writer: Connection, seq: number, head: StoredHead): Promise<string | undefined> {
  if (seq === head.seq) return head.hash;
  if (seq === head.firstSeq - 1) return head.firstHash;
  const [row] = await writer.query(batchAtStatement(seq));
  const batch = row && batchOf(row);
  return batch?.lastSeq === seq ? batch.hash : undefined;
}

/** Limits the entries deleted in one transaction, so that appends need not wait long for it. */
const DROPPED_ENTRIES = 20_000;

/** Deletes some batches wholly below `seq`, and returns true if more may remain. */
export function dropBatches(connection: Connection, seq: number): Promise<boolean> {
  return connection.transaction(async (run) => {
    await run(LOCK_END);
    const [row] = await run('SELECT first_seq FROM head');
    const firstSeq = Number(row![0]);
    const [last] = await run({
      text: `SELECT last_seq, hash FROM batch WHERE first_seq < $1 AND last_seq < $2 ORDER BY first_seq DESC LIMIT 1`,
      values: [firstSeq + DROPPED_ENTRIES, seq],
    });
    if (last === undefined) return false;
    const [lastSeq, hash] = last;
    await run({
      text: 'UPDATE head SET first_seq = $1::bigint + 1, first_hash = $2',
      values: [lastSeq, hash],
    });
    await run({ text: 'DELETE FROM batch WHERE first_seq <= $1', values: [lastSeq] });
    await run({ text: 'DELETE FROM log WHERE seq <= $1', values: [lastSeq] });
    return true;
  }, LONG_ANSWER_MS);
}
