import { type Connection, isPassing, sqlStateOf } from './connection.ts';

/**
 * The history of a PostgreSQL cluster that a server is on. Every promotion starts a timeline with a higher number, so
 * if two servers accept writes, the one on the lower timeline was replaced.
 */
export interface Timeline {
  /** The same on a primary and every copy of it; empty on a system that does not say. */
  readonly cluster: string;
  readonly number: number;
}

/** A primary writes to its own timeline; a standby may not have recorded its newest one yet. */
const OWN_TIMELINE = `SELECT system_identifier, CASE WHEN pg_is_in_recovery()
    THEN (SELECT greatest(timeline_id, min_recovery_end_timeline) FROM pg_control_checkpoint(), pg_control_recovery())
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END
  FROM pg_control_system()`;

const KEY = 'timeline';

/** Excludes the timeline, which is stored beside the stamp but does change. */
export const STAMP_FILTER = `key <> '${KEY}'`;

const NO_SUCH_TABLE = '42P01';

/**
 * The newest timeline a server knows of: its own, or the one that a node has written into the log, which standbys get
 * from the primary.
 */
export async function readTimeline(connection: Connection): Promise<{ own: Timeline; known: Timeline }> {
  const own = await ownTimeline(connection);
  const written = await writtenTimeline(connection);
  const isNewer = written?.cluster === own.cluster && written.number > own.number;
  return { own, known: isNewer ? written : own };
}

async function ownTimeline(connection: Connection): Promise<Timeline> {
  try {
    const [row] = await connection.query(OWN_TIMELINE);
    return { cluster: String(row![0]), number: Number(row![1]) };
  } catch (error) {
    // A compatible system without these functions has its own kind of fail-over.
    if (sqlStateOf(error) === undefined || isPassing(error)) throw error;
    return { cluster: '', number: 0 };
  }
}

async function writtenTimeline(connection: Connection): Promise<Timeline | undefined> {
  try {
    const [row] = await connection.query(`SELECT value FROM meta WHERE key = '${KEY}'`);
    const [cluster, number] = String(row?.[0] ?? '').split('/');
    return number === undefined ? undefined : { cluster: cluster!, number: Number(number) };
  } catch (error) {
    if (sqlStateOf(error) === NO_SUCH_TABLE) return undefined;
    throw error;
  }
}

/** For nodes that can reach only standbys of this server. */
export async function writeTimeline(connection: Connection, { cluster, number }: Timeline): Promise<void> {
  await connection.query({
    text: `INSERT INTO meta VALUES ('${KEY}', $1)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE meta.value <> excluded.value`,
    values: [`${cluster}/${number}`],
  });
}
