/**
 * Time and memory of a start on a large log, by replay and from a snapshot: writes a log of 1,000,000 entries and
 * 100,000 accounts, and starts an exchange on it twice.
 *
 *   node tests/faults/large.ts --entries 1000000 --accounts 100000
 */

import { mkdtempDisposableSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  apply,
  type Command,
  createState,
  encodeCommand,
  NO_EFFECTS,
  type State,
  type VenueParameters,
} from '@venue/engine';
import { loadConfig } from '@venue/exchange';
import { openSqliteLog } from '@venue/log';
import type { Address, Hex } from '@venue/protocol';
import { Random } from '@venue/protocol/simulation';
import { stampOf } from '@venue/replay';
import { atLeast } from '../../packages/exchange/sim/options.ts';
import { expiryInstants } from '../../packages/exchange/src/entries/expiries.ts';
import { SETTINGS, SYMBOL } from './crowd.ts';
import { say, share } from './figures.ts';
import { NodeProcess } from './node-process.ts';
import { runScript } from './options.ts';

/** So little that all accounts together stay within the venue's limit. */
const SMALL_CASH = { VENUE_PAPER_CASH: '10000' };
const SPOT_MICROS = 200_000_000;
const BATCH = 2_000;
/** Log time between batches: nonces stay in their window, and are pruned again. */
const STEP_MS = 20_000;
const SESSION_MS = 24 * 3_600_000;
const SIGNATURE: Hex = `0x${'5a'.repeat(65)}`;
const REPLAYED = 'start by replay';
const LOOK_EVERY_MS = 50;
const START_LIMIT_MS = 600_000;
const MIB = 2 ** 20;

interface LargeLog {
  readonly path: string;
  readonly entries: number;
  readonly accounts: number;
}

/** Writes the log: prices, accounts with session keys, and their signed orders, many of which trade. */
async function writeLog({ path, entries, accounts }: LargeLog): Promise<void> {
  const state = createState();
  let nowMs = Date.now() - Math.ceil(entries / BATCH) * STEP_MS;
  const log = await openSqliteLog({ path, now: () => nowMs });
  const { parameters } = loadConfig({ ...SETTINGS, ...SMALL_CASH, VENUE_LOG: `sqlite:${path}` });
  // Like a node, so that the start finds its own log format.
  await log.writeStamp(stampOf(parameters));
  const commands = commandsOf({ state, entries, accounts, parameters, now: () => nowMs });
  let batch: Command[] = [];
  const flush = async () => {
    await log.append(batch.map((command) => ({ kind: command.kind, body: encodeCommand(command) })));
    batch = [];
  };
  for (const command of commands) {
    batch.push(command);
    apply(state, { seq: state.seq + 1, ts: nowMs, command }, NO_EFFECTS);
    if (batch.length === BATCH) {
      await flush();
      nowMs += STEP_MS;
    }
  }
  await flush();
  await log.close();
  say(
    `written: ${state.seq} entries, ${state.accounts.length} accounts, ${state.lastFillId} fills, ${state.orders.count} orders resting, ${Math.round(statSync(path).size / MIB)} MiB`,
  );
}

interface Population {
  /** Every command has been applied to it before the next is requested. */
  readonly state: State;
  readonly entries: number;
  readonly accounts: number;
  readonly parameters: VenueParameters;
  readonly now: () => number;
}

function* commandsOf({ state, entries, accounts, parameters, now }: Population): Generator<Command> {
  yield { kind: 'configure', parameters };
  yield prints();
  yield { kind: 'maintain', expiries: expiryInstants(now()) };
  const last = Math.max(...state.series.map(({ expiryTs }) => expiryTs));
  const series = state.series.filter(({ expiryTs }) => expiryTs === last).map(({ seriesId }) => seriesId);
  for (let i = 0; i < accounts; i += 1) {
    const signed = authorizationOf(i, now());
    const { account: address } = signed;
    const { sessionKey, signature } = signed.authorization;
    yield { kind: 'approve', address, sessionKey, expiresAt: now() + SESSION_MS, signature };
    if (i % 2 === 0) yield { kind: 'margin', ...signed, enabled: true };
  }
  const random = new Random(7);
  while (state.seq < entries) {
    const place = state.seq % BATCH;
    if (place === 0) yield prints();
    else if (place === 1) yield { kind: 'maintain', expiries: expiryInstants(now()) };
    else yield writeOf({ random, accounts, series, nonce: now() + place });
  }
}

