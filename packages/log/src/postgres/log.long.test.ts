// @seconds 50

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Client } from 'pg';
import { describeLog } from '../../test/behaviour.ts';
import { note, notes, pause, range, text } from '../../test/behaviour-tools.ts';
import { checkAgreement, NodeDiary, settled } from '../../test/many-nodes.ts';
import { type Cut, PostgresProxy } from '../../test/postgres-proxy.ts';
import { createDatabase, PASSWORD, PostgresServer, skipWithoutPostgres } from '../../test/postgres-server.ts';
import { BatchDigest } from '../chain.ts';
import {
  LogArchivedAheadError,
  LogClockError,
  LogDamagedError,
  LogDivergedError,
  LogFailedError,
  LogOpenError,
  LogUnavailableError,
} from '../errors.ts';
import type { Log } from '../log.ts';
import { openLogReader } from '../open.ts';
import { openPostgresFollower, openPostgresLog, type PostgresLogOptions } from './log.ts';
import { LOCK_END } from './places.ts';
import { appendStatement } from './statements.ts';

describe('PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  let database: string;
  let opened: Log[];
  const warnings: string[] = [];
  const open = async (options: Partial<PostgresLogOptions> = {}): Promise<Log> => {
    const url = server.url(database);
    const log = await openPostgresLog({
      ...{ url, single: true, onWarning: (text: string) => warnings.push(text) },
      ...options,
    });
    opened.push(log);
    return log;
  };
  const node = async (options: Partial<PostgresLogOptions> = {}) => NodeDiary.begin(await open(options));

  before(async () => {
    // These tests do not cover power cuts, and creating databases flushes a lot.
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
  });
  after(() => server.remove());
  beforeEach(async () => {
    database = await createDatabase(server);
    opened = [];
    warnings.length = 0;
  });
  afterEach(async () => {
    for (const log of opened) await log.close();
  });

  test('FOL-2: a follower that may only read is delivered everything and announces no level', async (t) => {
    const log = await open({ level: 3 });
    await log.append(notes(5_000, 'stored'));
    await server.sql(`CREATE ROLE reader LOGIN PASSWORD 'reads'`);
    await server.sql('GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader', database);
    const url = new URL(server.url(database));
    Object.assign(url, { username: 'reader', password: 'reads' });
    const followed = await openPostgresFollower({ url: url.href, onWarning: () => {} });
    t.after(() => followed.close());
    const seen: string[] = [];
    const { caughtUp } = followed.follow(1, (entries) => void seen.push(...entries.map(text)));
    assert.equal(await caughtUp, 5_000);
    for (let i = 0; i < 20; i += 1) await log.append(notes(3, `new${i}-`));
    while (seen.length < 5_060) await pause(5);
    const written: string[] = [];
    await log.follow(1, (entries) => void written.push(...entries.map(text))).caughtUp;
    assert.deepEqual(seen, written);
    assert.deepEqual(
      (await log.nodes()).map(({ level }) => level),
      [3],
    );
  });

  test('FOL-2: a follower makes no tables', async () => {
    const url = server.url(database);
    await assert.rejects(openPostgresFollower({ url }), /holds no log of the exchange/);
  });

  describeLog('PostgreSQL log', async () => {
    const url = server.url(database);
    const place = database;
    return {
      open: (now) => openPostgresLog({ url, single: true, onWarning: () => {}, ...(now ? { now } : {}) }),
      remove: async () => {},
      lose: async (seq) => void (await server.sql(`DELETE FROM log WHERE seq = ${seq}`, place)),
      damage: async (seq) => void (await server.sql(`UPDATE log SET body = '{}' WHERE seq = ${seq}`, place)),
    };
  });

  describe('several nodes on one log', () => {
    test('6,000 entries of three nodes: each once, all in one order, without gaps, time never going back', async () => {
      const nodes = await Promise.all([node(), node(), node()]);
      await Promise.all(
        nodes.flatMap((one, n) => range(1, 20).map((client) => one.appendMany(`${n}.${client}`, 100))),
      );
      await settled(nodes);
      assert.equal(nodes[0]!.seen.length, 3 * 20 * 100);
      checkAgreement(nodes);
    });

    test('see the feature level of each other (OWN-72)', async (t) => {
      const named = `${server.url(database)}?application_name=${encodeURIComponent('exchange ä'.repeat(9))}`;
      const [two] = [await open({ level: 2 }), await open({ level: 3, url: named }), await open()];
      const reader = await openLogReader(server.url(database));
      t.after(() => reader.close());
      for (const applicationName of ['psql', 'venue', 'on level x']) {
        const client = new Client({
          connectionString: server.url(database),
          application_name: applicationName,
        });
        await client.connect();
        t.after(() => client.end());
      }
      const nodes = await two!.nodes();
      assert.deepEqual(nodes.map(({ level }) => level).sort(), [2, 3]);
      assert.deepEqual(
        nodes.map(({ address }) => address),
        ['127.0.0.1', '127.0.0.1'],
      );
      assert.equal(two!.isShared, true);
    });

    test('an append by another node arrives by notification, well before the next poll', async () => {
      const [a, b] = [await node(), await node()];
      const delaysMs: number[] = [];
      const appendsMs: number[] = [];
      for (let i = 0; i < 20; i++) {
        const askedMs = performance.now();
        await a!.append(`word ${i}`);
        const startMs = performance.now();
        appendsMs.push(startMs - askedMs);
        while (b!.seen.length <= i) await pause(1);
        delaysMs.push(performance.now() - startMs);
      }
      const median = (times: number[]) => times.sort((x, y) => x - y)[10]!;
      // By polls alone it would be half of their interval; on a slow machine appends take long too.
      const limitMs = Math.max(80, 10 * median(appendsMs));
      assert.ok(median(delaysMs) < limitMs, `${median(delaysMs)} ms`);
    });

    test('five simultaneous first starts create one log', async () => {
      const logs = await Promise.all(range(1, 5).map(() => open()));
      await Promise.all(logs.map((log) => log.append([note('hello')])));
      assert.equal((await logs[0]!.head()).seq, 5);
    });

    test('MODE-1: when two nodes stamp a log simultaneously, one wins', async () => {
      const [a, b] = [await open(), await open()];
      const results = await Promise.allSettled([
        a!.writeStamp(new Map([['mode', 'paper']])),
        b!.writeStamp(new Map([['mode', 'deposits']])),
      ]);
      assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    });

    test("the time is the server's unless a clock is given", async () => {
      const log = await open();
      const beforeMs = Date.now();
      const { ts } = await log.append([note('now')]);
      assert.ok(ts >= beforeMs - 1 && ts <= Date.now() + 1, `${ts} of an append at ${beforeMs}`);
    });
  });

  test('appends and confirmations rewrite no row, so no old row versions pile up', async () => {
    const log = await open();
    const updates = `SELECT sum(n_tup_upd), pg_relation_size('head') FROM pg_stat_user_tables`;
    const reader = new Client({ connectionString: server.url(database) });
    await reader.connect();
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM log');
    for (let i = 0; i < 100; i++) await log.append([note(`${i}`)]);
    while (log.status().lastContactMs < 900) await pause(20);
    await log.close();
    const [row] = await server.sql(updates, database);
    assert.deepEqual(row!.map(Number), [0, 8192]);
    await reader.end();
  });

  test('CLOCK-1: no append gets the time of a database whose clock is wrong, and none is duplicated once it is right', async () => {
    const log = await open({ appendTimeoutMs: 5_000 });
    const diary = await NodeDiary.begin(log);
    await diary.append('before');
    // As a clock two hours ahead would.
    await server.sql(
      `CREATE SCHEMA wrong; CREATE FUNCTION wrong.now() RETURNS timestamptz LANGUAGE sql
        AS $$ SELECT pg_catalog.now() + interval '2 hours' $$;
      ALTER FUNCTION take_places SET search_path = wrong, pg_catalog, public`,
      database,
    );
    await Promise.all([diary.append('hanging'), pause(UNDER_WAY_MS).then(() => diary.append('waiting'))]);
    assert.deepEqual([diary.unknown, diary.refused], [['hanging'], ['waiting']]);
    await server.sql('ALTER FUNCTION take_places RESET search_path', database);
    await diary.append('after');
    await settled([diary]);
    checkAgreement([diary]);
    assert.deepEqual(diary.seen.map(text), ['before', 'hanging', 'after']);
    for (const { ts } of diary.seen) assert.ok(Math.abs(ts - Date.now()) < 60_000);
  });

  test('CLOCK-1: a log that is two hours ahead takes entries again once an operator has accepted the time', async () => {
    const aheadTs = Date.now() + 2 * 3_600_000;
    const ahead = await open({ now: () => aheadTs });
    await ahead.append([note('ahead')]);
    await ahead.close();
    const log = await open({ appendTimeoutMs: 5_000 });
    await assert.rejects(log.append([note('refused')]), LogClockError);
    log.acceptClock();
    // The next confirmation compares the clocks again.
    while (log.status().clockFault !== undefined) await pause(20);
    await pause(1_500);
    for (const word of ['a', 'b']) assert.equal((await log.append([note(word)])).ts, aheadTs);
    assert.equal(log.status().clockFault, undefined);
  });

  describe('an append whose outcome is unknown', () => {
    test("is stored once, wherever the connection was cut, and the node's order is kept", async () => {
      const proxy = await PostgresProxy.open(server.port);
      const cut = await node({ url: proxy.via(server.url(database)), appendTimeoutMs: PATIENCE_MS });
      const other = await node({ appendTimeoutMs: PATIENCE_MS });
      const cuts: Cut[] = ['before', 'during', 'after'];
      const load = Promise.all(range(1, 4).map((client) => other.appendMany(`other.${client}`, 50)));
      for (let round = 0; round < 15; round++) {
        proxy.arm(cuts[round % 3]!);
        await Promise.all(range(1, 3).map((client) => cut.append(`round.${round}.${client}`)));
      }
      await load;
      await settled([cut, other]);
      checkAgreement([cut, other]);
      assert.equal(cut.acknowledged.size, 3 * 15);
      assert.deepEqual([...proxy.cuts.values()], [5, 5, 5]);
      const places = [...cut.acknowledged.values()];
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
      await cut.log.close();
      await proxy.close();
    });

    test('is stored once under load while an administrator keeps killing every connection', async () => {
      const nodes = [
        await node({ appendTimeoutMs: PATIENCE_MS }),
        await node({ appendTimeoutMs: PATIENCE_MS }),
      ];
      const acknowledged = () => nodes.reduce((sum, one) => sum + one.acknowledged.size, 0);
      let kills = 0;
      let rounds = 0;
      let isOver = false;
      after(() => {
        isOver = true;
      });
      const killing = (async () => {
        for (; !isOver; kills++) {
          await server.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
          );
          // However long the nodes take to get through again.
          const before = acknowledged();
          while (!isOver && acknowledged() === before) await pause(20);
          await pause(120);
        }
      })();
      // A fast machine finishes before the second kill.
      for (; kills < 3; rounds++) {
        await Promise.all(
          nodes.flatMap((one, n) =>
            range(1, 8).map((client) => one.appendMany(`${rounds}.${n}.${client}`, 50)),
          ),
        );
      }
      isOver = true;
      await killing;
      await settled(nodes);
      assert.equal(nodes[0]!.seen.length, rounds * 2 * 8 * 50);
      checkAgreement(nodes);
    });

    test('is not appended again by a statement that arrives late', async () => {
      const log = await open();
      await log.append(notes(2, 'n'));
      const [batch] = await log.readBatches(1, 1);
      const digest = new BatchDigest();
      const items = notes(2, 'n');
      for (const { kind, body } of items) digest.add(kind, body);
      const late = appendStatement({
        id: batch!.id,
        items,
        digest: digest.finish(),
        ts: undefined,
        nodeTs: undefined,
        mayLag: false,
        nextSeq: 1,
        channel: 'venue',
        node: 'late',
      });
      const client = new Client({ connectionString: server.url(database) });
      await client.connect();
      await assert.rejects(client.query(late.text, [...late.values!]), { constraint: 'batch_id_key' });
      await client.end();
      assert.equal((await log.append([note('next')])).firstSeq, 3);
    });

    test('is not appended again even if it was archived meanwhile: the node must restart', async () => {
      const [slow, fast] = [await open(), await open()];
      const locker = new Client({ connectionString: server.url(database) });
      await fast.append(notes(3, 'n'));
      await locker.connect();
      await locker.query(`BEGIN; ${LOCK_END}`);
      const pending = assert.rejects(slow.append([note('late')]), LogArchivedAheadError);
      await locker.query('UPDATE head SET first_seq = 100');
      await locker.query('COMMIT');
      await locker.end();
      await pending;
      const error = await slow.failed;
      assert.ok(error instanceof LogArchivedAheadError);
      assert.match(error.message, /^entry \d+ was archived before this node had read it; restart the node$/);
    });
  });
});

