import { setTimeout as sleep } from 'node:timers/promises';
import { LogError, LogFailedError, LogUnavailableError } from '../errors.ts';
import { type Connection, isPassing, LONG_ANSWER_MS } from './connection.ts';
import type { PrimarySession } from './link.ts';
import { PostgresTables } from './tables.ts';

/** The delay before retrying after a transient failure. */
export const RETRY_MS = 50;

export interface RequestsOptions {
  /** The session with the primary, as soon as there is one. */
  readonly session: () => Promise<PrimarySession>;
  /** How long a caller waits for a server. */
  readonly timeoutMs: number;
}

/** Requests to the primary other than appends, retried after transient failures. */
export class PostgresRequests {
  /** For reads without a time limit: they retry until they succeed. */
  readonly patient: PostgresTables;
  readonly #options: RequestsOptions;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.patient = new PostgresTables((statement) =>
      this.#persist(({ reader }) => reader.query(statement, LONG_ANSWER_MS)),
    );
  }

  /** Rejects with `LogUnavailableError` if there is no answer in time. */
  read<T>(ask: (tables: PostgresTables) => Promise<T>): Promise<T> {
    return this.#inTime('none', ({ reader }) =>
      ask(new PostgresTables((statement) => reader.query(statement, LONG_ANSWER_MS))),
    );
  }

  /** Rejects with `LogUnavailableError` if there is no answer in time; the write may or may not have happened then. */
  write<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#inTime('unknown', ({ reader }) => ask(reader));
  }

  /** Rejects if no server can be reached in time. */
  async #inTime<T>(outcome: 'unknown' | 'none', ask: (session: PrimarySession) => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    const timer = setTimeout(() => reject(new LogUnavailableError(outcome)), this.#options.timeoutMs);
    try {
      return await this.#persist(ask, promise);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Retries until it succeeds, or until `deadline` rejects. */
  async #persist<T>(ask: (session: PrimarySession) => Promise<T>, deadline?: Promise<never>): Promise<T> {
    for (;;) {
      const session = this.#options.session();
      const current = await (deadline ? Promise.race([deadline, session]) : session);
      try {
        return await ask(current);
      } catch (error) {
        if (!isPassing(error)) throw failureOf(error);
        await sleep(RETRY_MS);
      }
    }
  }
}

/** Describes a permanent error. */
export function failureOf(error: unknown): LogError {
  return error instanceof LogError ? error : new LogFailedError(error, 'check the PostgreSQL server');
}
