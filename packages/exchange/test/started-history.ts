/** A history that replays a log as the start of a node does. */

import assert from 'node:assert/strict';
import { stateDigest } from '@venue/engine';
import { Sequencer } from '../src/entries/sequencer.ts';
import type { History } from '../src/history/history.ts';
import { startState } from '../src/history/start.ts';
import type { HistoryStore } from '../src/history/store.ts';
import { openFile, type Traded } from './movements.ts';

export interface StartedHistory {
  readonly history: History;
  readonly store: HistoryStore;
}

export async function startHistory(traded: Traded, path: string): Promise<StartedHistory> {
  const lines: string[] = [];
  const say = (...words: unknown[]) => lines.push(String(words.at(-1)));
  const store = await openFile(path);
  const { log } = traded;
  const { state, history } = await startState({ log, logger: { info: say, warn: say, error: say }, store });
  assert.ok(history !== null, lines.join());
  const sequencer = new Sequencer({
    ...{ log, state, effects: history.effects, replayEffects: history.effects, skipSeqs: new Set() },
    onEntry: () => history.appliedEntry(),
    onApplied: () => history.applied(),
    onFatal: assert.fail,
  });
  await sequencer.replay();
  assert.equal(stateDigest(state), stateDigest(traded.state));
  return { history, store };
}
