// @seconds 12

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FEED_TOKEN, type Json, type OpenSession, openSession, signIn, Venue } from '../test/support.ts';

const PROGRAM = fileURLToPath(new URL('../test/program.ts', import.meta.url));

function launch(cwd: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [PROGRAM], {
    cwd,
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      VENUE_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('the exchange as a process', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-main-'));
  });
  after(() => rm(folder, { recursive: true }));

  const children: ChildProcess[] = [];
  after(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const run = (env: Record<string, string>): ChildProcess => {
    const child = launch(folder, env);
    children.push(child);
    return child;
  };

  it('prints one start line, serves, and exits with 0 on a signal', async () => {
    const child = run({ VENUE_LOG: `sqlite:${folder}/run.db` });
    const line = await startLine(child);
    assert.match(
      line,
      /^exchange listening on http:\/\/127\.0\.0\.1:\d+ \| mode paper \| signing optional \| /,
    );
    assert.match(line, / \| log sqlite:.*run\.db \| verification (native|javascript)$/);
    const url = /http:\S+/.exec(line)![0];
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    child.kill('SIGTERM');
    const { code, stdout } = await ended(child);
    assert.deepEqual([code, stdout.trim().split('\n').length], [0, 1]);
  });

  it('stops once, and cleanly, when the signal is repeated', async () => {
    const child = run({ VENUE_LOG: `sqlite:${folder}/echo.db` });
    await startLine(child);
    child.kill('SIGINT');
    await sleep(2);
    child.kill('SIGINT');
    assert.equal((await ended(child)).code, 0);
  });

  it('refuses to start with one line and exit code 1', async () => {
    await writeFile(
      join(folder, 'text.db'),
      'this is not a database, only a text file that is long enough to tell',
    );
    const taken = run({ VENUE_LOG: `sqlite:${folder}/taken.db` });
    const [, port] = /:(\d+) /.exec(await startLine(taken))!;
    const REFUSALS: [Record<string, string>, RegExp][] = [
      [{ VENUE_PORT: 'abc' }, /^venue: VENUE_PORT must be an integer from 0 to 65535, not "abc"\n$/],
      [{ VENUE_PORT: port! }, /^venue: 127\.0\.0\.1:\d+ is in use; set VENUE_PORT to another port\n$/],
      [{ VENUE_HOST: '192.0.2.1' }, /^venue: VENUE_HOST is no address of this machine .*\n$/],
      [{ VENUE_LOG: `sqlite:${folder}/taken.db` }, /^venue: .*in use.*\n$/],
      [{ VENUE_LOG: `sqlite:${folder}/text.db` }, /^venue: .*text\.db.*\n$/],
      [{ VENUE_LOG: `sqlite:${folder}/text.db/venue.db` }, /^venue: .*text\.db.*\n$/],
      [
        { VENUE_LOG: `sqlite:${folder}/run.db`, VENUE_MARGIN_PREMIUM: 'intrinsic' },
        /^venue: .*marginPremium.*\n$/,
      ],
    ];
    for (const [env, message] of REFUSALS) {
      const { code, stdout, stderr } = await ended(
        run({ VENUE_LOG: `sqlite:${folder}/fresh.db`, VENUE_LOG_LEVEL: 'warn', ...env }),
      );
      assert.match(stderr, message);
      assert.deepEqual([code, stdout], [1, '']);
    }
    taken.kill('SIGTERM');
    await ended(taken);
  });
});

describe('after kill -9', () => {
  it('everything acknowledged is there, and no signature can be spent again (SIG-4, KEY-2)', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'venue-kill-'));
    const children: ChildProcess[] = [];
    t.after(async () => {
      for (const child of children) child.kill('SIGKILL');
      await rm(folder, { recursive: true });
    });
    const start = async () => {
      const child = launch(folder, {
        VENUE_LOG: `sqlite:${folder}/venue.db`,
        VENUE_FEED_TOKEN: FEED_TOKEN,
        VENUE_MAINTENANCE_MS: '500',
      });
      children.push(child);
      const [url] = /http:\S+/.exec(await startLine(child))!;
      return { child, venue: new Venue(url) };
    };

    const first = await start();
    await first.venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    const { seriesId } = await first.venue.listed('BTC');
    const alice = await openSession(first.venue);
    const { posts, acknowledged } = await tradeUntilKilled(first, alice, seriesId);
    assert.ok(acknowledged.length >= 20);

    const second = await start();
    const { token } = await signIn(second.venue, alice.wallet);
    const after = async () => (await second.venue.get('/v1/me', { token })).body;
    const me = await after();
    const kept = new Set(me.openOrders.map(({ id }: Json) => id));
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id)),
      [],
    );
    for (const { path, body } of posts) {
      const { status, body: answer } = await second.venue.post(path, body);
      assert.deepEqual([status, answer.error], [401, 'nonce already used']);
    }
    assert.deepEqual(await after(), me);
    assert.equal((await second.venue.get('/v1/me', { token: alice.token })).status, 401);
  });
});

/** Places orders without pause, kills the process midway, and returns the answers. */
async function tradeUntilKilled(
  { venue, child }: { venue: Venue; child: ChildProcess },
  alice: OpenSession,
  seriesId: string,
) {
  const posts: { path: string; body: unknown }[] = [];
  const acknowledged: number[] = [];
  const trade = async (): Promise<void> => {
    for (;;) {
      const body = await alice.order({ seriesId, side: 'buy', qty: 1, price: 1 });
      const reply = await venue.post('/v1/order', body).catch(() => null);
      if (reply === null) return;
      posts.push({ path: '/v1/order', body });
      acknowledged.push(reply.body.orderId);
      if (acknowledged.length === 40) child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 4 }, trade));
  return { posts, acknowledged };
}

const outputs = new WeakMap<ChildProcess, { stdout: string; stderr: string }>();

function outputOf(child: ChildProcess) {
  const known = outputs.get(child);
  if (known) return known;
  const output = { stdout: '', stderr: '' };
  outputs.set(child, output);
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]!.on('data', (data) => (output[stream] += data));
  return output;
}

async function startLine(child: ChildProcess): Promise<string> {
  const output = outputOf(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', () => output.stdout.includes('\n') && resolve());
    child.on('exit', () => reject(new Error(output.stderr)));
  });
  return output.stdout.trim();
}

async function ended(child: ChildProcess): Promise<Ended> {
  const output = outputOf(child);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...output };
}