/** By then an append that was alone has been sent, and the next one waits for it. */
const UNDER_WAY_MS = 500;
/** For an append that must succeed, however busy the machine is. */
const PATIENCE_MS = 120_000;
/** Far less than a connection without a limit would take. */
const NOTICED_MS_MAX = 60_000;
const HEADLESS = /^the head of the log is missing; restore the log from a backup$/;

/** These tests disrupt the server, so they use their own. */
describe('PostgreSQL server', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  let database: string;
  let warnings: string[];
  let log: Log | undefined;
  before(async () => {
    server = await PostgresServer.create();
    await server.start();
  });
  after(() => server.remove());
  beforeEach(async () => {
    database = await createDatabase(server);
    warnings = [];
  });
  afterEach(async () => {
    await log?.close();
    log = undefined;
  });
  const open = async (options: Partial<PostgresLogOptions> = {}): Promise<Log> => {
    const url = server.url(database);
    log = await openPostgresLog({
      ...{ url, single: true, onWarning: (text: string) => warnings.push(text) },
      ...options,
    });
    return log;
  };
  const sql = (text: string) => server.sql(text, database);

  test('a restart under load loses nothing and duplicates nothing', async () => {
    const node = await NodeDiary.begin(await open({ appendTimeoutMs: PATIENCE_MS }));
    const load = Promise.all(range(1, 8).map((client) => node.appendMany(`${client}`, 100)));
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      await pause(30);
      await server.stop(signal);
      await server.start();
    }
    await load;
    await settled([node]);
    checkAgreement([node]);
    assert.equal(node.acknowledged.size, 800);
    assert.match(warnings.join('\n'), /cannot be reached \(127\.0\.0\.1:\d+: .*\); trying again/);
    assert.match(warnings.at(-1)!, /is reached again, at 127\.0\.0\.1:\d+$/);
  });

  test('a server that hangs is noticed within seconds; appends reject, and nothing is assumed', async () => {
    const node = await NodeDiary.begin(await open({ appendTimeoutMs: 4_000 }));
    await node.append('before');
    server.pause();
    const startMs = performance.now();
    const appends = range(1, 3).map((i) => node.append(`first.${i}`));
    await pause(UNDER_WAY_MS);
    appends.push(...range(1, 3).map((i) => node.append(`second.${i}`)));
    await Promise.all(appends);
    assert.ok(performance.now() - startMs < NOTICED_MS_MAX);
    assert.deepEqual([node.unknown.length, node.refused.length], [3, 3]);
    await assert.rejects(node.log.head(), LogUnavailableError);
    while (node.log.status().reachable) await pause(20);
    assert.ok(performance.now() - startMs < NOTICED_MS_MAX, `${performance.now() - startMs} ms`);
    assert.ok(node.log.status().lastContactMs > 2_500);
    server.resume();
    await node.append('after');
    await settled([node]);
    checkAgreement([node]);
    assert.equal(node.seen.length, 5, 'the batch in flight was resolved in the background');
    while (node.log.status().lastContactMs >= 2_500) await pause(20);
  });

  test('a node that knows entries the log has lost is told so, and stops for good', async () => {
    const { log: past } = await NodeDiary.begin(await open());
    for (const word of ['a', 'b', 'c']) await past.append([note(word)]);
    await sql(`DELETE FROM batch WHERE first_seq = 3; DELETE FROM log WHERE seq = 3;
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'venue%'`);
    const message = /entry 3 is no longer in the log .* fail-over .*; restart the node/;
    const error = await past.failed;
    assert.ok(error instanceof LogDivergedError, String(error));
    assert.match(error.message, message);
    await assert.rejects(past.append([note('d')]), message);
    assert.equal(past.status().reachable, false);
  });

  test('the same place with a different past is not mistaken for the one this node knows', async () => {
    const { log: past } = await NodeDiary.begin(await open());
    for (const word of ['a', 'b']) await past.append([note(word)]);
    await sql('UPDATE batch SET hash = sha256(hash) WHERE first_seq = 2');
    await assert.rejects(past.append([note('c')]), LogDivergedError);
  });

  test('a full disk on the server is temporary: appends reject as out of reach, and resume once there is room', async () => {
    const node = await NodeDiary.begin(await open({ appendTimeoutMs: 5_000 }));
    await node.append('before');
    await sql(`CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON log EXECUTE FUNCTION fill()`);
    const first = node.append('first');
    await pause(UNDER_WAY_MS);
    await Promise.all([first, node.append('second')]);
    assert.deepEqual([node.unknown, node.refused], [['first'], ['second']]);
    assert.ok(node.log.status().lastContactMs > 900, 'the node is out of touch meanwhile');
    await sql('DROP TRIGGER full_disk ON log');
    await node.append('after');
    await settled([node]);
    checkAgreement([node]);
    assert.deepEqual(node.seen.map(text), ['before', 'first', 'after']);
    assert.equal(await Promise.race([node.log.failed, 'trusted']), 'trusted');
  });

  test('any PostgreSQL error fails the log with one error class, in one line that says what to do, with its cause', async () => {
    const failures: readonly (readonly [relation: string, use: (log: Log) => Promise<unknown>])[] = [
      ['batch', (one) => one.append([note('n')])],
      ['snapshot', (one) => one.loadSnapshots()],
    ];
    for (const [relation, use] of failures) {
      const one = await open();
      await sql(`DROP TABLE ${relation}`);
      await assert.rejects(use(one), LogFailedError);
      const error = await one.failed;
      assert.ok(error instanceof LogFailedError, String(error));
      assert.equal(
        error.message,
        `the log could not be read or written: relation "${relation}" does not exist; check the PostgreSQL server, then start again: every write that was acknowledged is in the log`,
      );
      assert.equal((error.cause as { code?: string }).code, '42P01');
      await one.close();
      database = await createDatabase(server);
    }
  });

  test('a log without its head is damaged', async () => {
    const headless = await open();
    await sql('DELETE FROM head');
    await assert.rejects(headless.head(), LogDamagedError);
    assert.match((await headless.failed).message, HEADLESS);
  });

  test('a log that lost its head reports it to an appending node, at a start and to a reader', async () => {
    const headless = await open();
    await headless.append([note('n')]);
    await sql('TRUNCATE head');
    await assert.rejects(headless.append([note('n')]), LogDamagedError);
    assert.match((await headless.failed).message, HEADLESS);
    await headless.close();
    const refusal = (error: unknown) => error instanceof LogOpenError && HEADLESS.test(error.message);
    await assert.rejects(open(), refusal);
    await assert.rejects(openLogReader(server.url(database)), refusal);
  });

  test('PG-3: a single server is refused in one line unless explicitly allowed', async () => {
    await assert.rejects(open({ single: false }), (error) => {
      assert.ok(error instanceof LogOpenError);
      assert.match(error.message, /^the primary waits for no standby .* VENUE_LOG_SINGLE=1 [^\n]*$/);
      return true;
    });
  });

  test('opening warns in one line about anything that weakens an acknowledgement', async () => {
    await open();
    assert.deepEqual(warnings, [
      'synchronous_standby_names is empty: what was acknowledged is on one server, and is lost with it',
    ]);
    await log!.close();
    server.configure(['fsync = off', 'full_page_writes = off', 'synchronous_commit = off']);
    await server.sql('SELECT pg_reload_conf()');
    while ((await server.sql('SHOW fsync'))[0]![0] !== 'off') await pause(20);
    warnings = [];
    await open();
    assert.deepEqual(
      warnings.map((text) => text.split(' is ')[0]),
      ['fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names'],
    );
  });

  test('opening is refused in one sentence without the password', async () => {
    const refused = (url: string, message: RegExp) =>
      assert.rejects(open({ url, openTimeoutMs: 2_000 }), (error) => {
        assert.ok(error instanceof LogOpenError, String(error));
        assert.match(error.message, message);
        assert.ok(!error.message.includes('\n'));
        for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'wrong-secret']) {
          assert.ok(!error.message.includes(secret));
        }
        return true;
      });
    const url = server.url(database);
    await refused(url.replace(/:[^:@]*@/, ':wrong-secret@'), /password authentication failed/);
    await refused(`${url}_absent`, /database "log_\d+_absent" does not exist\); check VENUE_LOG/);
    await refused('postgres://venue:wrong-secret@127.0.0.1:1/x', /127\.0\.0\.1:1: ECONNREFUSED/);
    await refused('postgres://venue:wrong/secret@h/x', /not of the form postgres:/);
    await sql('CREATE TABLE head(x int)');
    await refused(url, /tables of another program/);
    await sql('DROP TABLE head');
    await (await open()).close();
    await sql('UPDATE head SET schema_version = 3');
    await refused(url, /newer version of the exchange \(schema 3, this one knows 2\); upgrade/);
    await sql('UPDATE head SET schema_version = 1');
    await refused(url, /older version of the exchange \(schema 1, this one knows 2\); start afresh/);
  });
});
