import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { WaitingLine } from './waiting-line.ts';

test('a line runs its tasks one at a time, in order of arrival', async () => {
  const line = new WaitingLine(10);
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} in`);
    await turn();
    seen.push(`${name} out`);
    return name;
  };
  const results = await Promise.all([line.run(task('a')), line.run(task('b')), line.run(task('c'))]);
  assert.deepEqual(results, ['a', 'b', 'c']);
  assert.deepEqual(seen, ['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

test('a full queue refuses immediately and accepts again later', async () => {
  const line = new WaitingLine(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const inside = line.run(() => promise);
  const waiting = line.run(async () => 'waited');
  assert.equal(await line.run(async () => 'no room'), null);
  resolve('done');
  assert.deepEqual(await Promise.all([inside, waiting]), ['done', 'waited']);
  assert.equal(await line.run(async () => 'room'), 'room');
});

test('a failing task rejects its own promise and does not delay the others', async () => {
  const line = new WaitingLine(2);
  const failing = line.run(async () => {
    throw new Error('broken');
  });
  const next = line.run(async () => 'next');
  await assert.rejects(failing, /broken/);
  assert.equal(await next, 'next');
});
