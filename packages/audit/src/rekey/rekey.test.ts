import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { openLog } from '@venue/log';
import type { BatchAction } from '@venue/protocol';
import { loadConfig } from '../../../exchange/src/config.ts';
import { startExchange } from '../../../exchange/src/node.ts';
import { createLogger } from '../../../exchange/src/observe/logger.ts';
import { sharedVerifier } from '../../../exchange/test/shared-verifier.ts';
import { ALICE, LOG_ID, newPath, SignedLog, trade } from '../../../exchange/test/signed-log.ts';
import { FEED_TOKEN, MAKER_TOKEN, openSession, Venue } from '../../../exchange/test/support.ts';
import { verifyLog } from '../verify/verify.ts';
import { rekeyLog } from './rekey.ts';

const ID = /^[0-9a-f]{32}$/;
const CANCEL: readonly BatchAction[] = [{ type: 'cancel-all', scope: 'all' }];

function startOn(path: string) {
  const env = {
    VENUE_LOG: `sqlite:${path}`,
    VENUE_PORT: '0',
    VENUE_FEED_TOKEN: FEED_TOKEN,
    VENUE_MAKER_TOKEN: MAKER_TOKEN,
  };
  return startExchange(loadConfig(env), { logger: createLogger('silent') });
}

describe('venue rekey (VEN-1)', () => {
  it('gives a copy another id, on which nothing signed for the original counts', async () => {
    const path = newPath('original.db');
    const original = await startOn(path);
    const venue = new Venue(original.url);
    const alice = await openSession(venue);
    const { venue: id } = (await venue.get('/v1/venue')).body;
    await original.stop();
    const copy = newPath('copy.db');
    copyFileSync(path, copy);

    const { from, to } = await rekeyLog(`sqlite:${copy}`);
    assert.equal(from, id);
    assert.match(to, ID);
    assert.notEqual(to, id);
    const copied = await startOn(copy);
    try {
      const there = new Venue(copied.url);
      assert.equal((await there.get('/v1/venue')).body.venue, to);
      const replayed = await there.post('/v1/batch', await alice.batch(id, [{ type: 'cancel-all' }]));
      assert.deepEqual([replayed.status, replayed.body], [401, { error: 'bad signature' }]);
      const meant = await there.post('/v1/batch', await alice.batch(to, [{ type: 'cancel-all' }]));
      assert.equal(meant.status, 200);
    } finally {
      await copied.stop();
    }
  });

  it('replays what a start would, and the log goes on to be proven with each id in its place', async () => {
    const venue = await SignedLog.open();

    await trade(venue);
    await venue.append(venue.batch(ALICE, CANCEL));
    await venue.snapshot();
    await venue.append(venue.batch(ALICE, CANCEL));
    await venue.stop();
    const rekeyed = await rekeyLog(venue.spec);
    assert.deepEqual([rekeyed.from, rekeyed.seq], [LOG_ID, venue.state.seq + 1]);
    const { facts } = await verifyLog({ log: venue.spec, verifier: await sharedVerifier() });
    assert.equal(facts.fault, null);
    assert.equal(facts.entries!.signatures.batch, 2);
    assert.deepEqual((await rekeyLog(venue.spec)).from, rekeyed.to);
  });

  it('refuses a log on which a node is running, one that is missing, and one without an id', async () => {
    const venue = await SignedLog.open();
    await assert.rejects(rekeyLog(venue.spec), {
      name: 'LogToolError',
      message: /in use by another process/,
    });
    await venue.stop();
    await assert.rejects(rekeyLog('sqlite:/nowhere/venue.db'), {
      name: 'LogToolError',
      message: /does not exist/,
    });
    const empty = newPath('empty.db');
    await (await openLog(`sqlite:${empty}`, { single: true, onWarning() {} })).close();
    await assert.rejects(rekeyLog(`sqlite:${empty}`), {
      name: 'LogToolError',
      message: /the log has no id yet/,
    });
  });
});
