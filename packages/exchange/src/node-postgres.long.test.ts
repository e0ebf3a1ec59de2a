// @seconds 5

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, PostgresServer, skipWithoutPostgres } from '../../log/test/postgres-server.ts';
import { holdWaits } from '../test/held-waits.ts';
import { FEED_TOKEN, MAKER_TOKEN, waitFor } from '../test/support.ts';
import { checkExchange } from './check.ts';
import { loadConfig } from './config.ts';
import { type Exchange, startExchange } from './node.ts';
import { createLogger } from './observe/logger.ts';

/** A little less than `venue up` grants the exchange. */
const STOP_MS_MAX = 4_700;
const ENVIRONMENT = {
  VENUE_PORT: '0',
  VENUE_LOG_SINGLE: '1',
  VENUE_HISTORY: 'off',
  VENUE_FEED_TOKEN: FEED_TOKEN,
  VENUE_MAKER_TOKEN: MAKER_TOKEN,
};

describe('a node on PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
  });
  after(() => server.remove());

  async function started(maintenanceMs: number): Promise<{ exchange: Exchange; lines: string[] }> {
    const config = loadConfig({
      ...ENVIRONMENT,
      VENUE_LOG: server.url(await createDatabase(server)),
      VENUE_MAINTENANCE_MS: String(maintenanceMs),
    });
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => lines.push(line) });
    return { exchange: await startExchange(config, { logger }), lines };
  }

  it('passes --check on an empty database, creates the log there, and passes again beside it (CFG-4)', async () => {
    const database = await createDatabase(server);
    const env = { ...ENVIRONMENT, VENUE_LOG: server.url(database) };
    const ofLog = async () => (await checkExchange(env)).findLast(({ text }) => text.startsWith('log '))!;
    const before = await ofLog();
    assert.deepEqual(
      [before.ok, before.text.replace(/:\d+/, '')],
      [true, 'log postgres://127.0.0.1 is not there yet and would be made'],
    );
    assert.equal((await server.sql(`SELECT FROM pg_tables WHERE schemaname = 'public'`, database)).length, 0);
    const exchange = await startExchange(loadConfig(env), { logger: createLogger('error', { write() {} }) });
    const after = await ofLog();
    await exchange.stop();
    assert.equal(after.ok, true);
    assert.match(after.text, /can be read; its last entry is [1-9]/);
  });

  it('is told by --check that its user may not create the log (CFG-4)', async () => {
    const database = await createDatabase(server);
    await server.sql(
      `DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'r';
       REVOKE CREATE ON SCHEMA public FROM PUBLIC`,
      database,
    );
    const url = new URL(server.url(database));
    url.username = 'reader';
    url.password = 'r';
    const findings = await checkExchange({ ...ENVIRONMENT, VENUE_LOG: url.href });
    assert.match(
      findings
        .filter(({ ok }) => !ok)
        .map(({ text }) => text)
        .join(),
      /^log \S+: .* may not create/,
    );
  });

  it('stops in time while the database is down, without a snapshot or with a tick in progress', async (t) => {
    const idle = await started(3_600_000);
    const ticking = await started(100);
    await server.kill();
    await sleep(300);
    const limits = holdWaits(t, STOP_MS_MAX);
    const stopped = Promise.all([idle, ticking].map(({ exchange }) => exchange.stop()));
    await waitFor(async () => limits.length === 2 || undefined);
    const noSnapshot = /no snapshot of this stop, for want of the log; the next start replays/;
    await waitFor(async () => noSnapshot.test(idle.lines.join('')) || undefined);
    for (const limit of limits) limit.end();
    await stopped;
  });
});
