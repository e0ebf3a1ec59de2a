import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { MemoryStore, openMemoryLog } from '@venue/log';
import { waitFor } from '../test/support.ts';
import { assembleNode } from './assembly.ts';
import { openVerifier } from './auth/verifier.ts';
import { loadConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { Metrics } from './metrics.ts';

describe('an assembled node', () => {
  it('MAINT-1: keeps ticking while a snapshot is made', { timeout: 20_000 }, async (t) => {
    const store = new MemoryStore();
    const log = await openMemoryLog({ store });
    const verifier = await openVerifier({ workers: 1, onFailure: assert.fail });
    const begun = Promise.withResolvers<void>();
    const node = await assembleNode({
      config: loadConfig({ VENUE_MAINTENANCE_MS: '100' }),
      log,
      verifier,
      logger: createLogger('silent'),
      metrics: new Metrics(),
      clock: Date.now,
      randomBytes,
      takeSnapshot: () => {
        begun.resolve();
        return new Promise(() => {});
      },
      replayLimit: { entries: 1, bytes: 1 },
      onFatal: assert.fail,
    });
    t.after(async () => {
      await node.maintenanceTimer.stop();
      await node.server.close();
      await verifier.close();
      await log.close();
    });
    await node.open();
    await begun.promise;
    const ticks = () => store.entries.filter(({ kind }) => kind === 'maintain').length;
    const before = ticks();
    await waitFor(async () => ticks() >= before + 2 || undefined);
  });
});
