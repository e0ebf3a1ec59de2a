// @seconds 5

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { Connect, Connection, Statement } from './connection.ts';
import { surveyServers } from './survey.ts';
import type { Timeline } from './timeline.ts';

/** A server as seen by a survey. */
interface FakeServer {
  readonly role: 'primary' | 'standby';
  readonly cluster?: string;
  readonly timeline: number;
  /** The timeline that a node has written into that server's log. */
  readonly written?: string;
  /** The delay before it answers. */
  readonly delayMs?: number;
}

async function survey(servers: Readonly<Record<string, FakeServer | 'down'>>, remembered?: Timeline) {
  const open = new Set<string>();
  const connect: Connect = async ({ target: { name } }) => {
    const server = servers[name]!;
    if (server === 'down') throw new Error('ECONNREFUSED');
    await sleep(server.delayMs ?? 0, undefined, { ref: false });
    open.add(name);
    const destroy = () => void open.delete(name);
    const query = async (statement: Statement | string) => rowsOf(server, statement);
    return { query, destroy } as unknown as Connection;
  };
  const targets = Object.keys(servers).map((name) => ({ name, connectionString: '' }));
  const { primaries, rejected } = await surveyServers(targets, { connect, remembered });
  return {
    primaries: primaries.map(({ target }) => target.name),
    rejected: rejected.map(({ target, cause }) => `${target.name} ${(cause as Error).message}`),
    open: [...open],
  };
}

function rowsOf({ role, cluster = 'c', timeline, written }: FakeServer, statement: Statement | string) {
  const text = typeof statement === 'string' ? statement : statement.text;
  if (text.startsWith('SELECT pg_is_in_recovery()')) return [[role === 'standby', 'off']];
  if (text.startsWith('SELECT system_identifier')) {
    if (timeline === 0)
      throw Object.assign(new DatabaseError('no such function', 0, 'error'), { code: '42883' });
    return [[cluster, timeline]];
  }
  if (text.startsWith('SELECT value FROM meta')) return written === undefined ? [] : [[written]];
  return [];
}

const OLD = { role: 'primary', timeline: 1, written: 'c/1' } as const;
const PROMOTED = { role: 'primary', timeline: 2, written: 'c/1' } as const;
const FOLLOWER = { role: 'standby', timeline: 2 } as const;

test('PG-2: of two servers that accept writes, the promoted one is used, even if it answers later', async () => {
  const { primaries, rejected, open } = await survey({
    old: OLD,
    promoted: { ...PROMOTED, delayMs: 50 },
    gone: 'down',
  });
  assert.deepEqual([primaries, open], [['promoted'], ['promoted']]);
  assert.deepEqual(rejected, [
    'gone ECONNREFUSED',
    'old takes writes on timeline 1, and the log is on timeline 2: it was replaced, and must not run as a primary',
  ]);
});

test('PG-2: a server is not used if a standby, its own log, or this node knows that it was replaced', async () => {
  const isRefused = async (servers: Parameters<typeof survey>[0], remembered?: Timeline) => {
    const { primaries, open } = await survey(servers, remembered);
    assert.deepEqual([primaries, open], [[], []]);
  };
  await isRefused({ old: OLD, follower: FOLLOWER, gone: 'down' });
  await isRefused({ old: OLD, follower: { role: 'standby', timeline: 1, written: 'c/2' }, gone: 'down' });
  await isRefused({ old: { ...OLD, written: 'c/2' } });
  await isRefused({ old: OLD }, { cluster: 'c', number: 2 });
  await isRefused({ other: { ...PROMOTED, cluster: 'd' } }, { cluster: 'c', number: 1 });
  await isRefused({ one: PROMOTED, other: { ...PROMOTED, cluster: 'd' } });
});

test('PG-2: a restored log, two names of one server, and a system without timelines are used', async () => {
  const used = async (servers: Parameters<typeof survey>[0]) => (await survey(servers)).primaries;
  assert.deepEqual(await used({ restored: { role: 'primary', timeline: 1, written: 'elsewhere/7' } }), [
    'restored',
  ]);
  assert.deepEqual(await used({ name: OLD, address: OLD }), ['name', 'address']);
  assert.deepEqual(await used({ other: { role: 'primary', timeline: 0 } }), ['other']);
});

test('a server that does not answer in time delays nobody, and is ignored afterwards', async () => {
  const beganMs = performance.now();
  const { primaries, rejected } = await survey({ one: PROMOTED, hangs: { ...PROMOTED, delayMs: 90_000 } });
  assert.ok(performance.now() - beganMs < 60_000);
  assert.deepEqual([primaries, rejected], [['one'], ['hangs no answer in time']]);
});
