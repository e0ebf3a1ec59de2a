import { LogAbsentError, LogOpenError } from '../errors.ts';
import { type Connection, LONG_ANSWER_MS, type Run, sqlStateOf } from './connection.ts';
import { CREATE_TAKE_PLACES } from './places.ts';
import { HEAD_MISSING } from './statements.ts';

const SCHEMA_VERSION = 2;

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

/** Creates the log's tables if they do not exist. Throws `LogOpenError` if they cannot be used. */
export async function ensureSchema(connection: Connection): Promise<void> {
  try {
    await connection.transaction(createOrRead, LONG_ANSWER_MS);
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new LogOpenError(MAY_NOT_CREATE);
  }
}

async function createOrRead(run: Run): Promise<void> {
  await run(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`);
  const found = await tablesThere(run);
  if (found > 0 && found < TABLES.length) throw foreign();
  if (found === 0) for (const statement of SCHEMA) await run(statement);
  await checkVersion(run);
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

async function checkVersion(run: Run): Promise<void> {
  const version = await readVersion(run);
  if (version === SCHEMA_VERSION) return;
  const [age, advice] = version > SCHEMA_VERSION ? ['newer', 'upgrade'] : ['older', 'start afresh'];
  throw new LogOpenError(
    `the log was written by a ${age} version of the exchange (schema ${version}, this one knows ${SCHEMA_VERSION}); ${advice} to open it`,
  );
}

async function readVersion(run: Run): Promise<number> {
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
