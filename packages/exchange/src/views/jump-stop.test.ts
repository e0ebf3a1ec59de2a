/** RSK-5: what operators see of a jump, in their report and in the metrics. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, type Command, createState, NO_EFFECTS } from '@venue/engine';
import { loadConfig } from '../config.ts';
import { Metrics } from '../observe/metrics.ts';
import { ExposureReports } from './exposure.ts';

const START_MS = Date.UTC(2026, 5, 1, 12);

test('RSK-5 the report and the metrics show a stop while it lasts, and the metrics the jump until it is over', async () => {
  const state = createState();
  const next = (ts: number, command: Command) =>
    apply(state, { seq: state.seq + 1, ts, command }, NO_EFFECTS);
  const metrics = new Metrics();
  metrics.watch({
    ...{ state, now: () => state.ts, isCurrent: () => true, isReady: () => true },
    logStatus: () => ({
      reachable: true,
      writable: true,
      lagEntries: 0,
      lastContactMs: 0,
      clockFault: undefined,
    }),
    ...{ signaturesWaiting: () => 0, streamClients: () => 0 },
  });
  /** At a tick with the given price, so many seconds after the start. */
  const seenAt = async (second: number, dollars: number) => {
    const ts = START_MS + second * 1_000;
    next(ts, { kind: 'prints', prints: [{ symbol: 'BTC', source: 'feed', priceMicros: dollars * 1e6 }] });
    next(ts, { kind: 'maintain', expiries: [] });
    const text = await metrics.text();
    const [jumped, stopped] = ['venue_spot_jumped', 'venue_liquidation_stopped'].map((name) =>
      Number(new RegExp(`^${name}{.*symbol="BTC".*} (\\d)$`, 'm').exec(text)![1]),
    );
    const { stops } = await new ExposureReports(state, () => state.ts).read();
    return { jumped, stopped, stops };
  };

  const { parameters } = loadConfig({ VENUE_SYMBOLS: 'BTC:crypto,ETH:crypto', VENUE_JUMP_STOP_BPS: '1500' });
  next(START_MS, { kind: 'configure', parameters });
  assert.deepEqual(await seenAt(0, 50_000), { jumped: 0, stopped: 0, stops: [] });
  const [since, until] = [START_MS + 5_000, START_MS + 65_000];
  const stop = { symbol: 'BTC', spot: 5_000_000, median: 50_000, since, until };
  assert.deepEqual(await seenAt(5, 5_000_000), { jumped: 1, stopped: 1, stops: [stop] });
  assert.deepEqual(await seenAt(10, 50_000), { jumped: 1, stopped: 0, stops: [] });
  assert.deepEqual(await seenAt(65, 5_000_000), { jumped: 1, stopped: 0, stops: [] });
  assert.deepEqual(await seenAt(70, 50_000), { jumped: 1, stopped: 0, stops: [] });
  assert.deepEqual(await seenAt(130, 50_000), { jumped: 0, stopped: 0, stops: [] });
});
