/** A client of the channels that keeps what it gets and checks that each delta follows the message before (STR-2). */

import assert from 'node:assert/strict';
import { type ClientOptions, WebSocket } from 'ws';
import { type Json, type Venue, waitFor } from './support.ts';

export class ChannelClient {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  /** Messages of channels, in order. */
  readonly messages: Json[] = [];
  readonly answers: Json[] = [];
  readonly beats: Json[] = [];
  readonly #seqs = new Map<string, number>();
  #id = 0;

  constructor(venue: Venue, options: ClientOptions = {}) {
    this.socket = new WebSocket(`${venue.url.replace('http', 'ws')}/v1/stream`, options);
    this.socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
  }

  async opened(): Promise<this> {
    await new Promise((resolve, reject) => this.socket.once('open', resolve).once('error', reject));
    return this;
  }

  /** Sends a request, and resolves with its answer. */
  async ask(request: object): Promise<Json> {
    this.#id += 1;
    const id = this.#id;
    this.socket.send(JSON.stringify({ id, ...request }));
    return waitFor(async () => this.answers.find((answer) => answer.id === id));
  }

  async subscribe(...channels: (string | object)[]): Promise<Json> {
    for (const one of channels) if (typeof one === 'object') this.#know(one);
    return this.ask({ op: 'subscribe', channels });
  }

  /** Everything that came of a channel. */
  of(channel: string): Json[] {
    return this.messages.filter((message) => message.channel === channel);
  }

  /** The first message of a channel that fits, received already or later. */
  message(channel: string, fits: (message: Json) => boolean = () => true): Promise<Json> {
    return waitFor(async () => this.of(channel).find(fits));
  }

  snapshot(channel: string): Promise<Json> {
    return this.message(channel, ({ type }) => type === 'snapshot');
  }

  /** The entry of the last message of a channel. */
  seq(channel: string): number | undefined {
    return this.#seqs.get(channel);
  }

  #know({ channel, seq }: { channel?: string; seq?: number }): void {
    if (channel !== undefined && seq !== undefined) this.#seqs.set(channel, seq);
  }

  #take(message: Json): void {
    if (message.type === 'beat') this.beats.push(message);
    else if (message.channel === undefined) this.answers.push(message);
    else this.#takeOfChannel(message);
  }

  #takeOfChannel(message: Json): void {
    const { channel, type, seq, prevSeq }: Json = message;
    if (type === 'delta') {
      assert.equal(prevSeq, this.#seqs.get(channel), `a gap in ${channel}`);
      assert.ok(seq > prevSeq!, `${channel} stands still`);
    }
    this.#seqs.set(channel, seq);
    this.messages.push(message);
  }
}

/** The sides of a book after its messages, as `GET /v1/book` shows them to its depth. */
export function bookOf(messages: readonly Json[], depth = 12): Json {
  const sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  for (const message of messages) {
    for (const side of ['bids', 'asks'] as const) {
      if (message.type === 'snapshot') sides[side].clear();
      for (const [price, qty] of message[side] ?? []) {
        if (qty === 0) sides[side].delete(price);
        else sides[side].set(price, qty);
      }
    }
  }
  const list = (side: Map<number, number>, sign: number) =>
    [...side]
      .sort(([a], [b]) => sign * (a - b))
      .slice(0, depth)
      .map(([price, qty]) => ({ price, qty }));
  return { bids: list(sides.bids, -1), asks: list(sides.asks, 1) };
}
