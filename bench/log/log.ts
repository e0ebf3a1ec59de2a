// How many appends a second does the durable log acknowledge, how close is that to the store's own limit, and how fast
// is it replayed? The limit is a bare transaction of the same rows, in SQLite and in PostgreSQL, in the same run. And
// what does a concurrent long transaction, such as a dump, cost an append on PostgreSQL?
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Log, openSqliteLog } from '@venue/log';
import { openPostgresLog } from '@venue/log/postgres';
import { Client } from 'pg';
import { createDatabase, PostgresServer, whyNoPostgres } from '../../packages/log/test/postgres-server.ts';

const IN_FLIGHT = [1, 64, 1000];
const WARM_UP_MS = 300;
const MEASURE_MS = 1500;
const REPLAY_ENTRIES = 1_000_000;
/** Transactions during a long one, which cannot be vacuumed. */
const APPENDS_BESIDE = 10_000;
const BODY = Buffer.from(
  JSON.stringify({ account: `0x${'a'.repeat(40)}`, series: 'BTC-1767225600-C-50000', side: 'buy', qty: 1e6 }),
);
const ITEM = { kind: 'order', body: BODY };

/** Prints appends a second next to the bare limit, and the replay rate, for each store. */
export async function run(): Promise<void> {
  console.log(
    `log: ${BODY.length}-byte bodies, ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`,
  );
  await runSqlite();
  const why = whyNoPostgres();
  if (why === undefined) await runPostgres();
  else console.log(`PostgreSQL cannot run here: ${why}`);
}