interface Choice {
  readonly random: Random;
  readonly accounts: number;
  readonly series: readonly string[];
  readonly nonce: number;
}

/** An order, or occasionally a cancel of everything; short sellers have margin. */
function writeOf({ random, accounts, series, nonce }: Choice): Command {
  const upTo = (n: number) => Math.floor(random.uniform() * n);
  const side = upTo(2) === 0 ? 'buy' : 'sell';
  const account = side === 'sell' ? 2 * upTo(accounts / 2) : upTo(accounts);
  const signed = authorizationOf(account, nonce);
  if (upTo(10) === 0) return { kind: 'cancel', ...signed, symbols: null };
  const priceMicros = (480 + upTo(41)) * 10_000;
  const qtyMicros = (1 + upTo(100)) * 1_000;
  return { kind: 'order', ...signed, seriesId: series[upTo(series.length)]!, side, qtyMicros, priceMicros };
}

function prints(): Command {
  const rows = ['one', 'two'].map((source) => ({ symbol: SYMBOL, source, priceMicros: SPOT_MICROS }));
  return { kind: 'prints', prints: rows };
}

function authorizationOf(account: number, nonce: number) {
  const digits = account.toString(16).padStart(38, '0');
  const sessionKey = `0xbb${digits}` as Address;
  return {
    account: `0xaa${digits}` as Address,
    authorization: { sessionKey, nonce, signature: SIGNATURE },
  };
}

/** Starts an exchange on the log, prints the cost, and stops it. */
async function measureStart(what: string, path: string): Promise<void> {
  const node = await NodeProcess.at(`sqlite:${path}`, { ...SMALL_CASH, VENUE_LOG_LEVEL: 'info' });
  try {
    const launchedMs = performance.now();
    node.launch();
    await node.untilListening(START_LIMIT_MS);
    const seconds = (performance.now() - launchedMs) / 1_000;
    const [, replayMs] = /"ms":(\d+),"msg":"replayed"/.exec(node.output) ?? [];
    const status = readFileSync(`/proc/${node.pid}/status`, 'utf8');
    const [rss, peak] = ['VmRSS', 'VmHWM'].map((name) => Math.round(kilobytes(status, name) / 1_024));
    say(`${what}: ${seconds.toFixed(1)} s to listen, replay ${replayMs} ms, ${rss} MiB (peak ${peak})`);
    if (what === REPLAYED) say(await snapshotByThread(node, path));
    const stoppedMs = performance.now();
    await node.stop();
    say(`stopped in ${((performance.now() - stoppedMs) / 1_000).toFixed(1)} s`);
  } finally {
    node.end();
  }
}

/** After a long replay a node has a worker thread create a snapshot, and keeps answering. */
async function snapshotByThread(node: NodeProcess, path: string): Promise<string> {
  const beganMs = performance.now();
  const answersMs: number[] = [];
  while (!hasSnapshot(path)) {
    const askedMs = performance.now();
    await node.isWell();
    answersMs.push(Math.round(performance.now() - askedMs));
    await sleep(LOOK_EVERY_MS);
    if (askedMs - beganMs > START_LIMIT_MS) throw new Error('no snapshot is made');
  }
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
  const ascending = answersMs.toSorted((a, b) => a - b);
  return `snapshot by a thread after ${seconds} s; answers meanwhile: median ${share(ascending, 0.5)} ms, longest ${share(ascending, 1)} ms`;
}

function hasSnapshot(path: string): boolean {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare('SELECT seq FROM snapshot LIMIT 1').get() !== undefined;
  } finally {
    db.close();
  }
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
}

if (import.meta.main)
  await runScript({ entries: '1000000', accounts: '100000' }, async (values) => {
    const [entries, accounts] = [
      atLeast(BATCH, 'entries', values.entries),
      atLeast(2, 'accounts', values.accounts),
    ];
    using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-large-'));
    const path = join(folder.path, 'venue.db');
    await writeLog({ path, entries, accounts });
    await measureStart(REPLAYED, path);
    await measureStart('start from a snapshot', path);
  });
