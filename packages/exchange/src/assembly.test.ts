import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { type Command, encodeCommand } from '@venue/engine';
import { MemoryStore, openMemoryLog } from '@venue/log';
import type { Micros } from '@venue/protocol';
import { openVerifier, stampOf } from '@venue/replay';
import { waitFor } from '../test/support.ts';
import { assembleNode, type NodeDeps } from './assembly.ts';
import { loadConfig } from './config.ts';
import { createLogger } from './observe/logger.ts';
import { Metrics } from './observe/metrics.ts';

describe('an assembled node', () => {
  it('MAINT-1: keeps ticking while a snapshot is made', { timeout: 120_000 }, async (t) => {
    const store = new MemoryStore();
    const begun = Promise.withResolvers<void>();
    const node = await assembled(t, {
      log: await openMemoryLog({ store }),
      config: loadConfig({ VENUE_MAINTENANCE_MS: '100' }),
      takeSnapshot: () => {
        begun.resolve();
        return new Promise(() => {});
      },
      replayLimitMs: 0,
    });
    await node.open();
    await begun.promise;
    const ticks = () => store.entries.filter(({ kind }) => kind === 'maintain').length;
    const before = ticks();
    await waitFor(async () => ticks() >= before + 2 || undefined);
  });

  for (const [symbols, at, isSaid] of [
    ['SPX:index', '2031-03-03T15:00:00Z', true],
    ['BTC:crypto', '2031-03-03T15:00:00Z', false],
    ['SPX:index', '2026-03-03T15:00:00Z', false],
  ] as const) {
    it(`SESS-OPEN: says at its start with ${symbols} at ${at} ${isSaid ? 'that' : 'nothing of'} holidays are unknown`, async (t) => {
      const clock = () => Date.parse(at);
      const lines: string[] = [];
      const node = await assembled(t, {
        clock,
        log: await openMemoryLog({ store: new MemoryStore(), now: clock }),
        config: loadConfig({ VENUE_SYMBOLS: symbols }),
        logger: createLogger('info', { write: (line) => lines.push(line) }),
      });
      await node.open();
      assert.equal(lines.filter((line) => /"level":40.*holidays/.test(line)).length, isSaid ? 1 : 0);
    });
  }

  it('LOG-3: that ends before it has replayed everything leaves less to replay', {
    timeout: 120_000,
  }, async (t) => {
    const log = await openMemoryLog({ store: new MemoryStore() });
    const verifier = await openVerifier({ workers: 1, onFailure: assert.fail });
    t.after(() => Promise.all([verifier.close(), log.close()]));
    const config = loadConfig({ VENUE_SYMBOLS: 'X:crypto' });
    const { parameters } = config;
    await log.writeStamp(stampOf(parameters));
    const print: Command = {
      kind: 'prints',
      prints: [{ symbol: 'X', source: 'a', priceMicros: 1 as Micros }],
    };
    const items = [{ kind: 'configure', parameters } as const, ...Array(3 * PAGE).fill(print)].map(itemOf);
    await log.append(items);
    // With it the engine stops, at every start.
    const body = Buffer.from(JSON.stringify({ parameters: { ...parameters, symbols: null } }));
    await log.append([{ kind: 'configure', body }]);
    let ms = 0;
    const start = () =>
      assembleNode({
        ...{ config, log, verifier, logger: createLogger('silent'), metrics: new Metrics() },
        ...{ clock: Date.now, randomBytes, onFatal() {} },
        takeSnapshot: () => assert.fail(),
        // A page takes 1 s.
        monotonicMs: () => (ms += 1_000),
        replayLimitMs: 1_000,
      });
    const newest = async () => (await log.loadSnapshots())[0]?.seq ?? 0;
    for (let n = 0, left = 3 * PAGE; left > 0; n++) {
      assert.ok(n < 3, `${left} entries are left to replay`);
      await assert.rejects(start(), /cannot be applied/);
      const now = await waitFor(async () => {
        const seq = await newest();
        return 3 * PAGE - seq < left ? seq : undefined;
      });
      left = 3 * PAGE - now;
    }
  });
});

/** A node that is closed after the test, with its log. */
async function assembled(t: TestContext, deps: Pick<NodeDeps, 'log' | 'config'> & Partial<NodeDeps>) {
  const verifier = await openVerifier({ workers: 1, onFailure: assert.fail });
  const node = await assembleNode({
    ...{ verifier, logger: createLogger('silent'), metrics: new Metrics(), clock: Date.now, randomBytes },
    ...{ takeSnapshot: () => new Promise(() => {}), replayLimitMs: 60_000, onFatal: assert.fail },
    ...deps,
  });
  t.after(async () => {
    await node.maintenanceTimer.stop();
    await node.server.close();
    await verifier.close();
    await deps.log.close();
  });
  return node;
}

/** Entries that the log in memory reads at once. */
const PAGE = 4_096;

function itemOf(command: Command) {
  return { kind: command.kind, body: encodeCommand(command) };
}
