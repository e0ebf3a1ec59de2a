/**
 * Question: what does it cost a venue if strangers fill it with quote levels to its bounds, each account with as many as
 * it may have and all together with as many as there may be (QTS-2): in memory, in its ticks, when all of them fall
 * silent at once, and in its restart, from a snapshot and by a replay of the log?
 *
 * Every level is a row of its own, of a micro at the lowest price, which takes the most memory a cent can reserve.
 * Bytes are bounded absolutely, as no load changes them, times by what a plain order costs in the same run.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, QUOTE_SETS_MAX, SET_LEVELS_MAX } from '@venue/protocol';
import {
  brokenInvariants,
  type Command,
  createState,
  restoreState,
  stateDigest,
  stateLines,
} from '../../packages/engine/src/index.ts';
import { applying, followed, type TimedCommand, writeCommands } from './command-log.ts';
import { collectGarbage } from './garbage.ts';
import { DAY_S, MICROS, SET_LEVELS_OF_ALL, START_MS, TICK_MS, Venue } from './venue.ts';

export interface FullOptions {
  /** The total of all accounts. */
  readonly levels: number;
  readonly ticks: number;
}

export const FULL: FullOptions = { levels: SET_LEVELS_OF_ALL, ticks: 9 };
const EXPIRIES = 15;
const PLAIN_ORDERS = 20_000;
const QUOTE_TTL_MS = 600_000;

/** About twice the bytes that a quiet machine measures, and four times the processor time. */
const MOST = {
  'bytes a level': 1_000,
  'tick, plain orders a level': 0.15,
  'fall silent, plain orders a level': 0.4,
  'snapshot, plain orders a level': 8,
  'replay, plain orders a level': 8,
} as const;

export type FullReport = Readonly<Record<keyof typeof MOST | 'levels' | 'accounts', number>> & {
  readonly 'tick ms': number;
  readonly 'fall silent ms': number;
  readonly 'MB added': number;
  readonly 'snapshot ms': number;
  readonly 'replay ms': number;
  readonly 'plain order µs': number;
};

export async function run(): Promise<void> {
  const report = await measure(FULL);
  console.table(Object.entries(report).map(([what, value]) => ({ what, value })));
  checkFull(report);
}

/** Throws past a bound. */
export function checkFull(report: FullReport): void {
  for (const [what, most] of Object.entries(MOST) as [keyof typeof MOST, number][])
    assert.ok(report[what] <= most, `${what}: ${report[what]}, and at most ${most} are allowed`);
}

export async function measure({ levels, ticks }: FullOptions): Promise<FullReport> {
  const venue = openVenue(levels);
  const orderMs = plainOrderMs(venue);
  const began = usedBytes();
  const accounts = fill(venue, levels);
  const bytes = usedBytes() - began;
  const tickMs = median(Array.from({ length: ticks }, () => tick(venue)));
  assert.equal(venue.state.orders.countOfOthers, levels);
  venue.wait(QUOTE_TTL_MS);
  const silentMs = longestUntilSilent(venue);
  assert.deepEqual([...brokenInvariants(venue.state)], []);
  const { snapshotMs, replayMs } = await measureRestart(levels);
  const each = (ms: number) => Number((ms / levels / orderMs).toFixed(2));
  return {
    ...{ levels, accounts, 'MB added': round(bytes / 1e6), 'bytes a level': Math.round(bytes / levels) },
    ...{ 'tick ms': round(tickMs), 'tick, plain orders a level': each(tickMs) },
    ...{ 'fall silent ms': round(silentMs), 'fall silent, plain orders a level': each(silentMs) },
    ...{ 'snapshot ms': round(snapshotMs), 'snapshot, plain orders a level': each(snapshotMs) },
    ...{ 'replay ms': round(replayMs), 'replay, plain orders a level': each(replayMs) },
    'plain order µs': round(orderMs * 1_000),
  };
}

/** The longest of the ticks by which all of them leave, a bounded number at a time. */
function longestUntilSilent(venue: Venue): number {
  const times: number[] = [];
  for (let before = Number.POSITIVE_INFINITY; venue.state.orders.countOfOthers > 0; ) {
    const { countOfOthers } = venue.state.orders;
    assert.ok(countOfOthers < before, 'some leave in every tick');
    before = countOfOthers;
    times.push(tick(venue));
  }
  return Math.max(...times);
}

