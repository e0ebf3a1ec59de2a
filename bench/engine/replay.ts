/**
 * Question: how many entries a second does a start replay from an SQLite log (read, verified against the hash chain,
 * decoded and applied), and what share of the time does each part take?
 */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  apply,
  type Command,
  createState,
  decodeCommand,
  encodeCommand,
  NO_EFFECTS,
  type State,
  stateDigest,
} from '../../packages/engine/src/index.ts';
import { type LogEntry, openSqliteLog } from '../../packages/log/src/index.ts';
import { type FlowOptions, makeFlow, openVenue } from './flow.ts';

const FLOW: FlowOptions = { accounts: 10_000, entries: 500_000 };
const BATCH = 1_000;
const RUNS = 3;

/** Processes one entry. */
type Take = (entry: LogEntry) => void;

/** Prints entries a second for reading, for reading and decoding, and for everything; throws when a replay differs. */
export async function run(): Promise<void> {
  console.table(await measure(FLOW));
}

export async function measure(options: FlowOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'venue-replay-'));
  try {
    const path = join(folder, 'venue.db');
    const { entries, digest } = await writeLog(path, options);
    const parts: readonly (readonly [string, () => Take])[] = [
      ['read, and its hashes checked', () => () => {}],
      ['and decoded', () => (entry) => void commandOf(entry)],
      ['and applied: a replay', () => applying(createState(), digest, entries)],
    ];
    const rows = [];
    for (const [part, start] of parts) rows.push({ part, ...(await timed(path, entries, start)) });
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function commandOf({ kind, body }: LogEntry): Command {
  return decodeCommand(kind, body);
}

/** Applies entries like a node. The last entry must give the state the flow had when it was created. */
function applying(state: State, digest: string, entries: number): Take {
  return (entry) => {
    apply(state, { seq: entry.seq, ts: entry.ts, command: commandOf(entry) }, NO_EFFECTS);
    if (state.seq === entries) assert.equal(stateDigest(state), digest);
  };
}

async function timed(path: string, entries: number, start: () => Take) {
  const rates: number[] = [];
  for (let i = 0; i < RUNS + 1; i++) {
    const take = start();
    const log = await openSqliteLog({ path });
    const startedMs = performance.now();
    let lastMs = startedMs;
    const follower = log.follow(1, (page) => {
      for (const entry of page) {
        // Neither the final digest nor the entry that it comes with is part of a replay.
        if (entry.seq === entries) lastMs = performance.now();
        take(entry);
      }
    });
    assert.equal(await follower.caughtUp, entries);
    await log.close();
    // The first warms up.
    if (i > 0) rates.push(Math.round((entries / (lastMs - startedMs)) * 1_000));
  }
  rates.sort((a, b) => a - b);
  return { entries, 'median entries/s': rates[rates.length >> 1]!, 'slowest run': rates[0]! };
}

/** Writes the venue's setup and the flow as its log. */
async function writeLog(path: string, options: FlowOptions): Promise<{ entries: number; digest: string }> {
  const opening: { command: Command; ts: number }[] = [];
  const venue = openVenue(options, (command, ts) => opening.push({ command, ts }));
  const { entries } = makeFlow(options);
  for (const entry of entries) apply(venue.state, entry, NO_EFFECTS);
  const all = [...opening, ...entries];
  let now = 0;
  const log = await openSqliteLog({ path, now: () => now });
  for (let at = 0; at < all.length; at += BATCH) {
    const batch = all.slice(at, at + BATCH);
    now = batch[0]!.ts;
    await log.append(batch.map(({ command }) => ({ kind: command.kind, body: encodeCommand(command) })));
  }
  await log.close();
  return { entries: all.length, digest: stateDigest(venue.state) };
}

if (import.meta.main) await run();
