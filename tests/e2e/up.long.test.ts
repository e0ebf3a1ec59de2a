/** How `venue up` starts, watches and stops its processes, and refuses to start. */

// @seconds 40

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { VenueClient } from '@venue/sdk';
import {
  eventually,
  isAlive,
  Launched,
  type LaunchOptions,
  QUOTES_STAND,
  runExample,
  SMALL_MARKET,
} from './launched.ts';

/** By these lines, feed and maker have installed their signal handlers. */
const RUNNING = [/\[feed\] simulating/, /\[maker\] quoting on/];
const STOPPED_IN_ORDER = /\[maker\] stopped\n(.*\n)*\[feed\] stopped\n/;
/** Printed after three seconds, which a loaded machine may need before it refuses. */
const STILL_STARTING = 'venue: the exchange is still starting; it reads its log first';

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

/** A `venue up` that has printed all the expected lines. */
async function started(
  options: Partial<LaunchOptions> = {},
  said: readonly RegExp[] = RUNNING,
): Promise<Launched> {
  const { env, ...rest } = options;
  const own = {
    VENUE_PORT: '0',
    VENUE_LOG: `sqlite:${join(folder, `${all.length}`, 'venue.db')}`,
    ...SMALL_MARKET,
    ...env,
  };
  const launched = launch(['up'], { env: own, ...rest });
  for (const pattern of said) await launched.says(pattern);
  return launched;
}

function assertGone(pids: ReadonlyMap<string, number>): void {
  for (const [word, pid] of pids) assert.equal(isAlive(pid), false, `${word} still runs`);
}

describe('venue up', () => {
  test('SIGTERM to npm stops maker, feed and exchange, in that order', async () => {
    const launched = await started({ npm: true }, [QUOTES_STAND]);
    const pids = launched.descendants();
    for (const word of ['up', 'exchange', 'feed', 'maker']) assert.ok(pids.has(word), `${word} runs`);
    launched.process.kill('SIGTERM');
    await launched.exits();
    assertGone(pids);
    assert.match(launched.output, STOPPED_IN_ORDER);
    assert.doesNotMatch(launched.output, /[0-9a-f]{64}/, 'no secret is printed');
  });

  test('Ctrl-C reaches the whole foreground group, and twice through npm: still a single clean stop', async () => {
    const launched = await started({ npm: true });
    const pids = launched.descendants();
    launched.interrupt();
    await launched.exits();
    assertGone(pids);
    assert.match(launched.output, STOPPED_IN_ORDER);
  });

  test('a signal and its echo 2 ms later are one clean stop', async () => {
    const launched = await started();
    const pids = launched.descendants();
    launched.process.kill('SIGINT');
    await sleep(2);
    launched.process.kill('SIGINT');
    assert.equal(await launched.exits(), 0);
    assertGone(pids);
    assert.match(launched.output, STOPPED_IN_ORDER);
  });

  test('a second Ctrl-C, later than an echo of the first, ends everything immediately', async () => {
    const launched = await started();
    const pids = launched.descendants();
    process.kill(pids.get('exchange')!, 'SIGSTOP');
    launched.process.kill('SIGINT');
    // The interval between the two is measured on arrival, and the first has arrived once the maker stops.
    await eventually('the first has arrived', () => !isAlive(pids.get('maker')!));
    await sleep(1_600);
    launched.process.kill('SIGINT');
    assert.equal(await launched.exits(), 1);
    assertGone(pids);
  });

  test('a feed or maker that dies is reported and restarted, and kill -9 of the command ends all', async () => {
    const launched = await started();
    for (const word of ['feed', 'maker']) {
      const pid = launched.descendants().get(word)!;
      process.kill(pid, 'SIGKILL');
      await launched.says(new RegExp(`^venue: ${word} ended unexpectedly \\(signal SIGKILL\\)`, 'm'));
      await eventually(`a new ${word}`, () => (launched.descendants().get(word) ?? pid) !== pid);
    }
    const pids = launched.descendants();
    launched.process.kill('SIGKILL');
    await eventually('no orphans', () => [...pids.values()].every((pid) => !isAlive(pid)));
  });
});

test('where every write must be signed, the maker still quotes and a signed order fills; a part that does not stop is killed', async () => {
  const launched = await started({ env: { VENUE_REQUIRE_SIGNED_ORDERS: '1' } }, [
    /signing required/,
    QUOTES_STAND,
  ]);
  const pids = launched.descendants();
  assert.deepEqual([...pids.keys()].sort(), ['exchange', 'feed', 'maker']);
  const [, url] = await launched.says(/exchange listening on (\S+)/);
  const { market } = new VenueClient({ url: url! });
  const days = await market.candles({ of: 'spot:BTC', interval: '1d' });
  assert.ok(days.length > 90 && days[0]!.simulated, 'the simulated market has a past (HIS-5)');
  const example = await runExample(url!);
  assert.deepEqual([example.status, example.stderr], [0, '']);
  process.kill(pids.get('maker')!, 'SIGSTOP');
  launched.process.kill('SIGTERM');
  assert.equal(await launched.exits(), 0);
  assertGone(pids);
});

describe('a refusal to start is one line and exit code 1', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'this is no database, and no folder either\n'.repeat(1_000));

  test('up: port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await refuses(['up'], { VENUE_PORT: `${port}` }, new RegExp(`127\\.0\\.0\\.1:${port} is in use`));
    } finally {
      server.close();
    }
  });

  test('up: a file that is no database', () => refuses(['up'], { VENUE_LOG: `sqlite:${file}` }, /file/));

  test('up: wrong variable', () =>
    refuses(['up'], { VENUE_PORT: 'abc' }, /VENUE_PORT must be an integer from 0 to 65535, not "abc"/));

  test('up: with real money every process has its own secrets', () =>
    refuses(
      ['up'],
      { VENUE_FUNDING_MODE: 'deposits' },
      /venue up runs a paper market; .* \(docs\/how-to\/run-custody\.md\)/,
    ));

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
    assert.equal(await launched.exits(), 1);
    const lines = launched.lines.filter((line) => line !== STILL_STARTING);
    assert.equal(lines.length, 1, launched.output);
    assert.match(lines[0]!, message);
  }
});
