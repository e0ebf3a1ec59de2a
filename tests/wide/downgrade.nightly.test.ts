/** This release beside a log of the next: it refuses, and what it left behind is taken over. */

// @seconds 26

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { FEATURE_LEVEL, FEATURE_LEVELS, levelInForce } from '@venue/engine';
import { openLogReader } from '@venue/log';
import { signIn, Venue } from '../../packages/exchange/test/support.ts';
import { eventually, freePort, Launched } from '../e2e/launched.ts';
import { Evidence } from '../faults/evidence.ts';
import { NodeProcess } from '../faults/node-process.ts';
import { NEXT_LEVEL, nextRelease, REFUSAL } from './next-release.ts';

describe('a node and a follower of this release on a log of the next (OWN-72)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-downgrade-'));
  const log = `sqlite:${join(folder, 'venue.db')}`;
  const newer = nextRelease('rekey');
  const running: { end(): void }[] = [];
  after(() => {
    for (const one of running) one.end();
    for (const made of [folder, newer]) rmSync(made, { recursive: true, force: true });
  });

  test('its snapshot with a tail of the next level is restored as replay has it; its node and its follower refuse', async () => {
    const node = await NodeProcess.at(log, { VENUE_REQUIRE_SIGNED_ORDERS: '0' });
    running.push(node);
    await node.start();
    const trader = await signIn(new Venue(node.url));
    await node.stop();
    const reader = await openLogReader(log);
    const versionOfNewest = async () => (await reader.loadSnapshots())[0]!.version;
    assert.equal(await versionOfNewest(), FEATURE_LEVEL);

    node.release = newer;
    await node.start();
    const follower = await followerOf(log);
    running.push(follower);
    const venue = new Venue(node.url);
    await eventually('defined-risk margin is in force', async () => {
      const actions = [{ type: 'margin-mode', mode: 'defined-risk' }];
      const { status, body } = await venue.post('/v1/batch', { actions }, trader);
      return status === 200 && body.results[0].ok;
    });
    assert.notEqual(await follower.exits(), 0);
    assert.match(follower.output, REFUSAL);

    await node.kill();
    assert.equal(await versionOfNewest(), FEATURE_LEVEL);
    await node.start();
    assert.equal((await venue.get('/v1/margin', trader)).body.marginMode, 'defined-risk');
    await node.stop();
    assert.equal(await versionOfNewest(), NEXT_LEVEL);
    await reader.close();
    const evidence = new Evidence(log, [...FEATURE_LEVELS, {}]);
    assert.deepEqual(await evidence.checkSnapshot(), []);
    assert.equal(levelInForce(evidence.state), NEXT_LEVEL);

    node.release = undefined;
    node.launch();
    assert.equal(await node.ends(), 1);
    assert.match(node.output, REFUSAL);
  });
});

async function followerOf(log: string): Promise<Launched> {
  const env = {
    VENUE_LOG: log,
    VENUE_TOKEN_SECRET: 'token-'.repeat(8),
    VENUE_PORT: String(await freePort()),
  };
  return new Launched(['follower'], { env });
}
