import { Socket } from 'node:net';
import { Client, DatabaseError } from 'pg';
import { LogOpenError } from '../errors.ts';
import { withName } from './name.ts';
import { Turns } from './turns.ts';
import { BAD_URL, type PostgresTarget } from './url.ts';

/** Time limit for connecting, and for short answers. */
export const ANSWER_MS = 3_000;
/** Time limit for long answers, such as a snapshot. */
export const LONG_ANSWER_MS = 60_000;

/** A row as it arrives over the wire, one value per column. 8-byte numbers arrive as text. */
export type Row = readonly unknown[];

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Makes the server keep the query plan. */
  readonly name?: string;
}

export type Run = (statement: Statement | string) => Promise<readonly Row[]>;

export interface ConnectionOptions {
  readonly target: PostgresTarget;
  /** Time limit for connecting, and for the server's silence during any query without its own limit. */
  readonly timeoutMs: number;
  /** The feature level that this process announces to others on the log. */
  readonly level?: number | undefined;
}

/** A connection to one server. It sends one query at a time. */
export interface Connection {
  /** Resolves with the reason once the connection is lost. */
  readonly lost: Promise<string>;
  onNotification(listener: (payload: string) => void): void;
  /** True if the server has stopped waiting for a standby since the last call. */
  takeUnreplicated(): boolean;
  /** Rejects with `ConnectionLostError`, or with the server's error. */
  query(statement: Statement | string, timeoutMs?: number): Promise<readonly Row[]>;
  /** Runs every query of `work` in one transaction. */
  transaction<T>(work: (run: Run) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** Closes the connection immediately; `reason` goes to `lost` and to pending queries. */
  destroy(reason: string): void;
  /** Closes the connection in an orderly way. */
  close(): Promise<void>;
}

/** Rejects with `ConnectionLostError`, or with the server's error. */
export type Connect = (options: ConnectionOptions) => Promise<Connection>;

/** The connection is lost; pending queries may or may not have taken effect. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

const KEEP_ALIVE_MS = 2_000;
/** How many times the connection is checked for silence within its time limit. */
const CHECKS = 5;

/** A connection over TCP. It closes if the server falls silent in the middle of an answer. */
export class PostgresConnection implements Connection {
  readonly lost: Promise<string>;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  #reason: string | undefined;
  #resolveLost!: (reason: string) => void;
  readonly #turns = new Turns();
  /** True if the server reported a transaction that was committed locally without waiting for a standby. */
  #unreplicated = false;

