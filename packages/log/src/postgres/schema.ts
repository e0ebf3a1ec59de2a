import { LogAbsentError, LogOpenError } from '../errors.ts';
import { type Connection, LONG_ANSWER_MS, type Run, sqlStateOf } from './connection.ts';
import { CREATE_TAKE_PLACES, LOCK_END } from './places.ts';
import { HEAD_MISSING } from './statements.ts';

const SCHEMA_VERSION = 2;
/** In this version `head` also contains the end of the log, and every append updates it. */
export const SHARED_VERSION = 1;

/**
 * "VENUELOG" in ASCII, as a decimal, because PostgreSQL before 16 has no hexadecimal literals. Creating the tables
 * requires this lock.
 */
export const SCHEMA_LOCK = '6216460988796653383::bigint';

const TABLES = ['log', 'batch', 'head', 'meta', 'snapshot'];

/** The end of the log is that of the last batch; `head` has one row, the point that the first batch continues from. */
const SCHEMA = [
  `CREATE TABLE log(seq bigint PRIMARY KEY, ts bigint NOT NULL, kind text NOT NULL, body bytea NOT NULL)`,
  `CREATE TABLE batch(first_seq bigint PRIMARY KEY, last_seq bigint NOT NULL,
     id uuid NOT NULL CONSTRAINT batch_id_key UNIQUE, hash bytea NOT NULL)`,
  `CREATE TABLE head(one boolean PRIMARY KEY DEFAULT true CHECK (one), schema_version int NOT NULL,
     first_seq bigint NOT NULL, first_hash bytea NOT NULL)`,
  `CREATE TABLE meta(key text PRIMARY KEY, value text NOT NULL)`,
  `CREATE TABLE snapshot(seq bigint PRIMARY KEY, version int NOT NULL, digest text NOT NULL, body bytea NOT NULL)`,
  `INSERT INTO head VALUES (true, ${SCHEMA_VERSION}, 1, decode(repeat('00', 32), 'hex'))`,
  CREATE_TAKE_PLACES,
];

/**
 * Creates the log's tables if they do not exist. Returns true if they are those of an older release, whose `head` also
 * contains the end of the log. Throws `LogOpenError` if they cannot be used.
 */
export async function ensureSchema(connection: Connection): Promise<boolean> {
  try {
    return (await connection.transaction(createOrRead, LONG_ANSWER_MS)) === SHARED_VERSION;
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new LogOpenError(MAY_NOT_CREATE);
  }
}

async function createOrRead(run: Run): Promise<number> {
  await run(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`);
  const found = await tablesThere(run);
  if (found > 0 && found < TABLES.length) throw foreign();
  if (found === 0) for (const statement of SCHEMA) await run(statement);
  const version = await checkVersion(run);
  if (version === SHARED_VERSION) await run(CREATE_TAKE_PLACES);
  return version;
}

/**
 * Removes the end of the log from `head`, unless `isHindered`, called under the lock, returns true. Returns true if it
 * has been removed.
 */
export async function dropSharedEnd(
  run: Run,
  { isHindered }: { readonly isHindered: () => Promise<boolean> },
): Promise<boolean> {
  await run(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`);
  if ((await readVersion(run)) !== SHARED_VERSION) return true;
  await run(LOCK_END);
  if (await isHindered()) return false;
  // A statement waiting for the table would make all others wait.
  await run(`SET LOCAL lock_timeout = '200ms'`);
  await run('ALTER TABLE head DROP COLUMN seq, DROP COLUMN ts, DROP COLUMN hash');
  await run(`UPDATE head SET schema_version = ${SCHEMA_VERSION}`);
  return true;
}

/** Throws `LogOpenError` unless the log's tables exist: `LogAbsentError` if there is none of them. */
export async function checkSchema(connection: Connection): Promise<void> {
  const run: Run = (statement) => connection.query(statement);
  const found = await tablesThere(run);
  if (found === 0)
    throw new LogAbsentError({ obstacle: (await mayCreate(run)) ? undefined : MAY_NOT_CREATE });
  if (found < TABLES.length) throw foreign();
  await checkVersion(run);
}

export const LOCK_NOT_AVAILABLE = '55P03';
const INSUFFICIENT_PRIVILEGE = '42501';
const UNDEFINED_COLUMN = '42703';
const MAY_NOT_CREATE =
  'the user of the log may not create or use its tables; grant CREATE on the schema, or the tables to this user';

async function mayCreate(run: Run): Promise<boolean> {
  const [row] = await run(`SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)`);
  return row![0] === true;
}

async function tablesThere(run: Run): Promise<number> {
  const [row] = await run({
    text: 'SELECT count(to_regclass(name)) FROM unnest($1::text[]) AS t(name)',
    values: [TABLES],
  });
  return Number(row![0]);
}

async function checkVersion(run: Run): Promise<number> {
  const version = await readVersion(run);
  if (version === SCHEMA_VERSION || version === SHARED_VERSION) return version;
  const [age, advice] = version > SCHEMA_VERSION ? ['newer', 'upgrade'] : ['older', 'start afresh'];
  throw new LogOpenError(
    `the log was written by a ${age} version of the exchange (schema ${version}, this one knows ${SCHEMA_VERSION}); ${advice} to open it`,
  );
}

export async function readVersion(run: Run): Promise<number> {
  try {
    const [row] = await run('SELECT schema_version FROM head');
    if (row === undefined) throw new LogOpenError(HEAD_MISSING);
    return Number(row[0]);
  } catch (error) {
    throw sqlStateOf(error) === UNDEFINED_COLUMN ? foreign() : error;
  }
}

function foreign(): LogOpenError {
  return new LogOpenError('the database holds tables of another program; choose another one for the log');
}