async function runSqlite(): Promise<void> {
  // In the working folder, because the temporary one may not be on a disk.
  mkdirSync('data', { recursive: true });
  const folder = mkdtempSync(join('data', 'bench-log-'));
  try {
    const rows = [];
    for (const inFlight of IN_FLIGHT) {
      const path = join(folder, `log-${inFlight}.db`);
      const log = await appendsPerSecond(await openSqliteLog({ path }), inFlight);
      const limit = await bareInsertsPerSecond(join(folder, `bare-${inFlight}.db`), inFlight);
      rows.push({ 'in flight': inFlight, ...log, 'bare SQLite/s': limit });
    }
    console.table(rows);
    await printReplay('SQLite', await openSqliteLog({ path: join(folder, 'replay.db') }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One server on this machine, with fsync and without standbys. */
async function runPostgres(): Promise<void> {
  const server = await PostgresServer.create();
  await server.start();
  const open = async () =>
    openPostgresLog({ url: server.url(await createDatabase(server)), single: true, onWarning: () => {} });
  try {
    const rows = [];
    for (const inFlight of IN_FLIGHT) {
      const log = await appendsPerSecond(await open(), inFlight);
      const limit = await bareRowsPerSecond(server.url(await createDatabase(server)), inFlight);
      rows.push({ 'in flight': inFlight, ...log, 'bare PostgreSQL/s': limit });
    }
    console.table(rows);
    await printBesideTransaction(server);
    await printReplay('PostgreSQL', await open());
  } finally {
    await server.remove();
  }
}

async function printBesideTransaction(server: PostgresServer): Promise<void> {
  const url = server.url(await createDatabase(server));
  const speed = async () =>
    appendsPerSecond(await openPostgresLog({ url, single: true, onWarning: () => {} }), 1);
  const alone = await speed();
  const long = new Client({ connectionString: url });
  await long.connect();
  await long.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await long.query('SELECT count(*) FROM log');
  const log = await openPostgresLog({ url, single: true, onWarning: () => {} });
  for (let i = 0; i < APPENDS_BESIDE; i++) await log.append([ITEM]);
  await log.close();
  const beside = await speed();
  await long.end();
  const ratio = (beside['p50 ms'] / alone['p50 ms']).toFixed(2);
  console.log(
    `an append by itself: p50 ${alone['p50 ms']} ms; after ${APPENDS_BESIDE.toLocaleString('en')} beside an open transaction: p50 ${beside['p50 ms']} ms, ${ratio} times that`,
  );
}

async function printReplay(store: string, log: Log): Promise<void> {
  const replayed = await replayPerSecond(log);
  console.log(
    `${store} replay: ${replayed.toLocaleString('en')} entries/s over ${REPLAY_ENTRIES.toLocaleString('en')}`,
  );
}

interface AppendSpeed {
  readonly 'appends/s': number;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  readonly 'entries/flush': number;
}

async function appendsPerSecond(log: Log, inFlight: number): Promise<AppendSpeed> {
  const latenciesMs: number[] = [];
  const start = performance.now() + WARM_UP_MS;
  const end = start + MEASURE_MS;
  let flushes = 0;
  let delivered = 0;
  await log.follow(1, (entries) => {
    flushes += 1;
    delivered += entries.length;
  }).caughtUp;
  const client = async (): Promise<void> => {
    for (let sent = performance.now(); sent < end; sent = performance.now()) {
      await log.append([ITEM]);
      const done = performance.now();
      if (sent >= start && done < end) latenciesMs.push(done - sent);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  assert.equal((await log.head()).seq, delivered);
  await log.close();
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => Number(latenciesMs[Math.floor(latenciesMs.length * share)]!.toFixed(3));
  return {
    'appends/s': Math.round((latenciesMs.length * 1000) / MEASURE_MS),
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'entries/flush': Math.round(delivered / flushes),
  };
}

async function bareInsertsPerSecond(path: string, batch: number): Promise<number> {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE log(seq INTEGER PRIMARY KEY, ts INTEGER, kind TEXT, body TEXT)');
  const insert = db.prepare('INSERT INTO log(ts, kind, body) VALUES (?, ?, ?)');
  const body = BODY.toString();
  const { rows, perSecond } = await rowsPerSecond(batch, () => {
    db.exec('BEGIN');
    for (let i = 0; i < batch; i++) insert.run(Date.now(), ITEM.kind, body);
    db.exec('COMMIT');
  });
  const stored = db.prepare('SELECT count(*) AS n, sum(length(body)) AS bytes FROM log').get()!;
  assert.deepEqual({ ...stored }, { n: rows, bytes: rows * BODY.length });
  db.close();
  return perSecond;
}

/** Writes batch after batch; the first ones are warm-up. */
async function rowsPerSecond(
  batch: number,
  write: () => unknown,
): Promise<{ rows: number; perSecond: number }> {
  let rows = 0;
  const writeFor = async (ms: number) => {
    const before = rows;
    const start = performance.now();
    for (; performance.now() - start < ms; rows += batch) await write();
    return ((rows - before) * 1000) / (performance.now() - start);
  };
  await writeFor(WARM_UP_MS);
  return { perSecond: Math.round(await writeFor(MEASURE_MS)), rows };
}

async function bareRowsPerSecond(url: string, batch: number): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE log(seq bigserial PRIMARY KEY, ts bigint, kind text, body bytea)');
  // All bodies as one value: the fastest way for large batches, and the one the log uses.
  const insert = `INSERT INTO log(ts, kind, body)
    SELECT $1, kind, substring($3::bytea FROM start FOR size)
    FROM unnest($2::text[], $4::int[], $5::int[]) AS item(kind, start, size)`;
  const items: (typeof ITEM)[] = Array(batch).fill(ITEM);
  const { rows, perSecond } = await rowsPerSecond(batch, () => {
    const bodies = Buffer.concat(items.map(({ body }) => body));
    const kinds = items.map(({ kind }) => kind);
    const starts = items.map(({ body }, i) => 1 + i * body.length);
    const sizes = items.map(({ body }) => body.length);
    return client.query({ name: 'insert', text: insert, values: [Date.now(), kinds, bodies, starts, sizes] });
  });
  const stored = await client.query('SELECT count(*) AS n, sum(length(body)) AS bytes FROM log');
  assert.deepEqual(stored.rows, [{ n: String(rows), bytes: String(rows * BODY.length) }]);
  await client.end();
  return perSecond;
}

async function replayPerSecond(log: Log): Promise<number> {
  const call = Array(10_000).fill(ITEM);
  for (let count = 0; count < REPLAY_ENTRIES; count += call.length) await log.append(call);
  const start = performance.now();
  let bytes = 0;
  await log.follow(1, (entries) => {
    for (const entry of entries) bytes += entry.body.byteLength;
  }).caughtUp;
  const elapsedMs = performance.now() - start;
  assert.equal(bytes, REPLAY_ENTRIES * BODY.length);
  await log.close();
  return Math.round((REPLAY_ENTRIES * 1000) / elapsedMs);
}
