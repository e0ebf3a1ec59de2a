/** How `venue up` starts, watches and stops its processes, and how it refuses to start. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freePort, isAlive, Launched, type LaunchOptions } from './launched.ts';

const OPEN = /The exchange is open at/;
const STOPPED_IN_ORDER = /\[maker\] stopped\n(.*\n)*\[feed\] stopped\n/;
const STOP_LIMIT_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'venue-up-'));
const all: Launched[] = [];
after(() => {
  for (const launched of all) launched.end();
  rmSync(folder, { recursive: true, force: true });
});

function launch(words: readonly string[], options: LaunchOptions): Launched {
  const launched = new Launched(words, options);
  all.push(launched);
  return launched;
}

async function market(options: Partial<LaunchOptions> = {}): Promise<Launched> {
  const port = await freePort();
  const env = {
    VENUE_PORT: `${port}`,
    VENUE_LOG: `sqlite:${join(folder, `${port}`, 'venue.db')}`,
    VENUE_MAINTENANCE_MS: '500',
  };
  const launched = launch(['up'], { env, ...options });
  await launched.says(OPEN);
  return launched;
}

function assertGone(pids: ReadonlyMap<string, number>): void {
  for (const [word, pid] of pids) assert.equal(isAlive(pid), false, `${word} still runs`);
}

describe('venue up', () => {
  test('SIGTERM to npm stops maker, feed and exchange, in that order', async () => {
    const launched = await market({ npm: true });
    const pids = launched.descendants();
    for (const word of ['up', 'exchange', 'feed', 'maker']) assert.ok(pids.has(word), `${word} runs`);
    launched.process.kill('SIGTERM');
    await launched.exits(STOP_LIMIT_MS);
    assertGone(pids);
    assert.match(launched.output, STOPPED_IN_ORDER);
    assert.doesNotMatch(launched.output, /[0-9a-f]{64}/, 'no secret is printed');
  });

  test('Ctrl-C reaches the whole foreground group, and twice through npm: still one clean stop', async () => {
    const launched = await market();
    const pids = launched.descendants();
    launched.process.kill('SIGINT');
    launched.process.kill('SIGINT');
    assert.equal(await launched.exits(STOP_LIMIT_MS), 0);
    assertGone(pids);
    assert.match(launched.output, STOPPED_IN_ORDER);
  });

  test('a part that does not stop is ended, within the 10 s', async () => {
    const launched = await market();
    const pids = launched.descendants();
    process.kill(pids.get('maker')!, 'SIGSTOP');
    launched.process.kill('SIGTERM');
    assert.equal(await launched.exits(STOP_LIMIT_MS), 0);
    assertGone(pids);
  });

  test('a second Ctrl-C, later than an echo of the first, ends everything at once', async () => {
    const launched = await market();
    const pids = launched.descendants();
    process.kill(pids.get('exchange')!, 'SIGSTOP');
    launched.process.kill('SIGINT');
    await sleep(1_100);
    launched.process.kill('SIGINT');
    assert.equal(await launched.exits(3_000), 1);
    assertGone(pids);
  });

  test('killed with -9 it leaves nothing behind', async () => {
    const launched = await market();
    const pids = launched.descendants();
    launched.process.kill('SIGKILL');
    await eventually('no orphans', () => [...pids.values()].every((pid) => !isAlive(pid)), STOP_LIMIT_MS);
  });

  test('a feed or maker that dies is said to have died and is started again', async () => {
    const launched = await market();
    for (const word of ['feed', 'maker']) {
      const pid = launched.descendants().get(word)!;
      process.kill(pid, 'SIGKILL');
      await launched.says(new RegExp(`^venue: ${word} ended unexpectedly \\(signal SIGKILL\\)`, 'm'));
      await eventually(`a new ${word}`, () => (launched.descendants().get(word) ?? pid) !== pid);
    }
    launched.process.kill('SIGTERM');
    assert.equal(await launched.exits(STOP_LIMIT_MS), 0);
  });
});

describe('a refusal to start is one line and exit code 1', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'this is no database, and no folder either\n'.repeat(1_000));

  for (const word of ['up', 'exchange']) {
    test(`${word}: port in use`, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await refuses([word], { VENUE_PORT: `${port}` }, new RegExp(`127\\.0\\.0\\.1:${port} is in use`));
      server.close();
    });

    test(`${word}: data folder that cannot be made`, () =>
      refuses([word], { VENUE_LOG: `sqlite:${file}/venue.db` }, /folder .*file cannot be made/));

    test(`${word}: a file that is no database`, () =>
      refuses([word], { VENUE_LOG: `sqlite:${file}` }, /file/));

    test(`${word}: wrong variable`, () =>
      refuses([word], { VENUE_PORT: 'abc' }, /VENUE_PORT must be an integer from 0 to 65535, not "abc"/));
  }

  test('up: wrong variable of a client', () =>
    refuses(['up'], { VENUE_FEED_TICK_MS: 'fast' }, /VENUE_FEED_TICK_MS .*"fast"/));

  test('feed and maker: no secret', async () => {
    await refuses(['feed'], {}, /VENUE_FEED_TOKEN is not set/);
    await refuses(['maker'], {}, /VENUE_MAKER_TOKEN is not set/);
  });

  test('feed: a recording with a bad line', async () => {
    const path = join(folder, 'bad.csv');
    writeFileSync(path, 'ts,symbol,source,price\n1000,BTC,a,-1\n');
    await refuses(['feed', '--replay', path], { VENUE_FEED_TOKEN: 'secret' }, /bad\.csv:2: price/);
  });

  async function refuses(
    words: readonly string[],
    env: Record<string, string>,
    message: RegExp,
  ): Promise<void> {
    const safe = {
      VENUE_PORT: '0',
      VENUE_LOG: `sqlite:${join(folder, 'refused.db')}`,
      VENUE_LOG_LEVEL: 'warn',
    };
    const launched = launch(words, { env: { ...safe, ...env } });
    assert.equal(await launched.exits(20_000), 1);
    assert.equal(launched.lines.length, 1, launched.output);
    assert.match(launched.lines[0]!, message);
  }
});
