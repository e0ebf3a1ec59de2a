import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeLog } from '../test/behaviour.ts';
import { MemoryStore, openMemoryLog } from './memory.ts';

describeLog('memory log', async () => {
  const store = new MemoryStore();
  return {
    open: (now) => openMemoryLog(now ? { store, now } : { store }),
    remove: async () => {},
    lose: async (seq) => {
      store.entries[seq - 1] = { ...store.entries[seq - 1]!, seq: 0 };
    },
    damage: async (seq) => {
      store.entries[seq - 1] = { ...store.entries[seq - 1]!, body: Buffer.from('{}') };
    },
  };
});

test('a memory log works within one turn of the event loop', async () => {
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  const log = await openMemoryLog({ now: () => 1 });
  await log.append(Array(10_000).fill({ kind: 'note', body: Buffer.from('{}') }));
  let count = 0;
  await log.follow(1, (entries) => (count += entries.length)).caughtUp;
  await log.close();
  assert.deepEqual([turned, count], [false, 10_000]);
});

test('a stored entry does not change with the bytes that were passed in or handed out', async () => {
  const store = new MemoryStore();
  const body = Buffer.from('{"n":1}');
  const log = await openMemoryLog({ store });
  await log.append([{ kind: 'note', body }]);
  body.fill(0);
  await log.follow(1, (entries) => entries[0]!.body.fill(1)).caughtUp;
  const read: string[] = [];
  await log.follow(1, (entries) => void read.push(Buffer.from(entries[0]!.body).toString())).caughtUp;
  assert.deepEqual(read, ['{"n":1}']);
});
