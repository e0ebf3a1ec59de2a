import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { WaitingLine } from './waiting-line.ts';

test('a line runs the tasks of one caller one at a time, in order of arrival', async () => {
  const line = new WaitingLine(10);
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} in`);
    await turn();
    seen.push(`${name} out`);
    return name;
  };
  const results = await Promise.all([
    line.run('alice', task('a')),
    line.run('alice', task('b')),
    line.run('alice', task('c')),
  ]);
  assert.deepEqual(results, ['a', 'b', 'c']);
  assert.deepEqual(seen, ['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

test('a full queue refuses immediately and accepts again later', async () => {
  const line = new WaitingLine(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const inside = line.run('alice', () => promise);
  const waiting = line.run('alice', async () => 'waited');
  assert.equal(await line.run('alice', async () => 'no room'), null);
  resolve('done');
  assert.deepEqual(await Promise.all([inside, waiting]), ['done', 'waited']);
  assert.equal(await line.run('alice', async () => 'room'), 'room');
});

test('a failing task rejects its own promise and does not delay the others', async () => {
  const line = new WaitingLine(2);
  const failing = line.run('alice', async () => {
    throw new Error('broken');
  });
  const next = line.run('alice', async () => 'next');
  await assert.rejects(failing, /broken/);
  assert.equal(await next, 'next');
});

test('a line takes one task of everybody who waits before a second of anybody', async () => {
  const line = new WaitingLine(10);
  const seen: string[] = [];
  const run = (whose: string, name: string) => line.run(whose, async () => void seen.push(name));
  const asked = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => run(name[0]!, name));
  await Promise.all(asked);
  assert.deepEqual(seen, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('a full line refuses the newest task of the client with most, and no newcomer for it', async () => {
  const line = new WaitingLine(3);
  const seen: string[] = [];
  const run = async (whose: string, name: string) => {
    const result = await line.run(whose, async () => name);
    seen.push(result ?? `no ${name}`);
  };
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1'].map((name) => run(name[0]!, name)));
  assert.deepEqual(seen.filter((one) => one.startsWith('no')).sort(), ['no a3', 'no a4', 'no d1']);
  assert.deepEqual(
    seen.filter((one) => !one.startsWith('no')),
    ['a1', 'a2', 'b1', 'c1'],
  );
});
