// @seconds 5

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { note, notes, pause } from '../../test/behaviour-tools.ts';
import { createDatabase, PostgresServer, skipWithoutPostgres } from '../../test/postgres-server.ts';
import { ChainVerifier } from '../chain.ts';
import type { Log } from '../log.ts';
import { openLogReader } from '../open.ts';
import { openPostgresLog } from './log.ts';

describe('PostgreSQL reader', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  let database: string;
  let log: Log | undefined;
  before(async () => {
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
  });
  after(() => server.remove());
  beforeEach(async () => {
    database = await createDatabase(server);
  });
  afterEach(async () => {
    await log?.close();
    log = undefined;
  });
  const open = async (now?: () => number): Promise<Log> => {
    log = await openPostgresLog({
      ...{ url: server.url(database), single: true, onWarning: () => {} },
      ...(now ? { now } : {}),
    });
    return log;
  };

  test('a reader that is refused leaves no connection behind', async () => {
    await assert.rejects(openLogReader(server.url(database)), /holds no log of the exchange/);
    const connected = `SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}'`;
    for (let tries = 0; tries < 40; tries++) {
      if (Number((await server.sql(connected))[0]![0]) === 0) return;
      await pause(50);
    }
    assert.fail('it is still connected');
  });

  test('a reader cannot write, whatever query it runs', async () => {
    await (await open()).append([note('n')]);
    await server.sql(
      `ALTER TABLE meta RENAME TO kept;
      INSERT INTO kept VALUES ('what', 'ever');
      CREATE FUNCTION try_to_write() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
        DELETE FROM log; RETURN 'written';
      EXCEPTION WHEN read_only_sql_transaction THEN RETURN 'refused'; END $$;
      CREATE VIEW meta AS SELECT key, try_to_write() AS value FROM kept`,
      database,
    );
    const reader = await openLogReader(server.url(database));
    assert.deepEqual(await reader.readStamp(), new Map([['what', 'refused']]));
    assert.equal((await reader.readEntries(1, 1)).length, 1);
    await reader.close();
  });

  test('a reader sees entries that a node appends meanwhile', async () => {
    const node = await open(() => 55);
    await assert.rejects(openLogReader(`${server.url(database)}_absent`), /does not exist/);
    await node.append(notes(3, 'n'));
    await node.append(notes(2, 'n'));
    const reader = await openLogReader(server.url(database));
    const [, last] = await reader.readBatches(1, 5);
    assert.deepEqual(await reader.head(), { seq: 5, ts: 55, hash: last!.hash });
    const verifier = new ChainVerifier(await reader.chainStart());
    verifier.addBatches(await reader.readBatches(1, 5));
    assert.equal(verifier.addEntries(await reader.readEntries(1, 5)) ?? verifier.finish(), undefined);
    await server.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
    await node.saveSnapshot({ seq: 5, version: 2, digest: 'd', body: Buffer.from('s') });
    await node.dropBefore(4);
    assert.equal((await reader.chainStart()).seq, 3);
    await assert.rejects(reader.readEntries(2, 5), /entry 2 was archived; the log begins at entry 4/);
    assert.deepEqual(
      (await reader.loadSnapshots()).map(({ seq }) => seq),
      [5],
    );
    await reader.close();
  });
});
