/** The release before defined-risk margin beside a log of this one: it refuses, and what it left behind is taken over. */

// @seconds 26

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FEATURE_LEVEL, levelInForce } from '@venue/engine';
import { openLogReader } from '@venue/log';
import { signIn, Venue } from '../../packages/exchange/test/support.ts';
import { eventually, freePort, Launched } from '../e2e/launched.ts';
import { Evidence } from '../faults/evidence.ts';
import { NodeProcess } from '../faults/node-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The last commit of feature level 5. Its dependencies are those of this tree. */
const LEVEL_5_RELEASE = 'bb4b6a2';
const SNAPSHOT_OF_LEVEL_5 = 7;
/** One line that says what to do, of a node or follower that cannot read on. */
const REFUSAL =
  /^(venue|exchange|follower): .*was written by a newer release; upgrade this node \(feature level 7, and this release reads up to 5\)$/m;

describe('a release of feature level 5 and a log of level 7 (OWN-72, DRM-1)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-downgrade-'));
  const log = `sqlite:${join(folder, 'venue.db')}`;
  const older = releaseAt(LEVEL_5_RELEASE, join(folder, 'release'));
  const running: { end(): void }[] = [];
  after(() => {
    for (const one of running) one.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test('its snapshot with a tail of level 7 is restored as replay has it; its node and its follower refuse', async () => {
    const node = await NodeProcess.at(log, { VENUE_REQUIRE_SIGNED_ORDERS: '0' });
    running.push(node);
    node.release = older;
    await node.start();
    const trader = await signIn(new Venue(node.url));
    await node.stop();
    const reader = await openLogReader(log);
    assert.equal((await reader.loadSnapshots())[0]!.version, SNAPSHOT_OF_LEVEL_5);

    node.release = undefined;
    await node.start();
    const follower = await oldFollower();
    const venue = new Venue(node.url);
    const switched = await eventually('defined-risk margin is in force', async () => {
      const actions = [{ type: 'margin-mode', mode: 'defined-risk' }];
      const { status, body } = await venue.post('/v1/batch', { actions }, trader);
      return status === 200 && body.results[0].ok && body;
    });
    assert.deepEqual(switched.results, [{ type: 'margin-mode', ok: true }]);
    assert.notEqual(await follower.exits(), 0);
    assert.match(follower.output, REFUSAL);

    await node.kill();
    assert.equal((await reader.loadSnapshots())[0]!.version, SNAPSHOT_OF_LEVEL_5);
    await reader.close();
    await node.start();
    assert.equal((await venue.get('/v1/margin', trader)).body.marginMode, 'defined-risk');
    await node.stop();
    const evidence = new Evidence(log);
    assert.deepEqual(await evidence.checkSnapshot(), []);
    assert.equal(levelInForce(evidence.state), FEATURE_LEVEL);

    node.release = older;
    node.launch();
    assert.equal(await node.ends(), 1);
    assert.match(node.output, REFUSAL);
  });

  async function oldFollower(): Promise<Launched> {
    const env = {
      VENUE_LOG: log,
      VENUE_TOKEN_SECRET: 'token-'.repeat(8),
      VENUE_PORT: String(await freePort()),
    };
    const follower = new Launched(['follower'], { env, release: older });
    running.push(follower);
    return follower;
  }
});

/** The files of a commit, with the dependencies of this tree. */
function releaseAt(commit: string, folder: string): string {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit, 'packages', 'package.json'], {
    cwd: ROOT,
    maxBuffer: 1 << 30,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@venue'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@venue') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(modules, '@venue', name));
  return folder;
}
