import { setTimeout as sleep } from 'node:timers/promises';
import { LogClosedError, LogOpenError } from '../errors.ts';
import {
  ANSWER_MS,
  type Connect,
  type Connection,
  PostgresConnection,
  reasonOf,
  sqlStateOf,
} from './connection.ts';
import { type Surveyed, surveyServers } from './survey.ts';
import type { Timeline } from './timeline.ts';
import type { PostgresTarget } from './url.ts';

const BACKOFF_MS_MIN = 30;
const BACKOFF_MS_MAX = 1_000;

/** Connections to the primary, one per kind of traffic, opened and closed together. */
export interface PrimarySession {
  readonly server: string;
  /** Appends, and confirms that the server is still the primary. */
  readonly writer: Connection;
  /** Hears about appends by other nodes, and reads them. */
  readonly listener: Connection;
  /** For long answers: pages of stored entries, snapshots. */
  readonly reader: Connection;
}

export interface LinkOptions<Prepared> {
  readonly targets: readonly PostgresTarget[];
  /** The feature level that this process announces to others on the log. */
  readonly level?: number | undefined;
  /** `PostgresConnection.open` by default. */
  readonly connect?: Connect | undefined;
  /**
   * Runs on each new connection to the primary, which is on this timeline. The result is passed to `onUp`. If it
   * rejects, the connection is not used; after a `LogOpenError` the link stops trying.
   */
  readonly prepare: (writer: Connection, timeline: Timeline) => Promise<Prepared>;
  readonly onUp: (session: PrimarySession, prepared: Prepared) => Promise<void> | void;
  readonly onFailed: (error: Error) => void;
  readonly onWarning: (text: string) => void;
}

/** Keeps a session with the current primary, reconnecting as long as needed. */
export class PostgresLink<Prepared> {
  readonly #options: LinkOptions<Prepared>;
  readonly #closing = new AbortController();
  #session: PrimarySession | undefined;
  /** The newest timeline that this node has used; a lower one is never used again. */
  #timeline: Timeline | undefined;
  #up = Promise.withResolvers<PrimarySession>();
  #running: Promise<void> | undefined;
  #warned = false;

  constructor(options: LinkOptions<Prepared>) {
    this.#options = options;
    this.#up.promise.catch(() => {});
  }

  /** Undefined while no server can be reached. */
  get current(): PrimarySession | undefined {
    return this.#session;
  }

