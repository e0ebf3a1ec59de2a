import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import type { WebSocket } from 'ws';
import { Inbox } from './inbox.ts';

describe('the requests of a connection', () => {
  it('are carried out one after another, while the connection is not read', async (t) => {
    const { send, done, isPaused, finish } = inboxOf(t);
    send('a', 'b', 'c');
    await settled();
    assert.deepEqual([done, isPaused()], [['a'], true]);
    for (const expected of ['a b', 'a b c', 'a b c']) {
      finish();
      await settled();
      assert.equal(done.join(' '), expected);
    }
    assert.equal(isPaused(), false);
  });

  it('are read later when there are more than 64 batches, and five more a second: none is refused (VEN-2)', async (t) => {
    const { send, done, isPaused, pass, finishAll } = inboxOf(t);
    finishAll();
    send(...Array.from({ length: 70 }, (_, i) => `batch ${i}`), 'ping');
    await settled();
    assert.deepEqual([done.length, isPaused()], [64, true]);
    await pass(199);
    assert.equal(done.length, 64);
    await pass(1);
    assert.equal(done.length, 65);
    for (let i = 0; i < 5; i++) await pass(200);
    assert.deepEqual(done.slice(68), ['batch 68', 'batch 69', 'ping']);
    assert.equal(isPaused(), false);
  });

  it('are read later when they come by the thousand', async (t) => {
    const { send, done, pass, finishAll } = inboxOf(t);
    finishAll();
    send(...Array.from({ length: 3_000 }, () => 'ping'));
    await settled();
    assert.ok(done.length > 1_900 && done.length < 2_049, `${done.length} at once`);
    for (let i = 0; done.length < 3_000 && i < 6_000; i++) await pass(5);
    assert.equal(done.length, 3_000);
  });

  it('count for more where many rows are written for them, and for no more than there can be', async (t) => {
    const { send, done, pass, finishAll } = inboxOf(t);
    finishAll();
    send(...Array.from({ length: 100 }, () => 'rows 496'));
    await settled();
    assert.deepEqual(done.length, 63, 'each counts for 32');
    await pass(1_000);
    assert.equal(done.length, 71);
    send('rows 1000000', 'ping');
    for (let i = 0; i < 12; i++) await pass(1_000);
    assert.deepEqual(done.slice(-2), ['rows 1000000', 'ping']);
  });

  it('wait for a client that does not read its answers, which is no sign of life', async (t) => {
    const { send, done, pass, finishAll, stuck, heard } = inboxOf(t);
    finishAll();
    stuck(true);
    send('a');
    await settled();
    for (let i = 0; i < 10; i++) await pass(50);
    assert.deepEqual([done, heard()], [[], 0]);
    stuck(false);
    await pass(50);
    assert.deepEqual(done, ['a']);
  });

  it('hold no more than a megabyte while they wait, however small they were sent (STR-3)', async (t) => {
    const { send, done, finish, isPaused, closedWith } = inboxOf(t);
    const long = ' '.repeat(65_536);
    send('a', ...Array.from({ length: 16 }, () => long));
    await settled();
    assert.deepEqual([done, closedWith()], [['a'], null]);
    send(long, 'b');
    assert.equal(closedWith(), 1008);
    finish();
    await settled();
    send('c');
    await settled();
    assert.deepEqual([done, isPaused()], [['a'], true]);
  });

  it('end with the connection', async (t) => {
    const { send, done, finish, close } = inboxOf(t);
    send('a', 'b');
    await settled();
    close();
    finish();
    await settled();
    assert.deepEqual(done, ['a']);
  });
});

/** Lets everything happen that waits for no timer. */
async function settled(): Promise<void> {
  for (let i = 0; i < 12; i++) await new Promise((resolve) => setImmediate(resolve));
}

function inboxOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let ms = 0;
  let isPaused = false;
  let isStuck = false;
  let closedWith: number | null = null;
  let heard = 0;
  let isEager = false;
  const done: string[] = [];
  const finishing: (() => void)[] = [];
  const socket = Object.assign(new EventEmitter(), {
    ...{ readyState: 1, OPEN: 1 },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
    close: (code: number) => {
      closedWith = code;
    },
  });
  new Inbox<string>({
    socket: socket as unknown as WebSocket,
    elapsedMs: () => ms,
    read: (bytes) => String(bytes),
    isBatch: (request) => request.startsWith('batch'),
    rowsOf: (request) => (request.startsWith('rows ') ? Number(request.slice(5)) : 0),
    carryOut: async (request) => {
      done.push(request);
      if (!isEager) await new Promise<void>((resolve) => finishing.push(resolve));
    },
    isStuck: () => isStuck,
    onHeldBack: () => {
      heard += 1;
    },
  });
  return {
    done,
    send: (...texts: string[]) => {
      for (const text of texts) socket.emit('message', Buffer.from(text), false);
    },
    isPaused: () => isPaused,
    closedWith: () => closedWith,
    heard: () => heard,
    stuck: (is: boolean) => {
      isStuck = is;
    },
    finish: () => finishing.shift()?.(),
    finishAll: () => {
      isEager = true;
    },
    close: () => {
      socket.readyState = 2;
    },
    pass: async (elapsed: number) => {
      ms += elapsed;
      t.mock.timers.tick(elapsed);
      await settled();
    },
  };
}
