import { plainClock, SteadyClock } from '../clock.ts';
import { GroupCommitLog, type GroupCommitOptions } from '../group-commit.ts';
import type { Log, ReadOnlyLog } from '../log.ts';
import { FollowingLog } from '../stored-log.ts';
import { emitWarning, type OnWarning } from '../warning.ts';
import { checkTargets } from './connection.ts';
import { PostgresStore } from './store.ts';
import { parsePostgresUrl } from './url.ts';

export interface PostgresLogOptions {
  /**
   * `postgres://user:password@host1:5432,host2:5433/database?parameters`. With several hosts, the one that accepts
   * writes on the newest timeline is used, also after a fail-over.
   */
  readonly url: string;
  /** The feature level of this process, shown to others on the log; none for a process that applies no entries. */
  readonly level?: number;
  /** Integer Unix ms, trusted as it is. By default the server's clock is used, checked against this machine's. */
  readonly now?: () => number;
  /** Opens even if no standby stores acknowledged entries (`VENUE_LOG_SINGLE`). */
  readonly single?: boolean;
  /** Receives one-line warnings: settings that weaken an acknowledgement, and a server out of reach. */
  readonly onWarning?: OnWarning;
  /** How long an append or a request waits for an unreachable server (5 s). */
  readonly appendTimeoutMs?: number;
  /** How long opening waits for an unreachable server (30 s). */
  readonly openTimeoutMs?: number;
}

const APPEND_TIMEOUT_MS = 5_000;
const OPEN_TIMEOUT_MS = 30_000;

/**
 * Opens the log in a PostgreSQL database, creating its tables if necessary; other processes may append at the same
 * time. An append resolves once the server has committed it as `synchronous_commit` says, and is stored exactly once
 * however often the connection is lost. Throws `LogOpenError`, whose message is one line for the operator.
 *
 * @example
 * const log = await openPostgresLog({ url: 'postgres://venue:secret@db1,db2,db3/venue' });
 * const { firstSeq } = await log.append([{ kind: 'note', body: Buffer.from('{"text":"hello"}') }]);
 * await log.close();
 */
export async function openPostgresLog(options: PostgresLogOptions): Promise<Log> {
  const { store, ...opened } = await openStore(options);
  return new GroupCommitLog(store, opened);
}

/**
 * Opens the log in a PostgreSQL database to read and to follow it, with a user that may do no more than read its tables.
 * Throws `LogOpenError`, whose message is one line for the operator.
 */
export async function openPostgresFollower(
  options: Pick<PostgresLogOptions, 'url' | 'onWarning' | 'openTimeoutMs'>,
): Promise<ReadOnlyLog> {
  const { store } = await openStore({ ...options, follows: true });
  return new FollowingLog(store);
}

interface OpenedStore extends GroupCommitOptions {
  readonly store: PostgresStore;
}

async function openStore(options: PostgresLogOptions & { readonly follows?: boolean }): Promise<OpenedStore> {
  const onWarning = options.onWarning ?? emitWarning;
  const appendTimeoutMs = options.appendTimeoutMs ?? APPEND_TIMEOUT_MS;
  const targets = parsePostgresUrl(options.url);
  checkTargets(targets);
  const clock = options.now === undefined ? new SteadyClock() : plainClock(Date.now);
  const store = new PostgresStore({
    targets,
    level: options.level,
    clock,
    now: options.now,
    onWarning,
    requestTimeoutMs: appendTimeoutMs,
    single: options.single ?? false,
    follows: options.follows ?? false,
  });
  await store.open(options.openTimeoutMs ?? OPEN_TIMEOUT_MS);
  return { store, clock, appendTimeoutMs };
}
