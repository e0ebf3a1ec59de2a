/** The PostgreSQL log on a primary with two synchronous standbys, each of which is lost in turn. */

// @seconds 124

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Log, openLogReader } from '@venue/log';
import { openPostgresLog, type PostgresLogOptions } from '@venue/log/postgres';
import { range } from '../../packages/log/test/behaviour-tools.ts';
import { checkAgreement, NodeDiary, settled } from '../../packages/log/test/many-nodes.ts';
import { PostgresCluster } from '../../packages/log/test/postgres-cluster.ts';
import { type Cut, PostgresProxy } from '../../packages/log/test/postgres-proxy.ts';
import { createDatabase, skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { eventually } from '../e2e/launched.ts';

/** How long a client pauses between two appends: several are under way at any moment, yet the machine keeps up. */
const PAUSE_MS = 5;
/** Appends three by three, each with one cut; `tests/faults/cluster.ts` cuts for as long as it is told to. */
const CUT_ROUNDS = 30;

/** Nobody has to help; how long it takes is mostly due to the machine. */
const OUTAGE_MS_MAX = 40_000;

const PAUSED_NODE = fileURLToPath(new URL('../../packages/log/test/paused-node.ts', import.meta.url));

describe('PostgreSQL with two synchronous standbys', { skip: skipWithoutPostgres() }, () => {
  let cluster: PostgresCluster;
  /** Each test has a database of its own. */
  let database: string;
  let logs: Log[];
  let warnings: string[];
  const start = async () => {
    cluster = await PostgresCluster.start({ standbys: 2 });
  };
  const create = async () => {
    database = await createDatabase(cluster.primary);
    logs = [];
    warnings = [];
  };
  const close = async () => {
    for (const log of logs) await log.close();
  };
  const remove = () => cluster.remove();
  const sql = (text: string, server = cluster.primary) => server.sql(text, database);
  const open = async (
    url = cluster.url(database),
    options: Partial<PostgresLogOptions> = {},
  ): Promise<Log> => {
    const onWarning = (text: string) => warnings.push(text);
    const log = await openPostgresLog({ url, onWarning, ...options });
    logs.push(log);
    return log;
  };
  const node = async (url?: string) => NodeDiary.begin(await open(url));
  /** Keeps several clients on every node busy until it is stopped. */
  const load = (nodes: readonly NodeDiary[]) => {
    let isOver = false;
    // Also where the test fails before it ends the load.
    after(() => {
      isOver = true;
    });
    const clients = nodes.flatMap((one, n) =>
      range(1, 6).map(async (client) => {
        for (let i = 0; !isOver; i++) {
          await one.append(`${n}.${client}.${i}`);
          await sleep(PAUSE_MS);
        }
      }),
    );
    return async () => {
      isOver = true;
      await Promise.all(clients);
    };
  };
  const check = async (nodes: readonly NodeDiary[]) => {
    await settled(nodes);
    checkAgreement(nodes);
  };

  describe('whose primary stays', () => {
    before(start);
    after(remove);
    beforeEach(create);
    afterEach(close);

    test('a quorum gives no warning', async () => {
      await open();
      assert.deepEqual(warnings, []);
    });

    test('without its standbys the primary acknowledges nothing, and a node is out of touch after 5 s', async () => {
      const one = await node();
      await one.append('before');
      for (const standby of cluster.standbys) standby.pause();
      await one.append('hanging');
      assert.deepEqual(one.unknown, ['hanging']);
      await sleep(1_000);
      const { lastContactMs } = one.log.status();
      assert.ok(lastContactMs > 5_000, `${lastContactMs}`);
      for (const standby of cluster.standbys) standby.resume();
      await eventually('it is in touch again', () => one.log.status().lastContactMs < 5_000);
      await one.append('after');
      await check([one]);
      assert.deepEqual(one.refused, []);
      assert.equal(one.seen.length, 3);
    });

    for (const how of ['pg_cancel_backend', 'pg_terminate_backend']) {
      test(`${how} of a commit that waits for a standby does not acknowledge it`, async () => {
        const one = await NodeDiary.begin(await open(undefined, { appendTimeoutMs: 60_000 }));
        await one.append('before');
        for (const standby of cluster.standbys) standby.pause();
        let isAcknowledged = false;
        const waiting = one.append('waiting').then(() => {
          isAcknowledged = one.acknowledged.has('waiting');
        });
        // One by one, as each may be on its way for a while.
        const [row] = await eventually('the commit waits', async () => {
          const rows = await sql(`SELECT ${how}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
          return rows.length > 0 && rows;
        });
        assert.deepEqual(row, [true]);
        await eventually('the primary has committed it on its own', async () => {
          const [stored] = await sql('SELECT count(*) FROM log');
          return Number(stored![0]) === 2;
        });
        await sleep(1_000);
        assert.equal(isAcknowledged, false);
        for (const standby of cluster.standbys) standby.resume();
        await waiting;
        assert.ok(isAcknowledged);
        await check([one]);
      });
    }

    test('a node that was paused for 7 s notices before it does anything else', async (t) => {
      const child = spawn(process.execPath, [PAUSED_NODE, cluster.url(database)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      t.after(() => child.kill('SIGKILL'));
      const lines = linesOf(child);
      assert.equal(await lines(), 'ready');
      child.kill('SIGSTOP');
      await sleep(7_000);
      child.kill('SIGCONT');
      const status = JSON.parse(await lines());
      assert.ok(status.lastContactMs > 5_000, `${status.lastContactMs}`);
      let later = status;
      while (!later.reachable || later.lastContactMs >= 2_000) {
        child.stdin!.write('\n');
        later = JSON.parse(await lines());
      }
      child.kill('SIGKILL');
      await once(child, 'exit');
    });

    test('a reader reads a standby', async () => {
      const one = await node();
      await one.appendMany('word', 50);
      const reader = await openLogReader(cluster.standbys[0]!.url(database));
      while ((await reader.head()).seq < 50) await sleep(10);
      assert.equal((await reader.readEntries(1, 50)).length, 50);
      await reader.close();
    });

    test(`${3 * CUT_ROUNDS} appends whose connection was cut are each there once, while connections are being terminated`, async () => {
      const proxy = await PostgresProxy.open(cluster.primary.port);
      const cut = await node(proxy.via(cluster.primary.url(database)));
      const other = await node();
      const end = load([other]);
      const cuts: Cut[] = ['before', 'during', 'after'];
      for (let round = 0; round < CUT_ROUNDS; round++) {
        proxy.arm(cuts[round % 3]!);
        await Promise.all(range(1, 3).map((client) => cut.append(`round.${round}.${client}`)));
        if (round % 10 === 0) {
          await sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'venue%'`,
          );
        }
      }
      await end();
      await check([cut, other]);
      assert.equal(cut.acknowledged.size, 3 * CUT_ROUNDS);
      // An append may find its connection being closed, which is not a cut of the proxy.
      for (const how of cuts)
        assert.ok(proxy.cuts.get(how)! >= 0.3 * CUT_ROUNDS, `${how}: ${proxy.cuts.get(how)}`);
      await cut.log.close();
      await proxy.close();
    });
  });

  describe('whose primary is lost', () => {
    beforeEach(start);
    beforeEach(create);
    afterEach(close);
    afterEach(remove);

    for (const how of ['kill', 'pause', 'stop'] as const) {
      test(`fail-over after a ${how} of the primary: every acknowledged entry is there once, on every node`, async () => {
        const nodes = [await node(), await node()];
        const end = load(nodes);
        await sleep(1_000);
        const old = cluster.primary;
        const lostMs = performance.now();
        await old[how]();
        await cluster.promote();
        const before = nodes.map(({ acknowledged }) => acknowledged.size);
        while (nodes.some(({ acknowledged }, n) => acknowledged.size < before[n]! + 100)) await sleep(5);
        const outageMs = performance.now() - lostMs;
        // The old one returns and still considers itself the primary, which nobody may believe.
        if (how === 'pause') old.resume();
        await sleep(2_000);
        await end();
        await check(nodes);
        assert.ok(outageMs < OUTAGE_MS_MAX, `${outageMs} ms without an append`);
        console.log(`fail-over after ${how}: ${Math.round(outageMs)} ms without an append`);
        for (const { log } of nodes) assert.equal(await Promise.race([log.failed, 'trusted']), 'trusted');
      });
    }

    test('PG-2: an old primary that returns alone is used by none of six nodes that start beside the promoted one', async () => {
      const old = cluster.primary;
      const first = await node();
      await first.append('before');
      await old.kill();
      await cluster.promote();
      await first.append('promoted');
      old.configure([]);
      await old.start();
      const alone = (url: string) => openPostgresLog({ url, single: true, onWarning: () => {} });
      const six = await Promise.all(range(1, 6).map(() => alone(cluster.url(database))));
      logs.push(...six);
      const nodes = await Promise.all(six.map((log) => NodeDiary.begin(log)));
      await Promise.all(nodes.map((one, n) => one.append(`of ${n}`)));
      await check([first, ...nodes]);
      assert.equal(first.seen.length, 8);
      assert.deepEqual(await sql('SELECT count(*) FROM log', old), [['1']]);
      await assert.rejects(
        openPostgresLog({ url: old.url(database) }),
        /waits for no standby .* VENUE_LOG_SINGLE=1/,
      );
      // A node that reaches only the old one and a standby of the new one learns of the new one there.
      const urls = [old, cluster.standbys.find((server) => server !== old)!].map(
        ({ port }) => `127.0.0.1:${port}`,
      );
      const url = cluster.url(database).replace(/@[^/]*/, `@${urls.join(',')}`);
      await assert.rejects(
        openPostgresLog({ url, single: true, onWarning: () => {}, openTimeoutMs: 5_000 }),
        /takes writes on timeline 1, and the log is on timeline 2: it was replaced/,
      );
    });
  });
});

/** The next line printed by the process. */
function linesOf(child: ChildProcess): () => Promise<string> {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => String((await lines.next()).value);
}