  private constructor({ target, timeoutMs, level }: ConnectionOptions) {
    this.#timeoutMs = timeoutMs;
    this.#socket = new Socket();
    this.#client = new Client({
      connectionString: withName(target.connectionString, level),
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      stream: () => this.#socket,
    });
    this.lost = new Promise((resolve) => {
      this.#resolveLost = resolve;
    });
    this.#client.on('error', (error) => this.destroy(reasonOf(error)));
    this.#client.on('end', () => this.destroy('the connection ended'));
    this.#client.on('notice', (notice) => {
      if ((notice as { routine?: string }).routine === 'SyncRepWaitForLSN') this.#unreplicated = true;
    });
  }

  /** Rejects with `ConnectionLostError`, or with the server's error. */
  static async open(options: ConnectionOptions): Promise<PostgresConnection> {
    const connection = new PostgresConnection(options);
    try {
      await connection.#client.connect();
    } catch (error) {
      connection.destroy(reasonOf(error));
      throw asLost(error);
    }
    return connection;
  }

  onNotification(listener: (payload: string) => void): void {
    this.#client.on('notification', ({ payload }) => listener(payload ?? ''));
  }

  takeUnreplicated(): boolean {
    const was = this.#unreplicated;
    this.#unreplicated = false;
    return was;
  }

  query(statement: Statement | string, timeoutMs = this.#timeoutMs): Promise<readonly Row[]> {
    return this.#turns.take(() => this.#run(statement, timeoutMs));
  }

  transaction<T>(work: (run: Run) => Promise<T>, timeoutMs = this.#timeoutMs): Promise<T> {
    const run: Run = (statement) => this.#run(statement, timeoutMs);
    return this.#turns.take(async () => {
      await run('BEGIN');
      try {
        const result = await work(run);
        await run('COMMIT');
        return result;
      } catch (error) {
        if (this.#reason === undefined) await run('ROLLBACK');
        throw error;
      }
    });
  }

  destroy(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#resolveLost(reason);
    this.#socket.destroy();
  }

  async close(): Promise<void> {
    if (this.#reason !== undefined) return;
    this.#reason = 'the connection was closed';
    this.#resolveLost(this.#reason);
    const timer = setTimeout(() => this.#socket.destroy(), this.#timeoutMs);
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }

  async #run(statement: Statement | string, timeoutMs: number): Promise<readonly Row[]> {
    if (this.#reason !== undefined) throw new ConnectionLostError(this.#reason);
    const { text, values = [], name } = typeof statement === 'string' ? { text: statement } : statement;
    const stopWatching = this.#watch(timeoutMs);
    try {
      const config = { text, values: [...values], rowMode: 'array' as const };
      const result = await this.#client.query<unknown[]>(name === undefined ? config : { ...config, name });
      return result.rows;
    } catch (error) {
      throw asLost(error, this.#reason);
    } finally {
      stopWatching();
    }
  }

  /** Closes the connection after this much silence from the server; an answer that is still arriving may take longer. */
  #watch(silenceMs: number): () => void {
    let bytes = this.#socket.bytesRead;
    let silentChecks = 0;
    const timer = setInterval(() => {
      silentChecks = this.#socket.bytesRead === bytes ? silentChecks + 1 : 0;
      bytes = this.#socket.bytesRead;
      if (silentChecks === CHECKS) this.destroy(`no answer within ${Math.round(silenceMs)} ms`);
    }, silenceMs / CHECKS);
    return () => clearInterval(timer);
  }
}

/** Throws `LogOpenError` for a URL that could never reach a server. */
export function checkTargets(targets: readonly PostgresTarget[]): void {
  for (const { connectionString } of targets) {
    try {
      // This parses the URL and reads the files it names, without connecting.
      new Client({ connectionString });
    } catch (error) {
      throw new LogOpenError(explainUnusable(error as NodeJS.ErrnoException));
    }
  }
}

/** Never the driver's message, which may contain parts of the URL. */
function explainUnusable(error: NodeJS.ErrnoException): string {
  if (error.syscall !== undefined) {
    const file = error.path ?? 'a file';
    return `${file}, which the URL of the log names, cannot be read (${error.code}); check sslrootcert, sslcert and sslkey`;
  }
  if (error.code === 'ERR_INVALID_URL' || error instanceof URIError) return BAD_URL;
  return 'the parameters of the URL of the log cannot be used together; check sslmode and what goes with it';
}

function asLost(error: unknown, reason?: string): Error {
  if (error instanceof DatabaseError) return error;
  return new ConnectionLostError(reason ?? reasonOf(error), { cause: error });
}

/** A short text without any part of the URL. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof DatabaseError) return message ?? 'refused';
  if (message?.startsWith('timeout expired')) return 'no answer in time';
  return code ?? (message || String(error));
}

/** The SQLSTATE of a server's error. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Classes of SQLSTATE that are transient: connection, rollback, resources, not ready, interrupted, system, clock. */
const PASSING_CLASSES = new Set(['08', '40', '53', '55', '57', '58', 'VE']);
const READ_ONLY = '25006';

/** True if the same query may succeed a moment later, on this connection or another. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionLostError) return true;
  const state = sqlStateOf(error);
  return state !== undefined && (PASSING_CLASSES.has(state.slice(0, 2)) || isReadOnly(error));
}

/** True if the server no longer accepts writes, like a primary that has become a standby. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === READ_ONLY;
}

const UNIQUE_VIOLATION = '23505';

/** True if the batch is already in the log. */
export function isTakenId(error: unknown): boolean {
  const { constraint } = error as { constraint?: string };
  return sqlStateOf(error) === UNIQUE_VIOLATION && constraint === 'batch_id_key';
}
