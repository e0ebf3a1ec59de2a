// @seconds 5

import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, PostgresServer, skipWithoutPostgres } from '../../log/test/postgres-server.ts';
import { holdWaits } from '../test/held-waits.ts';
import { FEED_TOKEN, MAKER_TOKEN, waitFor } from '../test/support.ts';
import { loadConfig } from './config.ts';
import { type Exchange, startExchange } from './node.ts';
import { createLogger } from './observe/logger.ts';

/** A little less than `venue up` grants the exchange. */
const STOP_MS_MAX = 4_700;

describe('a node on PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
  });
  after(() => server.remove());

  async function started(maintenanceMs: number): Promise<{ exchange: Exchange; lines: string[] }> {
    const config = loadConfig({
      VENUE_PORT: '0',
      VENUE_LOG: server.url(await createDatabase(server)),
      VENUE_LOG_SINGLE: '1',
      VENUE_HISTORY: 'off',
      VENUE_FEED_TOKEN: FEED_TOKEN,
      VENUE_MAKER_TOKEN: MAKER_TOKEN,
      VENUE_MAINTENANCE_MS: String(maintenanceMs),
    });
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => lines.push(line) });
    return { exchange: await startExchange(config, { logger }), lines };
  }

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
