import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptStorage, refusedStorage } from '../../test/kept-storage.ts';
import { membersOf, readKept, writeKept } from './kept.ts';
import { keptStore } from './kept-store.ts';

test('TERM-17: what is kept is found again, and what is no JSON counts as nothing', () => {
  const storage = keptStorage();
  assert.ok(writeKept(() => storage, 'one', { qty: '1' }));
  assert.deepEqual(
    readKept(() => storage, 'one'),
    { qty: '1' },
  );
  assert.ok(writeKept(() => storage, 'one', null));
  assert.deepEqual([...storage.values], []);
  for (const text of ['', '{', 'null'])
    assert.equal(
      readKept(() => keptStorage({ one: text }), 'one'),
      null,
      text,
    );
  for (const value of [null, 7, 'x', true]) assert.deepEqual(membersOf(value), {});
});

test('TERM-17: a storage that is full or refuses stops nothing', () => {
  const storage = keptStorage({ one: '1' });
  storage.isFull = true;
  assert.equal(
    writeKept(() => storage, 'one', 2),
    false,
  );
  assert.equal(
    readKept(() => storage, 'one'),
    1,
  );
  assert.equal(writeKept(refusedStorage, 'one', 2), false);
  assert.equal(readKept(refusedStorage, 'one'), null);
});

const counter = (storage: () => ReturnType<typeof keptStorage>) =>
  keptStore<{ readonly count: number }>({
    storage,
    name: 'count',
    usable: ({ count }) => ({ count: typeof count === 'number' ? count : 0 }),
  });

test('a store goes on where the last visit left it, out of what is usable', () => {
  const storage = keptStorage();
  counter(() => storage).setState({ count: 3 });
  assert.equal(counter(() => storage).getState().count, 3);
  for (const kept of ['', '[', '7', '{"state":7,"version":1}', '{"state":{"count":"3"},"version":1}'])
    assert.equal(counter(() => keptStorage({ count: kept })).getState().count, 0, kept);
});

test('a store of another form counts as nothing', (t) => {
  t.mock.method(console, 'error', () => {});
  const kept = { count: '{"state":{"count":3},"version":2}' };
  assert.equal(counter(() => keptStorage(kept)).getState().count, 0);
});

test('a store that is not kept lasts as long as the page, and says so', () => {
  const full = keptStorage();
  full.isFull = true;
  for (const storage of [refusedStorage, () => full]) {
    const store = counter(storage);
    assert.equal(store.setState({ count: 4 }), false);
    void store.persist.rehydrate();
    assert.equal(store.getState().count, storage === refusedStorage ? 4 : 0);
  }
});
