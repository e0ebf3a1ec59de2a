import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { createState, FEATURE_LEVEL, FEATURE_LEVELS, levelInForce, NO_EFFECTS } from '@venue/engine';
import { type LogNode, MemoryStore, openMemoryLog } from '@venue/log';
import { loadConfig } from '../config.ts';
import { putInForce } from './configuration.ts';
import { FeatureLevels } from './feature-levels.ts';
import { Sequencer } from './sequencer.ts';

const { parameters } = loadConfig({});
/** The next release reads a level with nothing in it. */
const NEXT_RELEASE = [...FEATURE_LEVELS, {}];
const NEXT_LEVEL = NEXT_RELEASE.length;
const OLD: LogNode = { address: '10.0.0.5', level: FEATURE_LEVEL };
const NEW: LogNode = { address: '10.0.0.6', level: NEXT_LEVEL };
const at = (version: number) => ({ ...parameters, version });

/** A node of the next release that sees `nodes` on a shared log with `level` in force, or on an empty log without it. */
async function nodeAt(t: TestContext, { nodes, level }: { nodes: LogNode[]; level?: number }) {
  const log = await openMemoryLog({ store: new MemoryStore() });
  t.after(() => log.close());
  const state = createState(NEXT_RELEASE);
  const sequencer = new Sequencer({
    ...{ log, state, effects: NO_EFFECTS, skipSeqs: new Set<number>() },
    onFatal: assert.fail,
  });
  await sequencer.replay();
  if (level !== undefined) await sequencer.submit({ kind: 'configure', parameters: at(level) }, () => {});
  const lines: unknown[] = [];
  const logger = { info: (fields: unknown) => void lines.push(fields), warn: assert.fail } as never;
  const shared = { isShared: true, nodes: async () => nodes };
  const featureLevels = new FeatureLevels({
    log: shared,
    state,
    sequencer,
    logger,
    randomBytes,
    onRaised: async () => {},
  });
  const clock = { ms: 0 };
  // A mock of a mock would outlive the test.
  t.mock.restoreAll();
  t.mock.method(performance, 'now', () => clock.ms);
  const firstFeatureLevel = () => featureLevels.first();
  const start = async () => {
    await putInForce(parameters, { sequencer, state, logger, randomBytes, firstFeatureLevel });
    await featureLevels.begin();
  };
  return { log, state, featureLevels, clock, lines, sequencer, logger, start };
}

describe('the feature level of several nodes (OWN-72)', () => {
  it('stays while a node of an older release is on the log, and the node names it', async (t) => {
    const { state, featureLevels, clock, lines, start } = await nodeAt(t, {
      nodes: [NEW, OLD],
      level: FEATURE_LEVEL,
    });
    await start();
    for (let i = 0; i < 100; i++) {
      clock.ms += 5_000;
      await featureLevels.check();
    }
    assert.equal(levelInForce(state), FEATURE_LEVEL);
    assert.equal(featureLevels.waitingCount, 1);
    assert.deepEqual(lines, [{ level: FEATURE_LEVEL, reads: NEXT_LEVEL }, { waitingFor: [OLD.address] }]);
  });

  it('is raised once no such node has been seen for fifteen seconds without a break', async (t) => {
    const nodes = [NEW, OLD];
    const { state, featureLevels, clock, start } = await nodeAt(t, { nodes, level: FEATURE_LEVEL });
    await start();
    const look = (ms: number) => {
      clock.ms += ms;
      return featureLevels.check();
    };
    nodes.pop();
    await look(5_000);
    await look(14_000);
    nodes.push(OLD);
    await look(5_000);
    nodes.pop();
    await look(5_000);
    await look(14_999);
    assert.equal(levelInForce(state), FEATURE_LEVEL);
    await look(1);
    assert.equal(levelInForce(state), NEXT_LEVEL);
    assert.equal(featureLevels.waitingCount, 0);
    const { seq } = state;
    await look(60_000);
    assert.equal(state.seq, seq);
  });

  it('begins with what all nodes can read on a log without entries', async (t) => {
    for (const [nodes, level] of [
      [[NEW], NEXT_LEVEL],
      [[NEW, OLD], FEATURE_LEVEL],
    ] as const) {
      const { state, start } = await nodeAt(t, { nodes: [...nodes] });
      await start();
      assert.deepEqual(state.parameters, at(level));
      assert.equal(state.seq, 1);
    }
  });

  it('VEN-1: comes with the id of the ledger, drawn by the proposer, once', async (t) => {
    const node = await nodeAt(t, { nodes: [OLD] });
    await node.start();
    const { venue } = node.state;
    assert.match(String(venue), /^[0-9a-f]{32}$/);
    const quiet = { ...(node.logger as object), warn() {} } as never;
    const other = { ...parameters, strikesPerSide: 3 };
    await putInForce(other, { ...node, logger: quiet, randomBytes, firstFeatureLevel: assert.fail });
    assert.deepEqual([node.state.parameters?.strikesPerSide, node.state.venue], [3, venue]);
    const fresh = await nodeAt(t, { nodes: [NEW] });
    await fresh.start();
    assert.match(String(fresh.state.venue), /^[0-9a-f]{32}$/);
    assert.notEqual(fresh.state.venue, venue);
  });

  it('is not lowered by a node that starts with other parameters while it is raised', async (t) => {
    const { state, sequencer, logger } = await nodeAt(t, { nodes: [OLD], level: FEATURE_LEVEL });
    const other = { ...parameters, strikesPerSide: 3 };
    const raising = sequencer.submit({ kind: 'configure', parameters: { version: NEXT_LEVEL } }, () => {});
    const quiet = { ...(logger as object), warn() {} };
    await putInForce(other, { sequencer, state, logger: quiet, randomBytes, firstFeatureLevel: assert.fail });
    await raising;
    assert.deepEqual(state.parameters, { ...other, version: NEXT_LEVEL });
  });

  it('is raised at the start if no other process can be on the log', async (t) => {
    const { log, state, sequencer, logger } = await nodeAt(t, { nodes: [], level: FEATURE_LEVEL });
    await new FeatureLevels({ log, state, sequencer, logger, randomBytes, onRaised: async () => {} }).begin();
    assert.equal(levelInForce(state), NEXT_LEVEL);
  });
});
