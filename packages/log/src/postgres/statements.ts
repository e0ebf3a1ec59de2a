import type { Placement } from '../delivery.ts';
import { LogDamagedError } from '../errors.ts';
import type { BatchRecord, ChainPoint, LogEntry, LogItem, LogNode } from '../log.ts';
import type { Row, Statement } from './connection.ts';
import { LEVEL_PATTERN, levelOf } from './name.ts';

const PAGE_ENTRIES_MAX = 4096;
const PAGE_BYTES_MAX = 4 * 1024 * 1024;

/** The end of the log, and the point that its oldest batch continues from. */
export interface StoredHead extends ChainPoint {
  readonly firstSeq: number;
  readonly firstHash: string;
}

const HEAD_COLUMNS = `coalesce(tail.last_seq, first_seq - 1),
  coalesce((SELECT ts FROM log WHERE seq = tail.last_seq), 0), coalesce(tail.hash, first_hash), first_seq, first_hash`;

const HEAD_TABLES = `head LEFT JOIN (SELECT last_seq, hash FROM batch ORDER BY first_seq DESC LIMIT 1) AS tail ON true`;

export const READ_HEAD: Statement = { name: 'head', text: `SELECT ${HEAD_COLUMNS} FROM ${HEAD_TABLES}` };

/**
 * A commit that only writes a mark into the write-ahead log: once it is acknowledged, everything visible before it is
 * durable too. Also returns the server's clock.
 */
export const CONFIRM_HEAD: Statement = {
  name: 'confirm',
  text: `SELECT ${HEAD_COLUMNS}, floor(extract(epoch FROM now()) * 1000),
    pg_logical_emit_message(true, 'venue', '') FROM ${HEAD_TABLES}`,
};

/** Must not suggest that the log is of an older version: starting afresh would discard data that can be restored. */
export const HEAD_MISSING = 'the head of the log is missing; restore the log from a backup';

export function headOf(row: Row | undefined): StoredHead {
  if (row === undefined) throw new LogDamagedError(HEAD_MISSING);
  const [seq, ts, hash, firstSeq, firstHash] = row;
  return {
    seq: Number(seq),
    ts: Number(ts),
    hash: hexOf(hash),
    firstSeq: Number(firstSeq),
    firstHash: hexOf(firstHash),
  };
}

/** The connections of nodes, which announce a feature level by their name. */
export const NODES: Statement = {
  name: 'nodes',
  text: `SELECT DISTINCT application_name, coalesce(host(client_addr), 'this machine') AS address
    FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
      AND application_name ~ '${LEVEL_PATTERN}'
    ORDER BY address, application_name`,
};

export function nodeOf([name, address]: Row): LogNode {
  return { address: String(address), level: levelOf(String(name)) };
}

export function batchOf([firstSeq, lastSeq, id, hash]: Row): BatchRecord {
  return { firstSeq: Number(firstSeq), lastSeq: Number(lastSeq), id: String(id), hash: hexOf(hash) };
}

export function batchesStatement(fromSeq: number, toSeq: number): Statement {
  return {
    name: 'batches',
    text: `SELECT first_seq, last_seq, id, hash FROM batch
      WHERE first_seq >= coalesce((SELECT max(first_seq) FROM batch WHERE first_seq <= $1::bigint), $1::bigint)
        AND first_seq <= $2::bigint AND last_seq >= $1::bigint
      ORDER BY first_seq LIMIT ${PAGE_ENTRIES_MAX}`,
    values: [fromSeq, toSeq],
  };
}

/** The last batch that begins at or before `seq`. */
export function batchAtStatement(seq: number): Statement {
  const text = `SELECT first_seq, last_seq, id, hash FROM batch WHERE first_seq <= $1::bigint
    ORDER BY first_seq DESC LIMIT 1`;
  return { name: 'batch-at', text, values: [seq] };
}

export function placementOf([firstSeq, ts, hash]: Row): Placement {
  return { firstSeq: Number(firstSeq), ts: Number(ts), hash: hexOf(hash) };
}

