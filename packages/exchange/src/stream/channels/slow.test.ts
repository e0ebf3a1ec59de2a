import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { constants, inflateRawSync } from 'node:zlib';
import { BUY, type OrderHandle } from '@venue/engine';
import type { Micros } from '@venue/protocol';
import type { WebSocket } from 'ws';
import { bookOf } from '../../../test/channels.ts';
import { listedState } from '../../../test/listed.ts';
import type { Json } from '../../../test/support.ts';
import { DayTrades } from '../../views/day-trades.ts';
import { Tape } from '../../views/tape.ts';
import { Tickers } from '../../views/tickers.ts';
import { CHANNEL_LIMITS, ChannelHub } from './hub.ts';

const SID = 1;
const ONE = 1_000_000 as Micros;
const ENDED = Buffer.from([0, 0, 0xff, 0xff]);
const INFLATE = { finishFlush: constants.Z_SYNC_FLUSH };

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
    const { hub, join } = hubOnItsOwn(t, () => ms);
    const [lively, silent] = [join('spots'), join('spots')];
    ms = 89_999;
    lively.socket.emit('pong');
    hub.dropSilent();
    assert.equal(silent.code, null);
    ms = 90_000;
    hub.dropSilent();
    assert.deepEqual([silent.code, lively.code, hub.clientCount], [1006, null, 1]);
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
function fill(slow: Fake, push: (prices: readonly number[]) => void, tick: () => void): void {
  for (let i = 1; slow.waiting <= CHANNEL_LIMITS.heldBytes; i++) {
    push(Array.from({ length: 1_000 }, (_, k) => (i % 2) * 1_000 + k + 1));
    tick();
  }
}

function assertFollow(messages: readonly Json[]): void {
  for (const [i, message] of messages.entries())
    if (message.type === 'delta') assert.equal(message.prevSeq, messages[i - 1].seq);
}

/** A client whose network passes everything on at once, or nothing. */
class Fake {
  readonly chunks: Buffer[] = [];
  readonly messages: Json[] = [];
  isHeld = false;
  waiting = 0;
  bytes = 0;
  /** Set once the connection was closed. */
  code: number | null = null;
  readonly #held: (() => void)[] = [];
  readonly connection: Socket;
  readonly socket: WebSocket;
  listen: (name: string) => void = () => {};

  constructor(extensions: string) {
    const self = this;
    this.connection = {
      writable: true,
      get writableLength() {
        return self.waiting;
      },
      cork() {},
      uncork() {},
      write: (chunk: Buffer, done?: () => void) => self.#write(chunk, done),
    } as unknown as Socket;
    this.socket = Object.assign(new EventEmitter(), {
      ...{ readyState: 1, OPEN: 1, extensions, ping() {} },
      close: (code: number) => this.#close(code),
      terminate: () => this.#close(1006),
    }) as unknown as WebSocket;
  }

  release(): void {
    this.isHeld = false;
    for (const pass of this.#held.splice(0)) pass();
  }

  #write(chunk: Buffer, done: (() => void) | undefined): void {
    this.waiting += chunk.length;
    const pass = () => {
      this.waiting -= chunk.length;
      this.bytes += chunk.length;
      this.chunks.push(chunk);
      this.messages.push(...messagesOf(chunk));
      done?.();
    };
    if (this.isHeld) this.#held.push(pass);
    else pass();
  }

  #close(code: number): void {
    if (this.code !== null) return;
    this.code = code;
    Object.assign(this.socket, { readyState: 2 });
    this.socket.emit('close', code);
  }
}

function* messagesOf(bytes: Buffer): Generator<Json> {
  for (let at = 0; at < bytes.length; ) {
    const short = bytes[at + 1]!;
    const [length, from] =
      short < 126
        ? [short, at + 2]
        : short === 126
          ? [bytes.readUInt16BE(at + 2), at + 4]
          : [Number(bytes.readBigUInt64BE(at + 2)), at + 10];
    const body = bytes.subarray(from, from + length);
    const isDeflated = (bytes[at]! & 0x40) !== 0;
    yield JSON.parse(String(isDeflated ? inflateRawSync(Buffer.concat([body, ENDED]), INFLATE) : body));
    at = from + length;
  }
}

/** A hub whose ticks the test makes, and a book with the bids of the last push. */
function hubOnItsOwn(t: TestContext, elapsedMs: () => number = () => 0) {
  const state = listedState();
  const tickers = new Tickers(state, new DayTrades({ state, history: null }));
  const hub = new ChannelHub({ state, tape: new Tape(), tickers, now: () => 0, elapsedMs, tickMs: 60_000 });
  t.after(() => hub.dropAll());
  const { book, seriesId } = state.series[SID]!;
  const resting: OrderHandle[] = [];
  let lastId = 1_000;
  for (let h = book.best(BUY); h !== null; h = book.best(BUY)) book.remove(h);
  return {
    ...{ hub, state, name: `book:${seriesId}`, tick: () => hub.tick() },
    join(name: string, account: Parameters<ChannelHub['find']>[1] = null, extensions = ''): Fake {
      const fake = new Fake(extensions);
      const connection = hub.add(fake);
      fake.listen = (channel) => hub.subscribe(connection, hub.find(channel, account)!, { name: channel });
      fake.listen(name);
      return fake;
    },
    /** Replaces all bids of the book by one contract at each price, in millionths. */
    push(prices: readonly number[]) {
      for (const h of resting.splice(0)) book.remove(h);
      for (const price of prices) {
        lastId += 1;
        const amounts = { price: price as Micros, quantity: ONE, remaining: ONE };
        resting.push(book.place({ id: lastId, owner: 0, side: BUY, ...amounts, placedAt: 0 }));
      }
      state.seq += 1;
    },
  };
}
