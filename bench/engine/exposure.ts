/**
 * Question: how long does the operators' report on exposure take over 1,000 and 10,000 accounts with ten positions each,
 * beside the margin of the same accounts alone in one loop, and how long does it hold the event loop at a stretch
 * (OPS-1)?
 *
 * Every account is short or long ten series of sixteen expiries; in the second kind half of the accounts are margined for
 * defined risk. Medians of several rounds; of how long the loop is held also the least, which is that of the round that
 * other work of the machine interrupted least: if that is over 5 ms, it is an error.
 */

import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { BatchAction } from '@venue/protocol';
import { riskOf } from '../../packages/engine/src/index.ts';
import { ExposureReports } from '../../packages/exchange/src/views/exposure.ts';
import { medianOf } from '../shared/median.ts';
import { collectGarbage } from './garbage.ts';
import { DAY_S, MICROS, round, START_MS, Venue } from './venue.ts';

const EXPIRIES = Array.from({ length: 16 }, (_, i) => START_MS / 1_000 + (i + 1) * DAY_S);
const POSITIONS = 10;
const HELD_MS_MAX = 5;

export interface ExposureOptions {
  readonly accounts: readonly number[];
  readonly rounds: number;
}

export async function run(): Promise<void> {
  const rows = await measure({ accounts: [1_000, 10_000], rounds: 25 });
  console.table(rows);
  for (const { accounts, 'least, ms': held } of rows)
    assert.ok(held <= HELD_MS_MAX, `${accounts} accounts held the event loop for ${held} ms`);
}

export async function measure({ accounts, rounds }: ExposureOptions) {
  const rows = [];
  for (const count of accounts)
    for (const hasSpreads of [false, true]) rows.push(await passes(count, hasSpreads, rounds));
  return rows;
}

async function passes(count: number, hasSpreads: boolean, rounds: number) {
  const venue = marketOf(count, hasSpreads);
  const samples = { risk: [] as number[], pass: [] as number[], held: [] as number[] };
  for (let i = 0; i < rounds + 2; i++) {
    collectGarbage();
    const risk = timeOfRisk(venue, count);
    const { passMs, heldMs } = await timeOfPass(venue, count);
    // The first two warm up.
    if (i < 2) continue;
    samples.risk.push(risk);
    samples.pass.push(passMs);
    samples.held.push(heldMs);
  }
  return {
    accounts: count,
    'half for defined risk': hasSpreads,
    'margin alone, ms': round(medianOf(samples.risk)),
    'report, ms': round(medianOf(samples.pass)),
    'held at a stretch, median, ms': round(medianOf(samples.held)),
    'least, ms': round(Math.min(...samples.held)),
  };
}

function marketOf(count: number, hasSpreads: boolean): Venue {
  const venue = new Venue(EXPIRIES, { paperCashMicros: (1e5 * MICROS) as never });
  const { series } = venue.state;
  venue.quote(series, { bid: 3, ask: 3.2, bidQty: 1e6, askQty: 1e6 });
  for (let i = 0; i < count; i++) {
    const account = venue.open(i + 1);
    venue.apply({ kind: 'margin', account, enabled: true });
    const mode: BatchAction = { type: 'margin-mode', mode: 'defined-risk' };
    if (hasSpreads && i % 2 === 0) venue.apply({ kind: 'batch', account, actions: [mode] });
    for (let n = 0; n < POSITIONS; n++) {
      const { seriesId } = series[(i * 7 + n * 131) % series.length]!;
      venue.trade(account, { seriesId, side: n % 2 === 0 ? 'buy' : 'sell', qtyMicros: MICROS });
    }
  }
  return venue;
}

function timeOfRisk(venue: Venue, count: number): number {
  const before = performance.now();
  let equity = 0;
  for (const account of venue.traders) equity += riskOf(venue.state, account).equityMicros / MICROS;
  const ms = performance.now() - before;
  // A round trip costs 2 dollars of 100,000 at most.
  assert.ok(Math.abs(equity / count - 1e5) < 100, `equity of ${equity / count}`);
  return ms;
}

/** A new one each time, as a report is shown for a second. Each turn of the probe is one in which the report had none. */
async function timeOfPass({ state }: Venue, count: number) {
  const start = performance.now();
  let passMs = 0;
  const made = new ExposureReports(state, () => START_MS).read().then((report) => {
    passMs = performance.now() - start;
    return report;
  });
  let heldMs = performance.now() - start;
  for (let last = performance.now(); passMs === 0; ) {
    await setImmediate();
    const now = performance.now();
    heldMs = Math.max(heldMs, now - last);
    last = now;
  }
  const { heldCount, expiries } = await made;
  assert.deepEqual([heldCount, expiries.length], [count, EXPIRIES.length]);
  return { passMs, heldMs };
}
