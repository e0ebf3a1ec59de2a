import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Client } from 'pg';
import { note, notes, range, text } from '../test/behaviour-tools.ts';
import { checkAgreement, NodeDiary, settled } from '../test/many-nodes.ts';
import { OLDER_SCHEMA, OlderNode } from '../test/older-release.ts';
import { createDatabase, PostgresServer, skipWithoutPostgres } from '../test/postgres-server.ts';
import type { Log } from './log.ts';
import { openLogReader } from './open.ts';
import { openPostgresLog } from './postgres.ts';

describe('a PostgreSQL log of schema 1, whose end stands in `head` too', {
  skip: skipWithoutPostgres(),
}, () => {
  let server: PostgresServer;
  let database: string;
  let logs: Log[];
  let warnings: string[];
  let older: OlderNode;
  before(async () => {
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
  });
  after(() => server.remove());
  beforeEach(async () => {
    database = await createDatabase(server);
    await server.sql(OLDER_SCHEMA, database);
    older = await OlderNode.connect(server.url(database));
    for (const word of ['a', 'b', 'c']) await older.append([note(word)]);
    [logs, warnings] = [[], []];
  });
  afterEach(async () => {
    for (const log of logs) await log.close();
    await older.end();
  });
  const open = async (): Promise<Log> => {
    const onWarning = (warning: string) => warnings.push(warning);
    const log = await openPostgresLog({ url: server.url(database), single: true, onWarning });
    logs.push(log);
    return log;
  };
  const aboutOlder = () => warnings.filter((warning) => warning.includes('older release'));
  const version = async () => Number((await server.sql('SELECT schema_version FROM head', database))[0]![0]);

  test('is shared with nodes of the older release: one order, and one chain over what both append', async () => {
    const [a, b] = [await NodeDiary.begin(await open()), await NodeDiary.begin(await open())];
    assert.match(aboutOlder()[0]!, /as one is connected; the first start without one ends that$/);
    const load = [a, b].flatMap((one, n) =>
      range(1, 4).map((client) => one.appendMany(`${n}.${client}`, 50)),
    );
    for (const i of range(1, 300)) await older.append(notes(1 + (i % 3), `older.${i}`));
    await Promise.all(load);
    await settled([a, b]);
    checkAgreement([a, b]);
    assert.equal(a.seen.length, 3 + 400 + 600);
    const reader = await openLogReader(server.url(database));
    const [row] = await server.sql('SELECT seq, hash FROM head', database);
    const { seq, hash } = await reader.head();
    assert.deepEqual([Number(row![0]), (row![1] as Buffer).toString('hex')], [seq, hash]);
    await reader.close();
    assert.equal(await version(), 1);
  });

  test('is taken over once no older node is connected, while others run; one that is left over can do no harm', async () => {
    const running = await NodeDiary.begin(await open());
    await running.append('shared');
    await older.end();
    await running.log.append([note('alone')]);
    warnings = [];
    const last = await NodeDiary.begin(await open());
    assert.deepEqual([aboutOlder(), await version()], [[], 2]);
    await running.append('after');
    await last.append('and after');
    older = await OlderNode.connect(server.url(database));
    await assert.rejects(older.append([note('left over')]), { code: '42703' });
    await settled([running, last]);
    checkAgreement([running, last]);
    assert.deepEqual(running.seen.map(text), ['a', 'b', 'c', 'shared', 'alone', 'after', 'and after']);
  });

  test('stays as it is beside a dump, rather than make everybody wait for it', async () => {
    await older.end();
    const dump = new Client({ connectionString: server.url(database) });
    await dump.connect();
    await dump.query('BEGIN; LOCK TABLE head IN ACCESS SHARE MODE');
    await (await open()).append([note('d')]);
    assert.match(
      aboutOlder()[0]!,
      /as a transaction holds its tables; the first start without one ends that$/,
    );
    assert.equal(await version(), 1);
    await dump.end();
    await (await open()).append([note('e')]);
    assert.equal(await version(), 2);
  });
});
