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
  NO_EFFECTS,
  type State,
  stateDigest,
} from '../../packages/engine/src/index.ts';
import type { LogEntry } from '../../packages/log/src/index.ts';
import { applying, followed, type TimedCommand, writeCommands } from './command-log.ts';
import { type FlowOptions, makeFlow, openVenue } from './flow.ts';

const FLOW: FlowOptions = { accounts: 10_000, entries: 500_000 };
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
      ['and applied: a replay', () => checked(createState(), digest, entries)],
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
function checked(state: State, digest: string, entries: number): Take {
  const take = applying(state);
  return (entry) => {
    take(entry);
    if (state.seq === entries) assert.equal(stateDigest(state), digest);
  };
}

async function timed(path: string, entries: number, start: () => Take) {
  const rates: number[] = [];
  for (let i = 0; i < RUNS + 1; i++) {
    const take = start();
    const ms = await followed(path, entries, take);
    // The first warms up.
    if (i > 0) rates.push(Math.round((entries / ms) * 1_000));
  }
  rates.sort((a, b) => a - b);
  return { entries, 'median entries/s': rates[rates.length >> 1]!, 'slowest run': rates[0]! };
}

/** Writes the venue's setup and the flow as its log. */
async function writeLog(path: string, options: FlowOptions): Promise<{ entries: number; digest: string }> {
  const opening: TimedCommand[] = [];
  const venue = openVenue(options, (command, ts) => opening.push({ command, ts }));
  const { entries } = makeFlow(options);
  for (const entry of entries) apply(venue.state, entry, NO_EFFECTS);
  const all = [...opening, ...entries];
  await writeCommands(path, all);
  return { entries: all.length, digest: stateDigest(venue.state) };
}

if (import.meta.main) await run();
