/** Chooses the state from which a start replays, so that the history receives everything that its file lacks. */

import { createState, type State } from '@venue/engine';
import { messageOf, type ReadOnlyLog } from '@venue/log';
import type { Logger } from '../observe/logger.ts';
import { loadState } from '../snapshots/snapshots.ts';
import type { Anchor, Balances, HistoryStart } from './file.ts';
import { History } from './history.ts';
import type { MarketEnd } from './market-table.ts';
import { HistoryDamagedError } from './schema.ts';
import { settlementsOf } from './settlement-table.ts';
import { standingOf } from './standing.ts';
import type { HistoryStore } from './store.ts';

type StartLog = Pick<ReadOnlyLog, 'loadSnapshots' | 'head' | 'readBatches' | 'firstSeq'>;

export interface StartDeps {
  readonly log: StartLog;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Without it, no history is kept. */
  readonly store: HistoryStore | undefined;
}

export interface Start {
  readonly state: State;
  readonly history: History | null;
}

/**
 * Returns the state to replay from, and the history that follows the replay. A snapshot past the history is skipped:
 * replaying the entries before it fills the gap. If those are archived, the history begins again at the oldest
 * snapshot. A file that is damaged, or disagrees with the cash or the orders of the state, is put aside and rebuilt from the log.
 * Rejects with `LogOpenError`.
 */
export async function startState({ log, logger, store }: StartDeps): Promise<Start> {
  if (store === undefined) return { state: (await loadState(log, logger)) ?? createState(), history: null };
  const { anchors, putAside } = store.opening;
  sayPutAside(logger, putAside);
  let chosen = await chosenStart(log, logger, anchors);
  let fault = await begin(store, logger, chosen.start);
  if (fault instanceof HistoryDamagedError) {
    sayPutAside(logger, fault.message);
    chosen = await chosenStart(log, logger, []);
    fault = await begin(store, logger, chosen.start);
  }
  const { state, start } = chosen;
  if (fault === null) return { state, history: new History({ store, state, log, logger, seq: start.seq }) };
  logger.error(`no history is kept, and there are no statements: ${messageOf(fault)}`);
  return { state, history: null };
}

/** Returns the error with which the file refused, or null. */
async function begin(
  store: HistoryStore,
  logger: StartDeps['logger'],
  start: HistoryStart,
): Promise<unknown> {
  try {
    sayPutAside(logger, await store.ask('begin', start));
    return null;
  } catch (error) {
    return error;
  }
}

function sayPutAside(logger: StartDeps['logger'], putAside: string | null): void {
  if (putAside !== null) logger.warn(`${putAside}; the history is rebuilt from the log`);
}

interface Chosen {
  readonly state: State;
  readonly start: HistoryStart;
}

/**
 * The file continues from the state, even if it extends further: the cash and the orders of the state show whether it is
 * right, and the replay writes the rest again.
 */
async function chosenStart(
  log: StartLog,
  logger: StartDeps['logger'],
  anchors: readonly Anchor[],
): Promise<Chosen> {
  const known = await newestOf(log, anchors);
  const wrong =
    known === null && anchors.length > 0 ? 'is of another log, or of a part that is archived,' : null;
  const state = await loadState(log, logger, { lastSeq: known?.seq ?? 0 });
  if (state !== null) {
    const standing = standingOf(state, { withValues: false });
    return { state, start: { kind: 'go on', ...endOf(state), balances: balancesOf(state), standing } };
  }
  if ((await log.firstSeq()) > 1)
    return beginAnew(log, logger, known === null ? wrong : 'ends before the log begins');
  return anew(createState(), 0, wrong);
}

/** The newest anchor that belongs to this log, or null: the hash of a batch covers everything before it. */
async function newestOf(log: StartLog, anchors: readonly Anchor[]): Promise<Anchor | null> {
  for (const anchor of anchors) {
    const [batch] = await log.readBatches(anchor.seq, anchor.seq);
    if (batch?.hash === anchor.hash) return anchor;
  }
  return null;
}

async function beginAnew(log: StartLog, logger: StartDeps['logger'], wrong: string | null): Promise<Chosen> {
  const state = (await loadState(log, logger, { oldestFirst: true })) ?? createState();
  const { seq, ts } = state;
  logger.warn(
    { seq },
    `the history begins after entry ${seq}: what came before is archived, and its file lacks some of it`,
  );
  // Some movements in the millisecond of the snapshot's last entry may be missing.
  return anew(state, ts + 1, wrong);
}

function anew(state: State, completeFromMs: number, wrong: string | null): Chosen {
  const standing = standingOf(state, { withValues: true });
  return {
    state,
    start: {
      ...{ kind: 'anew', ...endOf(state), completeFromMs, balances: balancesOf(state), standing, wrong },
      settlements: settlementsOf(state),
    },
  };
}

function endOf({ seq, ts, lastFillId }: State): MarketEnd {
  return { seq, ts, lastFillId };
}

function balancesOf({ accounts }: State): Balances {
  return accounts
    .filter(({ role }) => role === 'trader')
    .map(({ index, cashMicros }) => [index, cashMicros] as const);
}
