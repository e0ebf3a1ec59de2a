/** Starts of the history, on the logs of `movements.ts`, as a node starts it. */

import assert from 'node:assert/strict';
import { stateDigest } from '@venue/engine';
import { Sequencer } from '../src/entries/sequencer.ts';
import type { History } from '../src/history/history.ts';
import { startState } from '../src/history/start.ts';
import type { HistoryStore } from '../src/history/store.ts';
import { snapshotOf } from '../src/snapshots/snapshots.ts';
import { openFile, Traded } from './movements.ts';

export interface Started {
  readonly history: History;
  readonly store: HistoryStore;
  readonly lines: readonly string[];
  readonly fromSeq: number;
}

/** Starts as a node does: chooses the state, replays the rest of the log. */
export async function start(traded: Traded, path: string): Promise<Started> {
  const lines: string[] = [];
  const say = (...words: unknown[]) => lines.push(String(words.at(-1)));
  const store = await openFile(path);
  const { log } = traded;
  const { state, history } = await startState({ log, logger: { info: say, warn: say, error: say }, store });
  assert.ok(history !== null, lines.join());
  const fromSeq = state.seq;
  const sequencer = new Sequencer({
    ...{ log, state, effects: history.effects, replayEffects: history.effects, skipSeqs: new Set() },
    onEntry: () => history.appliedEntry(),
    onApplied: () => history.applied(),
    onFatal: assert.fail,
  });
  await sequencer.replay();
  assert.equal(stateDigest(state), stateDigest(traded.state));
  return { history, store, lines, fromSeq };
}

/** A minute of trading is five hours. */
const HASTE = 300;

/** A venue whose file went on after the snapshot, and lacks the end of the log. */
export async function beyondItsSnapshot(
  path: string,
  seed: number,
  { snapshotAt, hurryAt = null }: { readonly snapshotAt: number; readonly hurryAt?: number | null },
): Promise<Traded> {
  const traded = await Traded.begin(seed, false);
  await traded.trade(hurryAt ?? snapshotAt);
  if (hurryAt !== null) {
    traded.hurry(HASTE);
    await traded.trade(snapshotAt - hurryAt);
  }
  const first = await start(traded, path);
  await first.history.durable(traded.state.seq);
  const snapshot = await snapshotOf(traded.state, traded.log);
  await traded.log.saveSnapshot(snapshot);
  await first.store.close();
  await traded.trade(100);
  const second = await start(traded, path);
  await second.history.read('prints', { of: { symbol: '' }, before: 1, limit: 1 });
  await second.store.close();
  await traded.trade(30);
  return traded;
}
