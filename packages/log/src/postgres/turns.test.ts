import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause } from '../../test/behaviour-tools.ts';
import { Turns } from './turns.ts';

test('tasks run one after the other, even after one has failed', async () => {
  const turns = new Turns();
  const events: string[] = [];
  const work = (name: string, ms: number) => async () => {
    events.push(`${name} begins`);
    await pause(ms);
    events.push(`${name} ends`);
    if (name === 'b') throw new Error('b fails');
    return name;
  };
  const results = await Promise.allSettled([
    turns.take(work('a', 20)),
    turns.take(work('b', 1)),
    turns.take(work('c', 1)),
  ]);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    ['a', 'b fails', 'c'],
  );
  assert.deepEqual(events, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});