export function placementStatement(id: string): Statement {
  const text = `SELECT first_seq, ts, batch.hash FROM batch JOIN log ON log.seq = first_seq WHERE batch.id = $1`;
  return { name: 'placement', text, values: [id] };
}

/** The rows may have gaps; the reader checks that. */
export function entriesStatement(fromSeq: number, toSeq: number): Statement {
  return {
    name: 'entries',
    text: `SELECT seq, ts, kind, body FROM (
        SELECT seq, ts, kind, body, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS bytes_before
        FROM log WHERE seq BETWEEN $1::bigint AND $2::bigint
      ) AS page WHERE bytes_before < ${PAGE_BYTES_MAX} ORDER BY seq`,
    values: [fromSeq, Math.min(toSeq, fromSeq + PAGE_ENTRIES_MAX - 1)],
  };
}

/** The entries up to the first gap. */
export function entriesOf(rows: readonly Row[], fromSeq: number): LogEntry[] {
  const entries: LogEntry[] = [];
  for (const [seq, ts, kind, body] of rows) {
    if (Number(seq) !== fromSeq + entries.length) break;
    entries.push({
      seq: Number(seq),
      ts: Number(ts),
      kind: kind as string,
      body: body as Buffer,
      local: undefined,
    });
  }
  return entries;
}

/** A batch to be appended. */
export interface AppendRequest {
  readonly id: string;
  readonly items: readonly LogItem[];
  /** The digest of the entries. */
  readonly digest: Uint8Array;
  /** Unix ms; undefined to use the server's clock. */
  readonly ts: number | undefined;
  /** The node's time, to be compared with the server's. */
  readonly nodeTs: number | undefined;
  /** True if the batch may reuse the last batch's time although that is ahead of the clock. */
  readonly mayLag: boolean;
  /** This node knows everything before `nextSeq`; if the log has been archived beyond it, nothing is appended. */
  readonly nextSeq: number;
  readonly channel: string;
  /** Identifies the appending node to the listeners. */
  readonly node: string;
}

/**
 * Assigns the next places and stores the batch there, in one statement. The row it returns is the place of the batch;
 * it returns none if the log has been archived beyond `nextSeq`. A batch that is already stored violates
 * `batch_id_key`.
 */
const APPEND = `
  WITH placed AS MATERIALIZED (
    SELECT * FROM take_places($2::bigint, $3::bytea, $4::bigint, $12::bigint, $13::boolean, $5::bigint)
  ), sealed AS (
    INSERT INTO batch(first_seq, last_seq, id, hash) SELECT first_seq, last_seq, $1::uuid, hash FROM placed
  ), stored AS (
    INSERT INTO log(seq, ts, kind, body)
    SELECT first_seq + place - 1, ts, kind, substring($8::bytea FROM start FOR size)
    FROM placed, unnest($6::text[], $7::int[], $9::int[]) WITH ORDINALITY AS item(kind, start, size, place)
  )
  SELECT first_seq, ts, hash, pg_notify($10, $11 || ' ' || last_seq) FROM placed`;

export function appendStatement(request: AppendRequest): Statement {
  const { id, items, digest, ts, nodeTs, mayLag, nextSeq, channel, node } = request;
  const { starts, sizes, bodies } = joinBodies(items);
  const kinds = items.map(({ kind }) => kind);
  return {
    name: 'append',
    text: APPEND,
    values: [
      id,
      items.length,
      digest,
      ts,
      nextSeq,
      kinds,
      starts,
      bodies,
      sizes,
      channel,
      node,
      nodeTs,
      mayLag,
    ],
  };
}

/** A single value instead of an array, which would be sent as text of twice the length. */
function joinBodies(items: readonly LogItem[]): { starts: number[]; sizes: number[]; bodies: Buffer } {
  const starts: number[] = [];
  const sizes: number[] = [];
  let end = 0;
  for (const { body } of items) {
    // The server counts from 1.
    starts.push(end + 1);
    sizes.push(body.byteLength);
    end += body.byteLength;
  }
  return {
    starts,
    sizes,
    bodies: Buffer.concat(
      items.map(({ body }) => body),
      end,
    ),
  };
}

function hexOf(value: unknown): string {
  return (value as Buffer).toString('hex');
}
