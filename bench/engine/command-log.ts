/** A log of commands in a file, and a start that replays it. */

import assert from 'node:assert/strict';
import {
  apply,
  type Command,
  createState,
  decodeCommand,
  encodeCommand,
  NO_EFFECTS,
  type State,
} from '../../packages/engine/src/index.ts';
import { type LogEntry, openSqliteLog } from '../../packages/log/src/index.ts';

export interface TimedCommand {
  readonly command: Command;
  readonly ts: number;
}

const BATCH = 1_000;

/** Writes commands as the log at a path, each with its time. */
export async function writeCommands(path: string, commands: readonly TimedCommand[]): Promise<void> {
  let now = 0;
  const log = await openSqliteLog({ path, now: () => now });
  for (let at = 0; at < commands.length; ) {
    now = commands[at]!.ts;
    const batch: TimedCommand[] = [];
    while (at < commands.length && commands[at]!.ts === now && batch.length < BATCH)
      batch.push(commands[at++]!);
    await log.append(batch.map(({ command }) => ({ kind: command.kind, body: encodeCommand(command) })));
  }
  await log.close();
}

/** Reads a log of so many entries, and returns the time until the last of them came, ms. */
export async function followed(
  path: string,
  entries: number,
  take: (entry: LogEntry) => void,
): Promise<number> {
  const log = await openSqliteLog({ path });
  const startedMs = performance.now();
  let lastMs = startedMs;
  const follower = log.follow(1, (page) => {
    for (const entry of page) {
      // What a caller checks with the last entry is no part of the time.
      if (entry.seq === entries) lastMs = performance.now();
      take(entry);
    }
  });
  assert.equal(await follower.caughtUp, entries);
  await log.close();
  return lastMs - startedMs;
}

/** A take that applies entries as a node does. */
export function applying(state: State = createState()): (entry: LogEntry) => void {
  return ({ seq, ts, kind, body }) =>
    void apply(state, { seq, ts, command: decodeCommand(kind, body) }, NO_EFFECTS);
}
