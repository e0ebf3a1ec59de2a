/** The hub of the channels without a node around it, and clients whose network the test holds back. */

import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { constants, inflateRawSync } from 'node:zlib';
import { apply, BUY, type Command, NO_EFFECTS, type OrderHandle } from '@venue/engine';
import type { Micros } from '@venue/protocol';
import type { WebSocket } from 'ws';
import type { Channel } from '../src/stream/channels/channel.ts';
import { CHANNEL_LIMITS, ChannelHub, type ChannelHubOptions } from '../src/stream/channels/hub.ts';
import { DayTrades } from '../src/views/day-trades.ts';
import { Tape } from '../src/views/tape.ts';
import { Tickers } from '../src/views/tickers.ts';
import { listedState } from './listed.ts';
import type { Json } from './support.ts';

const MINUTE_MS = 60_000;
const SID = 1;
const ONE = 1_000_000 as Micros;
const ENDED = Buffer.from([0, 0, 0xff, 0xff]);
const INFLATE = { finishFlush: constants.Z_SYNC_FLUSH };

/** A client whose network passes everything on at once, or nothing. */
export class HeldClient {
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
  leave: (name: string) => void = () => {};
  /** The subscriptions that the hub keeps for it, by the name of the channel. */
  subscriptions: ReadonlyMap<string, unknown> = new Map();

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
export function hubOnItsOwn(
  t: TestContext,
  { elapsedMs = () => 0, ...more }: Partial<Pick<ChannelHubOptions, 'elapsedMs' | 'isCurrent'>> = {},
) {
  const state = listedState();
  const tickers = new Tickers(state, new DayTrades({ state, history: null }));
  const hub = new ChannelHub({
    state,
    tape: new Tape(),
    tickers,
    now: () => 0,
    elapsedMs,
    tickMs: 60_000,
    ...more,
  });
  t.after(() => hub.clients.dropAll());
  const { book, seriesId } = state.series[SID]!;
  const resting: OrderHandle[] = [];
  let lastId = 1_000;
  for (let h = book.best(BUY); h !== null; h = book.best(BUY)) book.remove(h);
  return {
    ...{ hub, state, name: `book:${seriesId}`, tick: () => hub.tick() },
    /** Applies an entry, by which time may pass. */
    enter(command: Command, ts = state.ts) {
      apply(state, { seq: state.seq + 1, ts, command }, NO_EFFECTS);
    },
    join(name: string, account: Parameters<ChannelHub['find']>[1] = null, extensions = ''): HeldClient {
      const fake = new HeldClient(extensions);
      const connection = hub.add(fake);
      fake.listen = (channel) =>
        hub.subscribe(connection, hub.find(channel, account) as Channel, { name: channel });
      fake.subscriptions = connection.subscriptions;
      fake.leave = (channel) => hub.unsubscribe(connection, channel);
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

/** A hub whose first expiry the test lets pass, with prices that settle it or without. */
export function expiringHub(t: TestContext) {
  let ms = 0;
  const own = hubOnItsOwn(t, { elapsedMs: () => ms });
  const { state, enter } = own;
  const [{ cutoffMs, expiryTs }] = [state.series[0]!];
  const prints = ['a', 'b', 'c'].map((source) => ({
    symbol: 'X',
    source,
    priceMicros: 100_000_000 as Micros,
  }));
  const expire = (hasPrices: boolean, atCutoff = () => {}) => {
    if (hasPrices)
      for (let ts = cutoffMs - 40 * MINUTE_MS; ts <= cutoffMs; ts += MINUTE_MS / 2)
        enter({ kind: 'prints', prints }, ts);
    atCutoff();
    enter({ kind: 'maintain', expiries: [] }, cutoffMs + 1);
    while (state.settling !== null) enter({ kind: 'maintain', expiries: [] }, state.ts);
    own.tick();
  };
  const beat = () => {
    ms += CHANNEL_LIMITS.beatMs;
    own.hub.beat();
  };
  return { ...own, expire, beat, chain: `chain:X:${expiryTs}`, expiryTs, cutoffMs };
}
