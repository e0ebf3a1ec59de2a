import { LogOpenError } from './errors.ts';
import type { Log, ReadOnlyLog } from './log.ts';
import type { PostgresLogOptions } from './postgres/log.ts';
import { isPostgresUrl, parsePostgresUrl } from './postgres/url.ts';
import type { LogReader } from './reader.ts';
import { openSqliteFollower } from './sqlite/follower-log.ts';
import { openSqliteLog } from './sqlite/log.ts';
import { openSqliteReader } from './sqlite/reader.ts';

/** A parsed log name. */
export type LogSpec =
  | { readonly kind: 'sqlite'; readonly path: string; readonly shown: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly shown: string };

const SQLITE = 'sqlite:';

/**
 * Parses `sqlite:<path>` or `postgres://…`; `shown` is for messages and contains no password. Throws `LogOpenError`.
 *
 * @example parseLogSpec('postgres://venue:secret@db1,db2/venue').shown; // 'postgres://db1:5432,db2:5432'
 */
export function parseLogSpec(spec: string): LogSpec {
  if (isPostgresUrl(spec)) {
    const hosts = parsePostgresUrl(spec).map(({ name }) => name);
    return { kind: 'postgres', url: spec, shown: `postgres://${hosts.join(',')}` };
  }
  const path = spec.startsWith(SQLITE) ? spec.slice(SQLITE.length) : '';
  if (path === '')
    throw new LogOpenError('a log is named by sqlite:<path> or postgres://user:password@host/database');
  refuseSpecialPath(path);
  return { kind: 'sqlite', path, shown: spec };
}

/** Some names are special to SQLite: their data would vanish with the process, or be stored elsewhere. */
function refuseSpecialPath(path: string): void {
  const example = 'as in sqlite:./data/venue.db';
  if (path === ':memory:')
    throw new LogOpenError(
      `sqlite::memory: would keep nothing of what it acknowledges; name a file, ${example}`,
    );
  if (/^file:/i.test(path))
    throw new LogOpenError(
      `sqlite:file:… is a URL, which may keep nothing of what it acknowledges; name the file itself, ${example}`,
    );
}

export type LogOptions = Omit<PostgresLogOptions, 'url'>;

/**
 * Opens the log named by `spec`, see `parseLogSpec`. Options for servers are ignored for a file. Throws `LogOpenError`,
 * whose message is one line for the operator.
 */
export async function openLog(spec: string, options: LogOptions = {}): Promise<Log> {
  const parsed = parseLogSpec(spec);
  if (parsed.kind === 'postgres') return (await postgres()).openPostgresLog({ ...options, url: parsed.url });
  return openSqliteLog({ ...options, path: parsed.path });
}

/**
 * Opens the log named by `spec` to read and to follow it, for a process that appends nothing. The log is there already,
 * and others may be writing it. Throws `LogOpenError`, whose message is one line for the operator.
 */
export async function openFollowedLog(
  spec: string,
  options: Pick<LogOptions, 'onWarning'> = {},
): Promise<ReadOnlyLog> {
  const parsed = parseLogSpec(spec);
  if (parsed.kind === 'postgres')
    return (await postgres()).openPostgresFollower({ ...options, url: parsed.url });
  return openSqliteFollower(parsed.path);
}

/** Opens the log named by `spec` for reading, even while others write it. Throws `LogOpenError`. */
export async function openLogReader(spec: string): Promise<LogReader> {
  const parsed = parseLogSpec(spec);
  if (parsed.kind === 'postgres')
    return (await import('./postgres/reader.ts')).openPostgresReader(parsed.url);
  return openSqliteReader(parsed.path);
}

/** Loaded when a server is named: a node that keeps the log in a file has no use for its driver. */
function postgres() {
  return import('./postgres/log.ts');
}
