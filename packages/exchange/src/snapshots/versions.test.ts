import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createState, NO_EFFECTS, stateDigest } from '@venue/engine';
import { openSqliteLog } from '@venue/log';
import { Sequencer } from '../entries/sequencer.ts';
import { loadState } from './snapshots.ts';

/** A log of 1,000 entries that release 07ed059 wrote, and after entry 600 its snapshot, as its thread made it. */
const RECORDED = new URL('../../test/logs/snapshot-version-3.db.gz', import.meta.url);
/** By the engine of that release. */
const LAST_DIGEST = 'b31f71dfa045a7b4e47158dfbadbc01764bf463e9a546d98dfa37ff8d36df398';

async function recorded(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'venue-versions-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'venue.db');
  await writeFile(path, gunzipSync(await readFile(RECORDED)));
  return path;
}

/** Starts as a node does, up to the end of the replay. */
async function start(t: TestContext, path: string) {
  const log = await openSqliteLog({ path, onWarning() {} });
  t.after(() => log.close());
  const said: string[] = [];
  const loaded = await loadState(log, { warn: (_: unknown, text?: string) => said.push(text!) });
  const fromSeq = loaded?.seq ?? 0;
  const state = loaded ?? createState();
  const onFatal = assert.fail;
  const sequencer = new Sequencer({ log, state, effects: NO_EFFECTS, skipSeqs: new Set(), onFatal });
  await sequencer.replay();
  return { fromSeq, said, digest: stateDigest(state) };
}

describe('LOG-4: a snapshot of an earlier release', () => {
  it('is started from, without a word', async (t) => {
    const started = await start(t, await recorded(t));
    assert.deepEqual(started, { fromSeq: 600, said: [], digest: LAST_DIGEST });
  });

  it('of a version before those is named in one line, and the log replayed', async (t) => {
    const path = await recorded(t);
    const file = new DatabaseSync(path);
    file.exec('UPDATE snapshot SET version = 2');
    file.close();
    const line = 'passed over: the snapshot of entry 600 is of version 2, which this program does not read';
    assert.deepEqual(await start(t, path), { fromSeq: 0, said: [line], digest: LAST_DIGEST });
  });
});
