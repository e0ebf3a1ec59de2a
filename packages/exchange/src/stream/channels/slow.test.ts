import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bookOf } from '../../../test/channels.ts';
import { type HeldClient, hubOnItsOwn } from '../../../test/hub-on-its-own.ts';
import type { Json } from '../../../test/support.ts';
import { CHANNEL_LIMITS } from './hub.ts';

describe('a client of the channels that does not read (STR-3)', () => {
  it('gets one delta with all that changed, once it reads again', (t) => {
    const { push, join, tick, name } = hubOnItsOwn(t);
    const [lively, slow] = [join(name), join(name)];
    tick();
    slow.isHeld = true;
    fill(slow, push, tick);
    const before = lively.messages.length;
    for (const prices of [[7], [7, 8], [8, 9]]) {
      push(prices);
      tick();
    }
    assert.equal(lively.messages.length, before + 3);
    slow.release();
    tick();
    assert.equal(slow.messages.length, before + 1);
    const last = slow.messages.at(-1)!;
    assert.deepEqual([last.type, last.prevSeq], ['delta', slow.messages.at(-2)!.seq]);
    assert.deepEqual(bookOf(slow.messages), bookOf(lively.messages));
    push([10]);
    tick();
    for (const { messages } of [lively, slow]) assertFollow(messages);
    assert.deepEqual(slow.messages.at(-1), lively.messages.at(-1));
  });

  it('gets a fresh snapshot once more than 256 kB would wait', (t) => {
    const { push, join, tick, name } = hubOnItsOwn(t);
    const [lively, slow] = [join(name), join(name)];
    tick();
    slow.isHeld = true;
    fill(slow, push, tick);
    for (let i = 0; i < 12; i++) {
      push(Array.from({ length: 2_000 }, (_, k) => i * 2_000 + k + 1));
      tick();
    }
    push([5]);
    tick();
    slow.release();
    tick();
    const { prevSeq: _, ...last } = lively.messages.at(-1)!;
    assert.deepEqual(slow.messages.at(-1), { ...last, type: 'snapshot', bids: [[5e-6, 1]], asks: [] });
  });

  it('gets no first message of a public channel before it has read what waits', (t) => {
    const { push, join, tick, name } = hubOnItsOwn(t);
    const slow = join(name);
    slow.isHeld = true;
    fill(slow, push, tick);
    slow.listen('spots');
    tick();
    slow.release();
    assert.ok(slow.messages.every(({ channel }) => channel === name));
    tick();
    assert.equal(slow.messages.at(-1)!.channel, 'spots');
  });

  it('is closed with 1013 when more than 256 kB of private messages wait, and only it', (t) => {
    const { join, tick, hub, state } = hubOnItsOwn(t);
    const account = state.accounts[0]!;
    const [lively, slow] = [join('orders', account), join('orders', account)];
    tick();
    slow.isHeld = true;
    let waiting = 0;
    for (let id = 1; slow.code === null; id += 500) {
      for (let k = 0; k < 500; k++) hub.effects.orderClosed(account, id + k, 'user');
      state.seq += 1;
      waiting = slow.waiting;
      tick();
    }
    assert.equal(slow.code, 1013);
    assert.ok(waiting > 262_144 && waiting < 350_000);
    assert.equal(lively.code, null);
    const told = lively.messages.flatMap(({ orders }) => orders);
    assert.ok(told.every(({ id, cause }, i) => id === i + 1 && cause === 'user'));
    const { length } = lively.messages;
    slow.release();
    tick();
    assert.deepEqual(slow.messages, lively.messages.slice(0, slow.messages.length));
    assert.equal(lively.messages.length, length);
  });

  it('is dropped after 90 s of silence', (t) => {
    let ms = 0;
    const { hub, join } = hubOnItsOwn(t, { elapsedMs: () => ms });
    const [lively, silent] = [join('spots'), join('spots')];
    ms = 89_999;
    lively.socket.emit('pong');
    hub.clients.dropSilent();
    assert.equal(silent.code, null);
    ms = 90_000;
    hub.clients.dropSilent();
    assert.deepEqual([silent.code, lively.code, hub.clients.size], [1006, null, 1]);
  });
});

describe('a long message', () => {
  it('is deflated where the client takes that, once for all of them (RFC 7692)', (t) => {
    const { join, push, tick, name } = hubOnItsOwn(t);
    push(Array.from({ length: 2_000 }, (_, k) => k + 1));
    const [plain, first, second] = [join(name), join(name, null, DEFLATE), join(name, null, DEFLATE)];
    tick();
    assert.deepEqual(first.messages, plain.messages);
    assert.deepEqual(second.messages, plain.messages);
    assert.ok(first.bytes < plain.bytes / 3);
    assert.equal(first.chunks[0], second.chunks[0]);
  });
});

const DEFLATE = 'permessage-deflate; server_no_context_takeover';

/** Pushes whole books until more waits for a client than is sent to it at once. */
function fill(slow: HeldClient, push: (prices: readonly number[]) => void, tick: () => void): void {
  for (let i = 1; slow.waiting <= CHANNEL_LIMITS.heldBytes; i++) {
    push(Array.from({ length: 1_000 }, (_, k) => (i % 2) * 1_000 + k + 1));
    tick();
  }
}

function assertFollow(messages: readonly Json[]): void {
  for (const [i, message] of messages.entries())
    if (message.type === 'delta') assert.equal(message.prevSeq, messages[i - 1].seq);
}
