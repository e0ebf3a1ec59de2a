// @seconds 5

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer, skipWithoutPostgres } from '../../test/postgres-server.ts';
import { PostgresConnection } from './connection.ts';
import { PostgresLink } from './link.ts';
import { parsePostgresUrl } from './url.ts';

const STALLED_MS = 60_000;
const stalled = <T>(text: T) => sleep(STALLED_MS, text, { ref: false });

describe('PostgreSQL link', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
  });
  after(() => server.remove());

  test('closing in the middle of a reconnect completes, and leaves no connection behind', async () => {
    const opened: PostgresConnection[] = [];
    let sessions = 0;
    const takingUp = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const link = new PostgresLink({
      targets: parsePostgresUrl(server.url()),
      connect: async (options) => {
        const connection = await PostgresConnection.open(options);
        opened.push(connection);
        return connection;
      },
      prepare: async () => {},
      onUp: async () => {
        sessions += 1;
        if (sessions === 1) return;
        takingUp.resolve();
        await goOn.promise;
      },
      onFailed: (error) => assert.fail(error),
      onWarning: () => {},
    });
    await link.open(STALLED_MS);
    link.drop('as a test');
    await takingUp.promise;
    const closed = link.close().then(() => 'closed');
    goOn.resolve();
    assert.equal(await Promise.race([closed, stalled('stalled')]), 'closed');
    assert.equal(link.current, undefined);
    assert.equal(opened.length, 6);
    await Promise.all(opened.map(({ lost }) => lost));
  });

  test('a connection that opens after its attempt has failed is not left open', async () => {
    const goOn = Promise.withResolvers<void>();
    const late = Promise.withResolvers<PostgresConnection>();
    let opened = 0;
    const link = new PostgresLink({
      targets: parsePostgresUrl(server.url()),
      connect: async (options) => {
        opened += 1;
        if (opened === 2) throw new Error('as a test');
        const connection = await PostgresConnection.open(options);
        if (opened < 3) return connection;
        await goOn.promise;
        late.resolve(connection);
        return connection;
      },
      prepare: async () => {},
      onUp: () => {},
      onFailed: (error) => assert.fail(error),
      onWarning: () => {},
    });
    await assert.rejects(link.open(0), /as a test/);
    goOn.resolve();
    const { lost } = await late.promise;
    assert.equal(await Promise.race([lost, stalled('still open')]), 'not used');
    await (await late.promise).close();
    await link.close();
  });
});
