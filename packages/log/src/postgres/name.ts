/** Connection names, shown in `pg_stat_activity`. Nodes announce their feature levels to each other through them. */

const NODE_NAME = 'venue-node';
const TOOL_NAME = 'venue tool';
/** PostgreSQL truncates names to 63 bytes, and a character that is not ASCII may take 16 of them. */
const NOT_ASCII = /[^ -~]/g;
const OWN_NAME_LENGTH_MAX = 40;

/**
 * The connection string with the name added. `level` is the node's feature level; a process that only reads the log
 * announces none.
 */
export function withName(connectionString: string, level: number | undefined): string {
  const at = connectionString.indexOf('?');
  const given = at === -1 ? '' : connectionString.slice(at + 1);
  const givenName = new URLSearchParams(given).get('application_name');
  const ownName = givenName?.replace(NOT_ASCII, '?').slice(0, OWN_NAME_LENGTH_MAX);
  const name = level === undefined ? (ownName ?? TOOL_NAME) : `${ownName ?? NODE_NAME} level ${level}`;
  // If a parameter is given twice, the last one counts.
  return `${connectionString}${at === -1 ? '?' : '&'}application_name=${encodeURIComponent(name)}`;
}

/** The end of the name of a node's connection, as a pattern of PostgreSQL and of JavaScript. */
export const LEVEL_PATTERN = ' level ([0-9]{1,9})$';

/** The feature level announced by the name of a node's connection. */
export function levelOf(name: string): number {
  return Number(new RegExp(LEVEL_PATTERN).exec(name)![1]);
}
