// @seconds 39

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Client } from 'pg';
import { note, notes, pause, range, text } from '../../test/behaviour-tools.ts';
import { checkAgreement, NodeDiary, settled } from '../../test/many-nodes.ts';
import { OLDER_SCHEMA, OlderNode } from '../../test/older-release.ts';
import { createDatabase, PostgresServer, skipWithoutPostgres } from '../../test/postgres-server.ts';
import type { Log } from '../log.ts';
import { openLogReader } from '../open.ts';
import { openPostgresLog } from './log.ts';
import { SCHEMA_LOCK } from './schema.ts';

/** A node begins to count again if an eighth of this passed without a look, as it does while its process gets no processor. */
const UNSEEN_MS = 1_000;
/** Enough time for a node to look for others, even on a busy machine. */
const LOOKED_MS = 100;

describe('a PostgreSQL log of schema 1, whose end is stored in `head` too', {
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
  const open = async (olderUnseenMs = UNSEEN_MS): Promise<Log> => {
    const onWarning = (warning: string) => warnings.push(warning);
    const log = await openPostgresLog({ url: server.url(database), single: true, onWarning, olderUnseenMs });
    logs.push(log);
    return log;
  };
  const aboutOlder = () => warnings.filter((warning) => warning.includes('older release'));
  const takenOver = () => eventually(async () => (await version()) === 2);
  const version = async () => Number((await server.sql('SELECT schema_version FROM head', database))[0]![0]);

  test('is shared with nodes of the older release: one order, and one chain over everything both append', async () => {
    const [a, b] = [await NodeDiary.begin(await open()), await NodeDiary.begin(await open())];
    await eventually(async () => aboutOlder().length > 0);
    assert.match(aboutOlder()[0]!, /as one is connected; that ends once none has been there for 1 s$/);
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

  test('is taken over by running nodes once no older node is connected; a leftover older node can do no harm', async () => {
    const running = await NodeDiary.begin(await open());
    const other = await NodeDiary.begin(await open());
    await running.append('shared');
    await older.end();
    await running.log.append([note('alone')]);
    await takenOver();
    await eventually(async () => /from now on, so no older one can open it$/.test(warnings.at(-1)!));
    await running.append('after');
    await other.append('and after');
    older = await OlderNode.connect(server.url(database));
    await assert.rejects(older.append([note('left over')]), { code: '42703' });
    await settled([running, other]);
    checkAgreement([running, other]);
    assert.deepEqual(running.seen.map(text), ['a', 'b', 'c', 'shared', 'alone', 'after', 'and after']);
  });

  test('stays shared with an older node of another name, whichever of its three statements is the last', async () => {
    await older.end();
    older = await OlderNode.connect(`${server.url(database)}?application_name=elsewhere`);
    const asks = [() => older.look(), () => older.confirm(), () => older.append([note('busy')])];
    for (const ask of asks) {
      await ask();
      const log = await open();
      await pause(2 * UNSEEN_MS);
      assert.equal(await version(), 1, `taken over after ${ask}`);
      await log.close();
    }
    await open();
    await older.end();
    await takenOver();
  });

  test('stays shared with an older node that keeps losing its connection but returns in time', async () => {
    // Longer than this process may be kept from connecting again.
    const unseenMs = 7_000;
    await open(unseenMs);
    await older.end();
    for (const _ of range(1, 6)) {
      await pause(unseenMs / 6);
      assert.equal(await version(), 1);
      older = await OlderNode.connect(server.url(database));
      await older.append([note('back')]);
      // It is looked for 40 times within that time.
      await pause(unseenMs / 20);
      await older.end();
    }
    await takenOver();
  });

  test('stays shared with an older node that connects after the last look, just before the row would go', async () => {
    const lock = new Client({ connectionString: server.url(database) });
    await lock.connect();
    await open();
    await older.end();
    await lock.query(`SELECT pg_advisory_lock(${SCHEMA_LOCK})`);
    const waiting = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await eventually(async () => Number((await server.sql(waiting, database))[0]![0]) > 0);
    older = await OlderNode.connect(server.url(database));
    await lock.end();
    await pause(LOOKED_MS);
    assert.equal(await version(), 1);
    await older.append([note('in time')]);
    await older.end();
    await takenOver();
  });

  test('is taken over by the next node if the first one exits', async () => {
    const first = await open(60_000);
    await older.end();
    await first.close();
    await pause(2 * UNSEEN_MS);
    assert.equal(await version(), 1);
    await open();
    await takenOver();
  });

  test('stays as it is during a dump, rather than make other queries wait for it', async () => {
    await older.end();
    const dump = new Client({ connectionString: server.url(database) });
    await dump.connect();
    await dump.query('BEGIN; LOCK TABLE head IN ACCESS SHARE MODE');
    const log = await open();
    await eventually(async () => /as a transaction holds its tables/.test(aboutOlder().at(-1) ?? ''));
    await log.append([note('d')]);
    assert.equal(await version(), 1);
    await dump.end();
    await takenOver();
    await log.append([note('e')]);
  });
});

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const limitMs = performance.now() + 60_000;
  while (!(await holds())) {
    assert.ok(performance.now() < limitMs, 'not in time');
    await pause(20);
  }
}
