import { LogOpenError } from '../errors.ts';

/** One server that may be, or become, the primary. */
export interface PostgresTarget {
  /** Host and port, for messages. */
  readonly name: string;
  /** Contains the password: never show it. */
  readonly connectionString: string;
}

export function isPostgresUrl(spec: string): boolean {
  return /^postgres(ql)?:\/\//.test(spec);
}

/**
 * Parses the servers of `postgres://user:password@host1:5432,host2:5433/database?parameters`. Throws `LogOpenError`,
 * which shows nothing of the URL but its hosts.
 */
export function parsePostgresUrl(url: string): readonly PostgresTarget[] {
  const parts = /^postgres(?:ql)?:\/\/([^/?]*)(\/[^?]*)?(\?.*)?$/s.exec(url);
  if (!parts) throw new LogOpenError(BAD_URL);
  const [, authority = '', path = '', parameters = ''] = parts;
  const at = authority.lastIndexOf('@');
  const credentials = authority.slice(0, at + 1);
  return authority
    .slice(at + 1)
    .split(',')
    .map((host) => {
      const connectionString = `postgres://${credentials}${host}${path}${parameters}`;
      if (host !== '' && !URL.canParse(connectionString)) throw new LogOpenError(BAD_URL);
      return { name: nameOf(host, parameters), connectionString };
    });
}

export const BAD_URL =
  'the URL of the log is not of the form postgres://user:password@host:port,host:port/database; characters such as @ and / in a password are written as %40 and %2F';

function nameOf(host: string, parameters: string): string {
  const named = host || new URLSearchParams(parameters).get('host') || 'localhost';
  return /:\d+$/.test(named) ? named : `${named}:5432`;
}
