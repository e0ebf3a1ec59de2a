/** The PostgreSQL log on a primary with two synchronous standbys, each of which is lost in turn. */

// @seconds 50

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openLogReader } from '@venue/log';
import { openPostgresLog } from '@venue/log/postgres';
import { range } from '../../packages/log/test/behaviour-tools.ts';
import { NodeDiary } from '../../packages/log/test/many-nodes.ts';
import { type Cut, PostgresProxy } from '../../packages/log/test/postgres-proxy.ts';
import { skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { eventually, PATIENCE_MS } from '../e2e/launched.ts';
import { ClusterNodes, settle } from './postgres-nodes.ts';

/** Appends three by three, each with one cut; `tests/faults/cluster.ts` cuts for as long as it is told to. */
const CUT_ROUNDS = 12;
const PAUSED_NODE = fileURLToPath(new URL('../../packages/log/test/paused-node.ts', import.meta.url));

describe('PostgreSQL with two synchronous standbys', { skip: skipWithoutPostgres() }, () => {
  const on = new ClusterNodes();

  describe('whose primary stays', () => {
    before(() => on.start());
    after(() => on.remove());
    beforeEach(() => on.create());
    afterEach(() => on.close());

    test('a quorum gives no warning', async () => {
      await on.open();
      assert.deepEqual(on.warnings, []);
    });

    test('without its standbys the primary acknowledges nothing, and a node is out of touch after 5 s', async () => {
      const one = await on.node();
      await one.append('before');
      for (const standby of on.cluster.standbys) standby.pause();
      await one.append('hanging');
      assert.deepEqual(one.unknown, ['hanging']);
      await sleep(1_000);
      const { lastContactMs } = one.log.status();
      assert.ok(lastContactMs > 5_000, `${lastContactMs}`);
      for (const standby of on.cluster.standbys) standby.resume();
      await eventually('it is in touch again', () => one.log.status().lastContactMs < 5_000);
      await one.append('after');
      await settle([one]);
      assert.deepEqual(one.refused, []);
      assert.equal(one.seen.length, 3);
    });

    for (const how of ['pg_cancel_backend', 'pg_terminate_backend']) {
      test(`${how} of a commit that waits for a standby does not acknowledge it`, async () => {
        const one = await NodeDiary.begin(await on.open(undefined, { appendTimeoutMs: 60_000 }));
        await one.append('before');
        for (const standby of on.cluster.standbys) standby.pause();
        let isAcknowledged = false;
        const waiting = one.append('waiting').then(() => {
          isAcknowledged = one.acknowledged.has('waiting');
        });
        // One by one, as each may be on its way for a while.
        const [row] = await eventually('the commit waits', async () => {
          const rows = await on.sql(`SELECT ${how}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
          return rows.length > 0 && rows;
        });
        assert.deepEqual(row, [true]);
        await eventually('the primary has committed it on its own', async () => {
          const [stored] = await on.sql('SELECT count(*) FROM log');
          return Number(stored![0]) === 2;
        });
        await sleep(1_000);
        assert.equal(isAcknowledged, false);
        for (const standby of on.cluster.standbys) standby.resume();
        await waiting;
        assert.ok(isAcknowledged);
        await settle([one]);
      });
    }

    test('a node that was paused for 7 s notices before it does anything else', async (t) => {
      const child = spawn(process.execPath, [PAUSED_NODE, on.cluster.url(on.database)], {
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
      const one = await on.node();
      await one.appendMany('word', 50);
      const reader = await openLogReader(on.cluster.standbys[0]!.url(on.database));
      while ((await reader.head()).seq < 50) await sleep(10);
      assert.equal((await reader.readEntries(1, 50)).length, 50);
      await reader.close();
    });

    test(`${3 * CUT_ROUNDS} appends whose connection was cut are each there once, while connections are being terminated`, async () => {
      const proxy = await PostgresProxy.open(on.cluster.primary.port);
      const url = proxy.via(on.cluster.primary.url(on.database));
      // However long a busy machine takes to connect again.
      const cut = await NodeDiary.begin(await on.open(url, { appendTimeoutMs: PATIENCE_MS }));
      const other = await on.node();
      const end = on.load([other]);
      const cuts: Cut[] = ['before', 'during', 'after'];
      for (let round = 0; round < CUT_ROUNDS; round++) {
        proxy.arm(cuts[round % 3]!);
        await Promise.all(range(1, 3).map((client) => cut.append(`round.${round}.${client}`)));
        if (round % 10 === 0) {
          await on.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'venue%'`,
          );
        }
      }
      await end();
      await settle([cut, other]);
      assert.equal(cut.acknowledged.size, 3 * CUT_ROUNDS);
      // An append may find its connection being closed, which is not a cut of the proxy.
      for (const how of cuts)
        assert.ok(proxy.cuts.get(how)! >= CUT_ROUNDS / 3 - 1, `${how}: ${proxy.cuts.get(how)}`);
      await cut.log.close();
      await proxy.close();
    });
  });

  describe('whose primary is lost', () => {
    beforeEach(() => on.start());
    beforeEach(() => on.create());
    afterEach(() => on.close());
    afterEach(() => on.remove());

    test('fail-over after a pause of the primary: every acknowledged entry is there once, on every node', () =>
      on.failOver('pause'));

    test('PG-2: an old primary that returns alone is used by none of six nodes that start beside the promoted one', async () => {
      const old = on.cluster.primary;
      const first = await on.node();
      await first.append('before');
      await old.kill();
      await on.cluster.promote();
      await first.append('promoted');
      old.configure([]);
      await old.start();
      const alone = (url: string) => openPostgresLog({ url, single: true, onWarning: () => {} });
      const six = await Promise.all(range(1, 6).map(() => alone(on.cluster.url(on.database))));
      on.logs.push(...six);
      const nodes = await Promise.all(six.map((log) => NodeDiary.begin(log)));
      await Promise.all(nodes.map((one, n) => one.append(`of ${n}`)));
      await settle([first, ...nodes]);
      assert.equal(first.seen.length, 8);
      assert.deepEqual(await on.sql('SELECT count(*) FROM log', old), [['1']]);
      await assert.rejects(
        openPostgresLog({ url: old.url(on.database) }),
        /waits for no standby .* VENUE_LOG_SINGLE=1/,
      );
      // A node that reaches only the old one and a standby of the new one learns of the new one there.
      const urls = [old, on.cluster.standbys.find((server) => server !== old)!].map(
        ({ port }) => `127.0.0.1:${port}`,
      );
      const url = on.cluster.url(on.database).replace(/@[^/]*/, `@${urls.join(',')}`);
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
