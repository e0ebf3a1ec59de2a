// @seconds 5

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALICE, BOB, newPath, SignedLog, trade } from '../../../exchange/test/signed-log.ts';
import { createDatabase, PostgresServer, skipWithoutPostgres } from '../../../log/test/postgres-server.ts';
import { verifyLog } from '../verify/verify.ts';
import { archiveLog } from './archive.ts';
import { exportLog } from './export.ts';

describe('a log in PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  let spec: string;

  before(async () => {
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
    spec = server.url(await createDatabase(server));
  });
  after(() => server.remove());

  it('is verified, exported and archived while a node goes on appending to it', async () => {
    const venue = await SignedLog.open('paper', spec);
    await trade(venue);
    await venue.snapshot();
    await venue.append(venue.order(ALICE, 'sell'), venue.order(BOB, 'buy'));
    await venue.snapshot();
    const before = await verifyLog({ log: spec });
    assert.equal(before.facts.fault, null);
    assert.match(before.log!, /^postgres:\/\/127\.0\.0\.1:\d+$/);

    const [whole, old] = [newPath('whole.zst'), newPath('old.zst')];
    const exporting = exportLog({ log: spec, out: whole });
    const archiving = exporting.then(() => archiveLog({ log: spec, out: old, keep: 'snapshot' }));
    await venue.append(venue.order(ALICE, 'sell'));
    await venue.append(venue.order(BOB, 'buy'));
    assert.ok('toSeq' in (await archiving));
    await venue.append(venue.order(BOB, 'buy'));

    const to = before.facts.entries!.toSeq;
    assert.equal((await verifyLog({ archives: [whole], to })).reportDigest, before.reportDigest);
    assert.equal((await verifyLog({ archives: [old], log: spec, to })).reportDigest, before.reportDigest);
    const { facts } = await verifyLog({ archives: [old], log: spec });
    assert.deepEqual([facts.fault, facts.entries!.toSeq], [null, venue.state.seq]);
    await venue.stop();
  });
});
