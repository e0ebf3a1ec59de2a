import { setTimeout as sleep } from 'node:timers/promises';
import { absence } from '../checked-reader.ts';
import { LogOpenError } from '../errors.ts';
import type { BatchRecord, ChainPoint, LogEntry, Snapshot } from '../log.ts';
import type { LogReader } from '../reader.ts';
import {
  ANSWER_MS,
  checkTargets,
  isPassing,
  LONG_ANSWER_MS,
  PostgresConnection,
  type Row,
  reasonOf,
  type Statement,
} from './connection.ts';
import { checkSchema } from './schema.ts';
import { PostgresTables } from './tables.ts';
import { type PostgresTarget, parsePostgresUrl } from './url.ts';

/** Opens a log for reading on any of its servers, including standbys. Throws `LogOpenError`. */
export async function openPostgresReader(url: string): Promise<LogReader> {
  const targets = parsePostgresUrl(url);
  checkTargets(targets);
  const reader = new PostgresReader(targets);
  await reader.connect();
  return reader;
}

const TRIES = 10;
const RETRY_MS = 500;

class PostgresReader implements LogReader {
  readonly #targets: readonly PostgresTarget[];
  readonly #tables = new PostgresTables((statement) => this.#run(statement));
  #connection: PostgresConnection | undefined;

  constructor(targets: readonly PostgresTarget[]) {
    this.#targets = targets;
  }

  /** Connects to the first server that accepts. */
  async connect(): Promise<PostgresConnection> {
    const reasons: string[] = [];
    for (const target of this.#targets) {
      try {
        this.#connection = await openReadOnly(target);
        return this.#connection;
      } catch (error) {
        if (error instanceof LogOpenError) throw error;
        reasons.push(`${target.name}: ${reasonOf(error)}`);
      }
    }
    throw new LogOpenError(
      `the log cannot be reached (${reasons.join('; ')}); check the URL and the PostgreSQL server`,
    );
  }

  async head(): Promise<ChainPoint> {
    const { seq, ts, hash } = await this.#tables.head();
    return { seq, ts, hash };
  }

  chainStart(): Promise<ChainPoint> {
    return this.#tables.chainStart();
  }

  async readEntries(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    const page = await this.#tables.entries(fromSeq, toSeq);
    if (page.length === 0) throw absence({ seq: fromSeq, start: await this.#tables.chainStart() });
    return page;
  }

  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.#tables.batches(fromSeq, toSeq);
  }

  readStamp(): Promise<Map<string, string>> {
    return this.#tables.readStamp();
  }

  loadSnapshots(): Promise<Snapshot[]> {
    return this.#tables.loadSnapshots();
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  /** Stored entries never change, so a query interrupted by a fail-over or by a conflict on a standby can be repeated. */
  async #run(statement: Statement | string): Promise<readonly Row[]> {
    for (let tries = 1; ; tries++) {
      try {
        this.#connection ??= await this.connect();
        return await this.#connection.query(statement, LONG_ANSWER_MS);
      } catch (error) {
        if (tries === TRIES || !(isPassing(error) || error instanceof LogOpenError)) throw error;
        this.#connection?.destroy('not used any more');
        this.#connection = undefined;
        await sleep(RETRY_MS);
      }
    }
  }
}

async function openReadOnly(target: PostgresTarget): Promise<PostgresConnection> {
  const connection = await PostgresConnection.open({ target, timeoutMs: ANSWER_MS });
  try {
    await connection.query('SET default_transaction_read_only = on');
    await checkSchema(connection);
    return connection;
  } catch (error) {
    connection.destroy('not used');
    throw error;
  }
}
