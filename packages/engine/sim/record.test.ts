import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, createState, decodeCommand, NO_EFFECTS, restoreState, stateDigest } from '../src/index.ts';
import { record } from './record.ts';

test('OWN-72 a recorded log gives its digests, from the start and from its snapshot', () => {
  const { log, snapshot, digestOfSnapshot, digest } = record(7);
  const states = [createState(), restoreState(snapshot)];
  assert.equal(stateDigest(states[1]!), digestOfSnapshot);
  for (const state of states) {
    for (const [at, line] of log.entries()) {
      if (at < state.seq) continue;
      const [ts = '', kind = '', body = ''] = line.split(' ');
      const command = decodeCommand(kind, Buffer.from(body, 'base64'));
      apply(state, { seq: at + 1, ts: Number(ts), command }, NO_EFFECTS);
    }
    assert.equal(stateDigest(state), digest);
  }
});
