/** Small runs of the engine, replay and scaling benchmarks: for their checks, not for speed. */

// @seconds 7

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../bench/engine/combos.ts';
import { measureCut } from '../../bench/engine/cut-quotes.ts';
import { firing, pending } from '../../bench/engine/deadlines.ts';
import { measure } from '../../bench/engine/engine.ts';
import { measure as measureExposure } from '../../bench/engine/exposure.ts';
import { measure as measureReplay } from '../../bench/engine/replay.ts';
import { measureWide } from '../../bench/engine/wide-account.ts';
import { measureBooks, measureCancels, measureLeaving } from '../../bench/engine/worst-books.ts';
import { measure as measureHistory } from '../../bench/history/history.ts';
import { simulate, utilisation } from '../../bench/scaling/model.ts';
import { loadOf, MEASURED, wall } from '../../bench/scaling/scaling.ts';

const FLOW = { accounts: 40, entries: 3_000 };

test("the engine's flow trades, rests and cancels, and ends in the same state each time", () => {
  const { orders, cancels, ...shares } = measure(FLOW);
  assert.equal(orders + cancels, FLOW.entries);
  assert.ok(cancels > 500);
  assert.ok(shares['traded %'] >= 10 && shares['rejected %'] <= 5);
});

test('the flow trades the same beside orders with deadlines and without, and all deadlines are carried out', () => {
  const options = { ...FLOW, deadlines: 2_500 };
  assert.equal(pending(options).length, 2);
  for (const round of firing(options))
    assert.deepEqual([round['of one account'], round['of all others']], [1_024, 1_476]);
});

test('CMB-1 a combo trades what as many ioc orders trade', () => {
  const rows = compare({ entries: 40, positions: 4 });
  assert.deepEqual(
    rows.map((row) => row['levels a leg']),
    [1, 3],
  );
});

test('BAT-7 whatever fills the books, batches, combos and previews are declined in bounds, and all orders leave', () => {
  const books = [{ name: 'mixed', dust: 40, sets: 20, hasDelta: true }];
  assert.equal(measureBooks({ books, rounds: 2 }).length, 5);
  assert.equal(measureLeaving({ leaving: 200 })['orders that leave'], 200);
  assert.equal(measureCancels({ leaving: 200, rounds: 2 })['resting orders'], 200);
});

test('BAT-7 quotes that are cut are measured beside none', () => {
  assert.equal(measureCut({ wallets: 2, rounds: 2 })['quotes that are cut'], 2_016);
});

test('BAT-7 an account with a position in every series is measured in both margin modes', () => {
  const rows = measureWide({ modes: ['defined-risk', 'per-leg'], expiries: 2, rounds: 1 });
  assert.deepEqual([...new Set(rows.map(({ mode }) => mode))], ['defined-risk', 'per-leg']);
});

test('OPS-1 the report on exposure counts every account, of both kinds of margin', async () => {
  const rows = await measureExposure({ accounts: [20], rounds: 1 });
  assert.deepEqual(
    rows.map((row) => row['half for defined risk']),
    [false, true],
  );
});

test("a replay of the flow ends in the engine's state", async () => {
  const rows = await measureReplay(FLOW);
  assert.equal(rows.length, 3);
  // The venue's setup comes first.
  assert.ok(rows.every(({ entries }) => entries > FLOW.entries + 3 * FLOW.accounts));
});

test('a day of the market is written, and every candle of it read', () => {
  const options = { entries: 2_000, seconds: 300, series: 10, batchRows: 500 };
  const { projected, queried, daily } = measureHistory(options);
  assert.deepEqual(
    projected.map(({ file }) => file),
    ['bare', 'history'],
  );
  assert.ok(queried.every(({ rows }) => rows === 5));
  assert.deepEqual(
    daily.map(({ files }) => files),
    ['bare', 'daily'],
  );
});

test('the model of many nodes is consistent with the work and time available', () => {
  const light = loadOf(10_000, 1, 5);
  const one = { nodes: 1, verifiers: 4 };
  const { mainBusy } = utilisation(MEASURED, light, one);
  const own = light.writes * (MEASURED.writeMicros + MEASURED.applyOwnMicros);
  const others = light.reads * MEASURED.readMicros + light.frames * MEASURED.frameMicros;
  assert.ok(Math.abs(mainBusy - (own + others) / 1e6) < 1e-9);
  const { p50Ms, p99Ms } = simulate(MEASURED, light, one);
  // No answer is faster than its own work and one flush.
  assert.ok(p50Ms >= (MEASURED.writeMicros + MEASURED.verifyMicros + MEASURED.flushMicros) / 1_000);
  assert.ok(p99Ms >= p50Ms && p99Ms < 50);
  const heavy = { ...light, writes: wall() * 1.1 };
  assert.equal(simulate(MEASURED, heavy, { nodes: 200, verifiers: 4 }).p50Ms, Number.POSITIVE_INFINITY);
});
