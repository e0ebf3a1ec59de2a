import { plainClock, SteadyClock } from '../clock.ts';
import { GroupCommitLog } from '../group-commit.ts';
import type { Log } from '../log.ts';
import { emitWarning, type OnWarning } from '../warning.ts';
import { checkTargets } from './connection.ts';
import { PostgresStore } from './store.ts';
import { parsePostgresUrl } from './url.ts';

export interface PostgresLogOptions {
  /**
   * `postgres://user:password@host1:5432,host2:5433/database?parameters`. Of several hosts, the one that takes writes
   * on the newest timeline is used, also after a fail-over.
   */
  readonly url: string;
  /** The level of entries that this process reads, for others on the log to see; none for one that applies no entries. */
  readonly level?: number;
  /** Unix ms, an integer, taken as it is. By default the time is that of the server's clock, held against this machine's. */
  readonly now?: () => number;
  /** Opens also where no standby has what is acknowledged (`VENUE_LOG_SINGLE`). */
  readonly single?: boolean;
  /** Told, in one line each, what makes an acknowledgement worth less than it looks, and when the server is out of reach. */
  readonly onWarning?: OnWarning;
  /** How long an append, or a request, waits for a server that cannot be reached (5 s). */
  readonly appendTimeoutMs?: number;
  /** How long opening waits for one (30 s). */
  readonly openTimeoutMs?: number;
  /** How long no node of a release of schema 1 may have been seen before the log is no longer written as these need it (15 s). */
  readonly olderUnseenMs?: number;
}

const APPEND_TIMEOUT_MS = 5_000;
const OPEN_TIMEOUT_MS = 30_000;

/**
 * Opens the log in a PostgreSQL database, which other processes may append to at the same time, and makes its tables if
 * they are not there. An append resolves once the server has committed it as `synchronous_commit` says, and has exactly
 * one place however often the connection is lost on the way. Throws `LogOpenError`, whose message is one line for
 * the operator.
 *
 * @example
 * const log = await openPostgresLog({ url: 'postgres://venue:secret@db1,db2,db3/venue' });
 * const { firstSeq } = await log.append([{ kind: 'note', body: Buffer.from('{"text":"hello"}') }]);
 * await log.close();
 */
export async function openPostgresLog(options: PostgresLogOptions): Promise<Log> {
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
    olderUnseenMs: options.olderUnseenMs,
  });
  await store.open(options.openTimeoutMs ?? OPEN_TIMEOUT_MS);
  return new GroupCommitLog(store, { clock, appendTimeoutMs });
}
