/** `venue rekey`: gives a copy of a log an id of its own (VEN-1). */

import { randomBytes } from 'node:crypto';
import {
  apply,
  createState,
  decodeEntry,
  encodeCommand,
  NewerLogError,
  NO_EFFECTS,
  type RekeyCommand,
  type State,
} from '@venue/engine';
import { type Log, type LogEntry, messageOf, openLog, openLogReader } from '@venue/log';
import { restoreSnapshot } from '@venue/replay';
import { foreseeing, LogToolError } from '../archive/tool-error.ts';

export interface Rekeyed {
  readonly from: string;
  readonly to: string;
  /** The entry that brought the new id. */
  readonly seq: number;
}

const ID_BYTES = 16;

/**
 * Appends an entry with a new id to a log that no node is running on. Run it on a copy before a node is: what is signed for
 * the original counts on a copy with the same id, too. Throws `LogToolError`.
 *
 * @example await rekeyLog('sqlite:copy.db') // { from: '3f…', to: '9c…', seq: 1201 }
 */
export function rekeyLog(spec: string): Promise<Rekeyed> {
  return foreseeing(async () => {
    await using opened = new AsyncDisposableStack();
    // Unlike the log, a reader does not create a missing file.
    const reader = await openLogReader(spec);
    await reader.close();
    // Warnings about the database's durability settings are for nodes.
    const log = await openLog(spec, { single: true, onWarning: () => {} });
    opened.defer(() => log.close());
    await refuseBesideNodes(log);
    const state = await stateOf(log);
    const { venue: from } = state;
    if (from === null)
      throw new LogToolError('the log has no id yet, which comes with its first entry: start a node on it');
    const command: RekeyCommand = { kind: 'rekey', venue: randomBytes(ID_BYTES).toString('hex') };
    const { firstSeq } = await log.append([{ kind: command.kind, body: encodeCommand(command) }]);
    return { from, to: command.venue, seq: firstSeq };
  });
}

/** A file is locked by the node that runs on it; nodes on a server announce their feature level there. */
async function refuseBesideNodes(log: Log): Promise<void> {
  const nodes = await log.nodes();
  const running = new Set(nodes.map(({ address }) => address));
  if (running.size > 0)
    throw new LogToolError(`nodes are running on the log (${[...running].join(', ')}); stop them first`);
}

/** The state after the last entry. */
async function stateOf(log: Log): Promise<State> {
  const state = (await newestSnapshotOf(log)) ?? createState();
  const onEntries = (entries: readonly LogEntry[]) => {
    for (const entry of entries) applyTo(state, entry);
  };
  const follower = log.follow(state.seq + 1, onEntries, { onError: () => {} });
  await follower.caughtUp;
  follower.stop();
  return state;
}

async function newestSnapshotOf(log: Log): Promise<State | null> {
  for (const snapshot of await log.loadSnapshots()) {
    const restored = await restoreSnapshot(snapshot, log);
    if (typeof restored !== 'string') return restored;
  }
  return null;
}

function applyTo(state: State, entry: LogEntry): void {
  const { seq, kind } = entry;
  try {
    apply(state, decodeEntry(entry), NO_EFFECTS);
  } catch (cause) {
    if (cause instanceof NewerLogError) throw cause;
    throw new LogToolError(`entry ${seq} (${kind}) cannot be applied: ${messageOf(cause)}`, { cause });
  }
}
