import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createDatabase, PostgresServer, skipWithoutPostgres } from '../../../log/test/postgres-server.ts';
import { SignedLog, trade } from '../../test/signed-log.ts';
import { verifyLog } from './verify.ts';

describe('a head in PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  let database: string;
  let venue: SignedLog;

  before(async () => {
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
  });
  after(() => server.remove());

  beforeEach(async () => {
    database = await createDatabase(server);
    venue = await SignedLog.open('paper', server.url(database));
    await trade(venue);
    await venue.stop();
  });

  async function faultAfter(sql: string): Promise<string | undefined> {
    await server.sql(sql, database);
    return (await verifyLog({ log: venue.spec })).facts.fault?.message;
  }

  it('is the end of the last batch', async () => {
    assert.equal(await faultAfter('UPDATE head SET seq = seq'), undefined);
  });

  it('that was set back is named, as every append would meet what is there', async () => {
    const { seq } = venue.state;
    const batches = await server.sql('SELECT last_seq FROM batch ORDER BY first_seq DESC LIMIT 2', database);
    const earlier = Number(batches[1]![0]);
    const behind = `the log goes on to entry ${seq}, and its head says that entry ${earlier} is the last`;
    assert.equal(await faultAfter(`UPDATE head SET seq = ${earlier}`), behind);
    const sealed = `UPDATE head SET hash = (SELECT hash FROM batch WHERE last_seq = ${earlier})`;
    assert.equal(await faultAfter(sealed), behind);
    assert.equal(
      await faultAfter(`UPDATE head SET seq = ${seq - 1}`),
      `the head of the log says that entry ${seq - 1} is the last, and its batch goes on to entry ${seq}`,
    );
  });

  it('that was set forward, or has another hash, is named', async () => {
    const { seq } = venue.state;
    assert.equal(
      await faultAfter('UPDATE head SET seq = seq + 5'),
      `the head of the log says that entry ${seq + 5} is the last, and entry ${seq + 1} is missing`,
    );
    assert.equal(
      await faultAfter(`UPDATE head SET seq = seq - 5, hash = decode(repeat('ab', 32), 'hex')`),
      `the head of the log has another hash than entry ${seq}, the last`,
    );
  });
});