  /**
   * Connects for the first time. Rejects with `LogOpenError`: immediately if retrying is hopeless, otherwise after
   * `timeoutMs`.
   */
  async open(timeoutMs: number): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    for (const backoffMs of backoffs()) {
      try {
        this.#running = this.#keepUp(await this.#connect());
        return;
      } catch (error) {
        if (error instanceof LogOpenError) throw error;
        const { reasons, isHopeless } = error as ConnectError;
        if (isHopeless || performance.now() + backoffMs > deadlineMs) {
          throw new LogOpenError(
            `the log cannot be reached (${reasons}); check VENUE_LOG and the PostgreSQL server`,
          );
        }
        this.#warn(reasons);
      }
      await sleep(backoffMs);
    }
  }

  /** Resolves with the session as soon as there is one. Rejects with `LogClosedError` once the link is closed. */
  async session(): Promise<PrimarySession> {
    this.#refuseIfClosing();
    return this.#session ?? this.#up.promise;
  }

  /** Gives up a session that is no longer of use. */
  drop(reason: string): void {
    this.#session?.writer.destroy(reason);
  }

  /** Closes everything; callers waiting for a session are rejected. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#up.reject(new LogClosedError());
    const session = this.#session;
    this.#session = undefined;
    if (session) await Promise.all(connectionsOf(session).map((connection) => connection.close()));
    await this.#running;
  }

  /** Reconnects whenever the session is lost. */
  async #keepUp(first: PrimarySession): Promise<void> {
    for (let session: PrimarySession | undefined = first; session; session = await this.#connectUntilUp()) {
      const reason = await this.#whenLost(session);
      if (!this.#closing.signal.aborted) this.#warn(reason);
    }
  }

  async #connectUntilUp(): Promise<PrimarySession | undefined> {
    for (const backoffMs of backoffs()) {
      // Nodes that lost the same server should not all come back at the same moment.
      await sleep(backoffMs * (0.5 + Math.random() / 2), undefined, { signal: this.#closing.signal }).catch(
        () => {},
      );
      if (this.#closing.signal.aborted) return undefined;
      try {
        return await this.#connect();
      } catch (error) {
        if (this.#closing.signal.aborted) return undefined;
        if (error instanceof LogOpenError) {
          this.#options.onFailed(error);
          return undefined;
        }
        this.#warn((error as ConnectError).reasons);
      }
    }
  }

  /** Asks all servers at the same time, and uses the primary. */
  async #connect(): Promise<PrimarySession> {
    const { targets, connect: open = (options) => PostgresConnection.open(options), level } = this.#options;
    const connect: Connect = (options) => open({ ...options, level });
    const { primaries, rejected } = await surveyServers(targets, { connect, remembered: this.#timeline });
    const errors = rejected.map(({ target, cause }) => new AttemptError(target.name, cause));
    const attempts = primaries.map((primary) => this.#attempt(primary, connect));
    const [session, prepared] = await firstOf(attempts, errors);
    try {
      this.#refuseIfClosing();
      await this.#options.onUp(session, prepared);
      // The link may have been closed meanwhile, and nothing else would close this session.
      this.#refuseIfClosing();
    } catch (error) {
      destroy(session, 'not used');
      throw new ConnectError([new AttemptError(session.server, error)]);
    }
    if (this.#warned) this.#options.onWarning(`the log is reached again, at ${session.server}`);
    this.#warned = false;
    this.#timeline = primaries[0]!.own;
    this.#session = session;
    this.#up.resolve(session);
    return session;
  }

  #refuseIfClosing(): void {
    if (this.#closing.signal.aborted) throw new LogClosedError();
  }

  async #whenLost(session: PrimarySession): Promise<string> {
    const reason = await Promise.race(connectionsOf(session).map(({ lost }) => lost));
    if (this.#session === session) {
      this.#session = undefined;
      this.#up = Promise.withResolvers();
      this.#up.promise.catch(() => {});
    }
    destroy(session, reason);
    return `${session.server}: ${reason}`;
  }

  async #attempt(primary: Surveyed, connect: Connect): Promise<[PrimarySession, Prepared]> {
    const { target, connection: writer, own } = primary;
    const opened: Connection[] = [writer];
    let hasFailed = false;
    const open = async () => {
      const connection = await connect({ target, timeoutMs: ANSWER_MS });
      opened.push(connection);
      // The other of the two connections has failed meanwhile.
      if (hasFailed) connection.destroy('not used');
      return connection;
    };
    try {
      const prepared = await this.#options.prepare(writer, own);
      const [listener, reader] = await Promise.all([open(), open()]);
      return [{ server: target.name, writer, listener, reader }, prepared];
    } catch (error) {
      hasFailed = true;
      for (const connection of opened) connection.destroy('not used');
      if (error instanceof LogOpenError) throw error;
      throw new AttemptError(target.name, error);
    }
  }

  /** Warns once per outage. */
  #warn(reason: string): void {
    if (!this.#warned) this.#options.onWarning(`the log cannot be reached (${reason}); trying again`);
    this.#warned = true;
  }
}

/** Delays before each retry: longer each time, up to a limit. */
function* backoffs(): Generator<number, never> {
  for (let ms = BACKOFF_MS_MIN; ; ms = Math.min(2 * ms, BACKOFF_MS_MAX)) yield ms;
}

/**
 * Resolves with the first promise that succeeds and discards the others. Rejects with all errors, including those
 * already known.
 */
async function firstOf<P>(
  attempts: readonly Promise<[PrimarySession, P]>[],
  before: readonly AttemptError[],
): Promise<[PrimarySession, P]> {
  let winner: PrimarySession | undefined;
  for (const attempt of attempts) {
    attempt.then(
      ([session]) => {
        winner ??= session;
        if (winner !== session) destroy(session, 'not used');
      },
      () => {},
    );
  }
  try {
    return await Promise.any(attempts);
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find((one) => one instanceof LogOpenError) ?? new ConnectError([...before, ...errors]);
  }
}

/** Wrong password, no such user, no such database. */
const HOPELESS = new Set(['28P01', '28000', '3D000']);

class AttemptError extends Error {
  readonly isHopeless: boolean;

  constructor(server: string, cause: unknown) {
    super(`${server}: ${reasonOf(cause)}`, { cause });
    this.isHopeless = HOPELESS.has(sqlStateOf(cause) ?? '');
  }
}

class ConnectError extends Error {
  /** The answer of each server. */
  readonly reasons: string;
  readonly isHopeless: boolean;

  constructor(errors: readonly AttemptError[]) {
    super('no server could be used');
    this.reasons = errors.map(({ message }) => message).join('; ');
    this.isHopeless = errors.some(({ isHopeless }) => isHopeless);
  }
}

function connectionsOf({ writer, listener, reader }: PrimarySession): Connection[] {
  return [writer, listener, reader];
}

function destroy(session: PrimarySession, reason: string): void {
  for (const connection of connectionsOf(session)) connection.destroy(reason);
}
