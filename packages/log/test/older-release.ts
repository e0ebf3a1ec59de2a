/**
 * The tables of releases before schema 2 and their way of appending: frozen, because those releases cannot change any
 * more.
 */

import { randomUUIDv7 } from 'node:crypto';
import { Client } from 'pg';
import { BatchDigest } from '../src/chain.ts';
import type { LogItem } from '../src/log.ts';

export const OLDER_SCHEMA = `
  CREATE TABLE log(seq bigint PRIMARY KEY, ts bigint NOT NULL, kind text NOT NULL, body bytea NOT NULL);
  CREATE TABLE batch(first_seq bigint PRIMARY KEY, last_seq bigint NOT NULL,
    id uuid NOT NULL CONSTRAINT batch_id_key UNIQUE, hash bytea NOT NULL);
  CREATE TABLE head(one boolean PRIMARY KEY DEFAULT true CHECK (one), schema_version int NOT NULL,
    seq bigint NOT NULL, ts bigint NOT NULL, hash bytea NOT NULL,
    first_seq bigint NOT NULL, first_hash bytea NOT NULL) WITH (fillfactor = 10);
  CREATE TABLE meta(key text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE snapshot(seq bigint PRIMARY KEY, version int NOT NULL, digest text NOT NULL, body bytea NOT NULL);
  INSERT INTO head VALUES (true, 1, 0, 0, decode(repeat('00', 32), 'hex'), 1, decode(repeat('00', 32), 'hex'))`;

const APPEND = `
  WITH placed AS (
    UPDATE head SET
      seq = seq + $2::bigint,
      ts = greatest(ts, floor(extract(epoch FROM now()) * 1000)::bigint),
      hash = sha256(hash || int8send(seq + 1) || int8send(
        greatest(ts, floor(extract(epoch FROM now()) * 1000)::bigint)
      ) || $3::bytea)
    WHERE first_seq <= $4::bigint
    RETURNING seq - $2::bigint + 1 AS first_seq, seq AS last_seq, ts, hash
  ), sealed AS (
    INSERT INTO batch(first_seq, last_seq, id, hash) SELECT first_seq, last_seq, $1::uuid, hash FROM placed
  ), stored AS (
    INSERT INTO log(seq, ts, kind, body) SELECT first_seq + place - 1, ts, kind, body
    FROM placed, unnest($5::text[], $6::bytea[]) WITH ORDINALITY AS item(kind, body, place)
  )
  SELECT first_seq FROM placed`;

const HEAD_COLUMNS = 'seq, ts, hash, first_seq, first_hash';

/** Appends like a node of such a release. */
export class OlderNode {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** A name in the URL replaces its own. */
  static async connect(connectionString: string): Promise<OlderNode> {
    const client = new Client({ connectionString, fallback_application_name: 'venue' });
    client.on('error', () => {});
    await client.connect();
    return new OlderNode(client);
  }

  /** The query it sends every 0.4 s on one connection. */
  async look(): Promise<void> {
    await this.#client.query({ name: 'head', text: `SELECT ${HEAD_COLUMNS} FROM head` });
  }

  /** The query it sends every second on another connection, if it appends nothing. */
  async confirm(): Promise<void> {
    await this.#client.query({
      name: 'confirm',
      text: `UPDATE head SET seq = seq RETURNING ${HEAD_COLUMNS}`,
    });
  }

  async append(items: readonly LogItem[]): Promise<number> {
    const digest = new BatchDigest();
    for (const { kind, body } of items) digest.add(kind, body);
    const kinds = items.map(({ kind }) => kind);
    const bodies = items.map(({ body }) => Buffer.from(body));
    const values = [randomUUIDv7(), items.length, digest.finish(), Number.MAX_SAFE_INTEGER, kinds, bodies];
    const { rows } = await this.#client.query<{ first_seq: string }>({
      name: 'append',
      text: APPEND,
      values,
    });
    return Number(rows[0]!.first_seq);
  }

  async end(): Promise<void> {
    await this.#client.end();
  }
}
