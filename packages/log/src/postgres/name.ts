/** The name under which a connection shows in `pg_stat_activity`, by which nodes tell each other what they read. */

/** Of every connection of the releases that announced no level, and of no others. */
export const NAME_WITHOUT_LEVEL = 'venue';
const NODE_NAME = 'venue-node';
const TOOL_NAME = 'venue tool';
/** PostgreSQL cuts names off at 63 bytes, of which other characters take up to 16. */
const NOT_ASCII = /[^ -~]/g;
const OWN_NAME_LENGTH_MAX = 40;

/** The connection string with the name in it. `level` is what a node announces; what only reads the log announces none. */
export function withName(connectionString: string, level: number | undefined): string {
  const at = connectionString.indexOf('?');
  const given = at === -1 ? '' : connectionString.slice(at + 1);
  const givenName = new URLSearchParams(given).get('application_name');
  const ownName = givenName?.replace(NOT_ASCII, '?').slice(0, OWN_NAME_LENGTH_MAX);
  const name = level === undefined ? (ownName ?? TOOL_NAME) : `${ownName ?? NODE_NAME} level ${level}`;
  // Of a parameter that is given twice the last one counts.
  return `${connectionString}${at === -1 ? '?' : '&'}application_name=${encodeURIComponent(name)}`;
}

/** The level that a name announces, or null. */
export function levelOf(name: string): number | null {
  const [, level] = / level (\d{1,9})$/.exec(name) ?? [];
  return level === undefined ? null : Number(level);
}
