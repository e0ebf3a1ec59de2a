import type { Connection } from './connection.ts';

/** The server settings that decide what an acknowledgement guarantees. */
export interface SafetySettings {
  readonly synchronousCommit: string;
  readonly synchronousStandbyNames: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
}

export async function readSafetySettings(connection: Connection): Promise<SafetySettings> {
  const [row] = await connection.query(`SELECT current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names'), current_setting('fsync'), current_setting('full_page_writes')`);
  const [synchronousCommit, synchronousStandbyNames, fsync, fullPageWrites] = row as [
    string,
    string,
    string,
    string,
  ];
  return { synchronousCommit, synchronousStandbyNames, fsync, fullPageWrites };
}

/** Why an operator must explicitly accept a single server; undefined if commits wait for a standby. */
export function singleServer(settings: SafetySettings): string | undefined {
  const { synchronousCommit: commit, synchronousStandbyNames: names } = settings;
  const cause =
    names.trim() === ''
      ? 'synchronous_standby_names is empty'
      : commit === 'off' || commit === 'local'
        ? `synchronous_commit is ${commit}`
        : undefined;
  if (cause === undefined) return undefined;
  return `the primary waits for no standby (${cause}), so one server alone would have what is acknowledged; set it up with synchronous standbys, or say with VENUE_LOG_SINGLE=1 that one server will do`;
}

/** One line for each reason why an acknowledged append may not be durable on a majority of servers. */
export function safetyWarnings(settings: SafetySettings): string[] {
  const warnings: string[] = [];
  const { synchronousCommit: commit } = settings;
  if (settings.fsync === 'off')
    warnings.push(`fsync is off: a crash of the server can lose or damage ${ANY}`);
  if (settings.fullPageWrites === 'off') {
    warnings.push(`full_page_writes is off: a power cut in the middle of a write can damage ${ANY}`);
  }
  if (commit === 'off') warnings.push(`synchronous_commit is off: a crash of PostgreSQL can lose ${ANY}`);
  const standbys = standbyWarning(settings);
  if (standbys !== undefined) warnings.push(standbys);
  return warnings;
}

const ANY = 'what was acknowledged';

function standbyWarning({
  synchronousCommit: commit,
  synchronousStandbyNames: names,
}: SafetySettings): string | undefined {
  if (names.trim() === '') {
    return `synchronous_standby_names is empty: ${ANY} is on one server, and is lost with it`;
  }
  if (commit === 'local') {
    return `synchronous_commit is local: a fail-over can lose ${ANY}, as no standby is waited for`;
  }
  if (commit === 'remote_write') {
    return `synchronous_commit is remote_write: losing the power of primary and standby together can lose ${ANY}`;
  }
  const { waitsFor, standbys } = parseStandbyNames(names);
  const majority = Math.floor((standbys + 1) / 2) + 1;
  if (waitsFor + 1 >= majority) return undefined;
  return `synchronous_standby_names waits for ${waitsFor} of ${standbys} standbys, fewer than a majority: a fail-over to one of the others can lose ${ANY}`;
}

/** How many standbys a commit waits for, and out of how many; `*` counts as one, because it does not say. */
function parseStandbyNames(names: string): { waitsFor: number; standbys: number } {
  const counted = /^\s*(?:ANY\s+|FIRST\s+)?(\d+)\s*\((.*)\)\s*$/is.exec(names);
  const list = counted ? counted[2]! : names;
  const waitsFor = counted ? Number(counted[1]) : 1;
  const standbys = list.match(/"(?:[^"]|"")*"|[^,\s]+/g)?.length ?? 0;
  return { waitsFor, standbys: Math.max(standbys, waitsFor) };
}