function openVenue(levels: number, onCommand?: (command: Command, ts: number) => void): Venue {
  const expiries = Array.from({ length: EXPIRIES }, (_, i) => START_MS / 1_000 + (i + 1) * DAY_S);
  const parameters = {
    paperCashMicros: (1_000 * MICROS) as never,
    ...{ setLevelsMax: levels, quoteTtlMs: QUOTE_TTL_MS, sourceStaleMs: 3_600_000 },
  };
  return new Venue(expiries, parameters, onCommand);
}

/** The processor time of an order that rests and is cancelled, in ms. */
function plainOrderMs(venue: Venue): number {
  const account = venue.open(0);
  const { seriesId } = venue.state.series[0]!;
  const round = () => {
    const start = process.threadCpuUsage();
    for (let i = 0; i < PLAIN_ORDERS; i++) {
      const orderId = venue.state.lastOrderId + 1;
      const order = { seriesId, side: 'buy', qtyMicros: MICROS, priceMicros: 1 } as const;
      venue.apply({ kind: 'order', account, ...order });
      venue.apply({ kind: 'cancel-order', account, orderId });
    }
    return cpuMs(start) / PLAIN_ORDERS;
  };
  return median([round(), round(), round(), round()]);
}

/** Fills the venue from free wallets, and returns how many it takes. */
function fill(venue: Venue, levels: number): number {
  let accounts = 0;
  for (let left = levels; left > 0; left -= SET_LEVELS_MAX) {
    accounts += 1;
    quote(venue, venue.open(accounts), Math.min(left, SET_LEVELS_MAX));
  }
  const refused = pushLevels(venue, venue.open(accounts + 1), 1, 1);
  assert.deepEqual(refused, [{ i: 0, error: 'too many levels' }], 'the venue is full');
  return accounts;
}

function quote(venue: Venue, account: Address, levels: number): void {
  const each = Math.ceil(levels / QUOTE_SETS_MAX);
  for (let set = 1, left = levels; left > 0; set++, left -= each)
    assert.deepEqual(pushLevels(venue, account, set, Math.min(left, each)), []);
}

function pushLevels(venue: Venue, account: Address, set: number, count: number) {
  const protection = { windowMs: 1_000, qtyMicros: MICROS, frozenMs: 0 };
  venue.apply({
    ...{ kind: 'batch', account },
    actions: [{ type: 'protect', set, symbol: 'AAPL', ...protection }],
  });
  const series = venue.state.series.slice(((set - 1) * count) % venue.state.series.length);
  const rows = [...series, ...venue.state.series].slice(0, count).map(({ sid }) => ({
    ...{ sid, bids: [[1, 1]] as const, asks: null },
  }));
  const push = { kind: 'quote-set', account, set, form: 'sqw1', bodyHash: '0'.repeat(64), rows } as const;
  const outcome = venue.apply(push);
  assert.ok('rowErrors' in outcome, JSON.stringify(outcome));
  return outcome.rowErrors;
}

/** The processor time of all entries of a tick, in ms. */
function tick(venue: Venue): number {
  venue.wait(TICK_MS);
  const start = process.threadCpuUsage();
  venue.tick();
  return cpuMs(start);
}

/** Restarts a venue that is filled in the same way. */
async function measureRestart(levels: number) {
  const commands: TimedCommand[] = [];
  const venue = openVenue(levels, (command, ts) => commands.push({ command, ts }));
  fill(venue, levels);
  const digest = stateDigest(venue.state);
  const lines = [...stateLines(venue.state)];
  const start = process.threadCpuUsage();
  const restored = restoreState(lines);
  const snapshotMs = cpuMs(start);
  assert.equal(stateDigest(restored), digest, 'a snapshot comes back');
  const folder = mkdtempSync(join(tmpdir(), 'venue-full-sets-'));
  try {
    const path = join(folder, 'venue.db');
    await writeCommands(path, commands);
    const replayed = createState();
    const begun = process.threadCpuUsage();
    await followed(path, commands.length, applying(replayed));
    const replayMs = cpuMs(begun);
    assert.equal(stateDigest(replayed), digest, 'a replay comes to the same');
    return { snapshotMs, replayMs };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Processor time since a start, to which other work on the machine adds nothing. */
function cpuMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

function usedBytes(): number {
  // The second run collects what the first left to finalizers.
  for (let i = 0; i < 2; i++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

if (import.meta.main) await run();
