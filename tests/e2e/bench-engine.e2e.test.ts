/** The benchmarks of engine, replay and scaling in small: that they check what they time, not how fast it is. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from '../../bench/engine/engine.ts';
import { measure as measureReplay } from '../../bench/engine/replay.ts';
import { simulate, utilisation } from '../../bench/scaling/model.ts';
import { loadOf, MEASURED, wall } from '../../bench/scaling/scaling.ts';

const FLOW = { accounts: 40, entries: 3_000 };

test('the flow of the engine trades, rests and cancels, and ends in one state each time', () => {
  const { orders, cancels, ...shares } = measure(FLOW);
  assert.equal(orders + cancels, FLOW.entries);
  assert.ok(cancels > 500);
  assert.ok(shares['traded %'] >= 10 && shares['rejected %'] <= 5);
});

test('a replay of the flow ends in the state that the engine had', async () => {
  const rows = await measureReplay(FLOW);
  assert.equal(rows.length, 3);
  // What opens the venue comes first.
  assert.ok(rows.every(({ entries }) => entries > FLOW.entries + 3 * FLOW.accounts));
});

test('the model of many nodes agrees with what work and time there is', () => {
  const light = loadOf(10_000, 1, 5);
  const one = { nodes: 1, verifiers: 4 };
  const { mainBusy } = utilisation(MEASURED, light, one);
  const own = light.writes * (MEASURED.writeMicros + MEASURED.applyOwnMicros);
  const others = light.reads * MEASURED.readMicros + light.frames * MEASURED.frameMicros;
  assert.ok(Math.abs(mainBusy - (own + others) / 1e6) < 1e-9);
  const { p50Ms, p99Ms } = simulate(MEASURED, light, one);
  // No answer is quicker than its own work and one flush.
  assert.ok(p50Ms >= (MEASURED.writeMicros + MEASURED.verifyMicros + MEASURED.flushMicros) / 1_000);
  assert.ok(p99Ms >= p50Ms && p99Ms < 50);
  const heavy = { ...light, writes: wall() * 1.1 };
  assert.equal(simulate(MEASURED, heavy, { nodes: 200, verifiers: 4 }).p50Ms, Number.POSITIVE_INFINITY);
});
