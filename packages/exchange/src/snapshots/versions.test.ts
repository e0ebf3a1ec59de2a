import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createState, FEATURE_LEVEL, NO_EFFECTS, stateDigest } from '@venue/engine';
import { Traded } from '../../test/movements.ts';
import { Sequencer } from '../entries/sequencer.ts';
import { loadState, snapshotOf } from './snapshots.ts';

const SNAPSHOT_SEQ = 60;

/** A traded log with a snapshot that says that its lines are of a version. */
async function logWith(t: TestContext, version: number) {
  const traded = await Traded.begin(1, false);
  await traded.trade(SNAPSHOT_SEQ - traded.state.seq);
  await traded.log.saveSnapshot({ ...(await snapshotOf(traded.state, traded.log)), version });
  await traded.trade(20);
  t.after(() => traded.log.close());
  return traded;
}

/** Starts as a node does, up to the end of the replay. */
async function start({ log, state: expected }: Traded) {
  const said: string[] = [];
  const loaded = await loadState(log, { warn: (_: unknown, text?: string) => said.push(text!) });
  const fromSeq = loaded?.seq ?? 0;
  const state = loaded ?? createState();
  const onFatal = assert.fail;
  const sequencer = new Sequencer({ log, state, effects: NO_EFFECTS, skipSeqs: new Set(), onFatal });
  await sequencer.replay();
  assert.equal(stateDigest(state), stateDigest(expected));
  return { fromSeq, said };
}

describe('LOG-4: a snapshot', () => {
  it('of a version that this release reads is started from, without a word', async (t) => {
    assert.deepEqual(await start(await logWith(t, FEATURE_LEVEL)), { fromSeq: SNAPSHOT_SEQ, said: [] });
  });

  for (const version of [0, FEATURE_LEVEL + 1])
    it(`of another version is named in one line, and the log replayed: ${version}`, async (t) => {
      const line = `passed over: the snapshot of entry ${SNAPSHOT_SEQ} is of version ${version}, which this program does not read`;
      assert.deepEqual(await start(await logWith(t, version)), { fromSeq: 0, said: [line] });
    });
});
