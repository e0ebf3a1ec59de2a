import { Socket } from 'node:net';
import { Client, DatabaseError } from 'pg';
import { LogOpenError } from '../errors.ts';
import { withName } from './name.ts';
import { Turns } from './turns.ts';
import { BAD_URL, type PostgresTarget } from './url.ts';

/** How long a server may take to let us in, and to answer anything short. */
export const ANSWER_MS = 3_000;
/** For what is long, such as a snapshot. */
export const LONG_ANSWER_MS = 60_000;

/** One column of a row as it comes over the wire. Numbers of 8 bytes come as text. */
export type Row = readonly unknown[];

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** The server then keeps the plan. */
  readonly name?: string;
}

export type Run = (statement: Statement | string) => Promise<readonly Row[]>;

export interface ConnectionOptions {
  readonly target: PostgresTarget;
  /** Bounds the way to the first query, and the silence of the server after every query that names no other. */
  readonly timeoutMs: number;
  /** The level that the process announces to others on the log. */
  readonly level?: number | undefined;
}

/** A connection to one server. It asks one thing at a time. */
export interface Connection {
  /** Resolves with the reason once the connection is gone. */
  readonly lost: Promise<string>;
  onNotification(listener: (payload: string) => void): void;
  /** Whether the server has given up waiting for a standby since the last call. */
  takeUnreplicated(): boolean;
  /** Rejects with `ConnectionLostError`, or with what the server answered. */
  query(statement: Statement | string, timeoutMs?: number): Promise<readonly Row[]>;
  /** Runs all that `work` asks for in one transaction. */
  transaction<T>(work: (run: Run) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** Ends the connection at once; `reason` is for `lost` and for what is under way. */
  destroy(reason: string): void;
  /** Says good-bye first. */
  close(): Promise<void>;
}

/** Rejects with `ConnectionLostError`, or with what the server answered. */
export type Connect = (options: ConnectionOptions) => Promise<Connection>;

/** The connection is gone; what was under way may or may not have happened. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

const KEEP_ALIVE_MS = 2_000;
/** So often is looked, in the time that a server may be silent, whether it is. */
const CHECKS = 5;

/** A connection over TCP, which a server that falls silent in the middle of an answer ends. */
export class PostgresConnection implements Connection {
  readonly lost: Promise<string>;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  #reason: string | undefined;
  #resolveLost!: (reason: string) => void;
  readonly #turns = new Turns();
  /** Transactions that the server says are committed here and perhaps nowhere else. */
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

  /** Rejects with `ConnectionLostError`, or with what the server answered. */
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

  /** Ends the connection once the server has been silent for so long; an answer that is still coming may take longer. */
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

/** Throws `LogOpenError` for a URL that no server could be reached by, however long one tries. */
export function checkTargets(targets: readonly PostgresTarget[]): void {
  for (const { connectionString } of targets) {
    try {
      // It takes the URL apart and reads the files that are named there, and connects to nothing yet.
      new Client({ connectionString });
    } catch (error) {
      throw new LogOpenError(explainUnusable(error as NodeJS.ErrnoException));
    }
  }
}

/** Never the message of the driver, which may hold what came with the URL. */
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

/** Short, and without anything that came with the URL. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof DatabaseError) return message ?? 'refused';
  if (message?.startsWith('timeout expired')) return 'no answer in time';
  return code ?? (message || String(error));
}

/** SQLSTATE of what the server answered. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Classes of SQLSTATE that pass: connection, rollback, resources, not ready, interrupted, system, clock. */
const PASSING_CLASSES = new Set(['08', '40', '53', '55', '57', '58', 'VE']);
const READ_ONLY = '25006';

/** Whether the same may succeed a moment later, on this connection or another one. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionLostError) return true;
  const state = sqlStateOf(error);
  return state !== undefined && (PASSING_CLASSES.has(state.slice(0, 2)) || isReadOnly(error));
}

/** Whether the server takes no writes any more, as a primary that has become a standby. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === READ_ONLY;
}

const UNIQUE_VIOLATION = '23505';

/** Whether a batch is in the log already. */
export function isTakenId(error: unknown): boolean {
  const { constraint } = error as { constraint?: string };
  return sqlStateOf(error) === UNIQUE_VIOLATION && constraint === 'batch_id_key';
}
