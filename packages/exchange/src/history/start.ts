/** Which state a start begins from, so that the history gets all that its file does not have yet. */

import { createState, type State } from '@venue/engine';
import type { Log } from '@venue/log';
import { messageOf } from '../error-message.ts';
import type { Logger } from '../logger.ts';
import { loadState } from '../snapshots.ts';
import type { Anchor, HistoryStart } from './file.ts';
import { History } from './history.ts';
import type { HistoryStore } from './store.ts';

type StartLog = Pick<Log, 'loadSnapshots' | 'head' | 'readBatches' | 'firstSeq'>;

export interface StartDeps {
  readonly log: StartLog;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Without one no history is kept. */
  readonly store: HistoryStore | undefined;
}

export interface Start {
  readonly state: State;
  readonly history: History | null;
}

/**
 * The state to replay from, and the history to tell of the replay. A snapshot that is past the history is passed over: the
 * replay of what came before it fills the gap. Where that is archived the history begins anew, at the oldest snapshot.
 * Rejects with `LogOpenError`.
 */
export async function startState({ log, logger, store }: StartDeps): Promise<Start> {
  if (store === undefined) return { state: (await loadState(log, logger)) ?? createState(), history: null };
  const { state, start } = await chosenStart(log, logger, store);
  try {
    await store.ask('begin', start);
  } catch (error) {
    logger.error(`no history is kept, and there are no statements: ${messageOf(error)}`);
    return { state, history: null };
  }
  return { state, history: new History({ store, state, log, logger, seq: start.seq }) };
}

interface Chosen {
  readonly state: State;
  readonly start: HistoryStart;
}

async function chosenStart(log: StartLog, logger: StartDeps['logger'], store: HistoryStore): Promise<Chosen> {
  const known = await newestOf(log, store.opening.anchors);
  if (known === null && store.opening.anchors.length > 0)
    logger.warn('the file of the history is of another log, or of a part that is archived; it is put aside');
  const seq = known?.seq ?? 0;
  const state = await loadState(log, logger, { lastSeq: seq });
  const goOn: HistoryStart =
    known === null ? { kind: 'anew', seq, completeFromMs: 0, balances: [] } : { kind: 'go on', seq };
  if (state !== null) return { state, start: goOn };
  if ((await log.firstSeq()) > 1) return beginAnew(log, logger);
  return { state: createState(), start: goOn };
}

/** The newest anchor that is of this log, or null: the hash of a batch covers all before it. */
async function newestOf(log: StartLog, anchors: readonly Anchor[]): Promise<Anchor | null> {
  for (const anchor of anchors) {
    const [batch] = await log.readBatches(anchor.seq, anchor.seq);
    if (batch?.hash === anchor.hash) return anchor;
  }
  return null;
}

async function beginAnew(log: StartLog, logger: StartDeps['logger']): Promise<Chosen> {
  const state = (await loadState(log, logger, { oldestFirst: true })) ?? createState();
  const { seq, ts, accounts } = state;
  logger.warn(
    { seq },
    `the history begins after entry ${seq}: what came before is archived, and its file lacks some of it`,
  );
  const balances = accounts
    .filter(({ role }) => role === 'trader')
    .map(({ index, cashMicros }) => [index, cashMicros] as const);
  // Of the millisecond of the snapshot's last entry some may be missing.
  return { state, start: { kind: 'anew', seq, completeFromMs: ts + 1, balances } };
}
