import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stateDigest } from '@venue/engine';
import type { Snapshot } from '@venue/log';
import { TestVenue } from '../test/auth-venue.ts';
import { bodyFault, restoreSnapshot } from './restore-snapshot.ts';
import { snapshotOf } from './snapshots/snapshots.ts';

/** Only the hash of a batch is read from it. */
const logOf = (hash: string) => ({
  readBatches: async () => [{ firstSeq: 1, lastSeq: 1, id: '', hash: hash.repeat(64) }],
});
const LOG = logOf('a');

describe('a snapshot', () => {
  it('restores its state', async () => {
    const { state } = new TestVenue();
    const snapshot = await snapshotOf(state, LOG);
    const restored = await restoreSnapshot(snapshot, LOG);
    assert.ok(typeof restored !== 'string', String(restored));
    assert.equal(stateDigest(restored), stateDigest(state));
    assert.equal(await bodyFault(snapshot), null);
  });

  it('that is wrong says how', async () => {
    const good = await snapshotOf(new TestVenue().state, LOG);
    const restoring = async (wrong: Partial<Snapshot>) => restoreSnapshot({ ...good, ...wrong }, LOG);
    assert.equal(await restoreSnapshot(good, logOf('b')), 'is of another log');
    const body = good.body.subarray(0, -5);
    assert.match(String(await restoring({ body })), /^is damaged: /);
    assert.match(String(await bodyFault({ ...good, body })), /^is damaged: /);
    const digest = 'f'.repeat(64);
    assert.equal(await restoring({ digest }), 'is damaged: its state has another digest');
    assert.equal(await bodyFault({ ...good, digest }), 'is damaged: its body has another digest');
    assert.equal(await restoring({ seq: 2 }), 'is damaged: it holds the state after entry 1');
    const version = good.version + 1;
    const said = `is of version ${version}, which this program does not read`;
    assert.deepEqual([await restoring({ version }), await bodyFault({ ...good, version })], [said, said]);
  });
});
