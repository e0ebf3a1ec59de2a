/** A client that walks over messages without reading them, so that thousands cost little. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH_MASK = 0x7f;
const IN_TWO_BYTES = 126;
const OPCODE_MASK = 0x0f;
const PING = 9;
const PLAIN = 0x81;
const BEAT_HEAD_BYTES = 32;
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
/** One buffer for all connections, whose data is taken before the next is read. */
const SHARED = Buffer.allocUnsafe(1 << 20);

export interface ChannelSocketOptions {
  readonly url: string;
  readonly isDeflating: boolean;
  /** A request to send once it is open, or null. */
  readonly request: string | null;
  /** Called for each message, with its bytes as they came. */
  readonly onMessage: (frame: Buffer, socket: ChannelSocket) => void;
}

export class ChannelSocket {
  readonly #options: ChannelSocketOptions;
  readonly #socket: Socket;
  #rest: Buffer | null = null;
  #isOpen = false;
  isClosed = false;
  /** Messages so far. */
  messages = 0;
  /** The move of its last message. */
  move = 0;

  private constructor(options: ChannelSocketOptions) {
    this.#options = options;
    const { hostname, port } = new URL(options.url);
    const onread = { buffer: SHARED, callback: (bytes: number) => this.#take(SHARED.subarray(0, bytes)) };
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.isClosed = true;
    });
  }

  static async open(options: ChannelSocketOptions): Promise<ChannelSocket> {
    const client = new ChannelSocket(options);
    await once(client.#socket, 'connect');
    const lines = [
      'GET /v1/stream HTTP/1.1',
      'host: bench',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
      ...(options.isDeflating ? ['sec-websocket-extensions: permessage-deflate'] : []),
    ];
    client.#socket.write(lines.join('\r\n') + HEAD_END);
    if (options.request !== null) client.send(options.request);
    return client;
  }

  /** Sends a text message, masked with zeros. */
  send(text: string): void {
    const body = Buffer.from(text);
    const { length } = body;
    assert.ok(length < 2 ** 16);
    const head =
      length < IN_TWO_BYTES
        ? [0x81, 0x80 | length, 0, 0, 0, 0]
        : [0x81, 0x80 | IN_TWO_BYTES, length >> 8, length & 0xff, 0, 0, 0, 0];
    this.#socket.write(Buffer.concat([Buffer.from(head), body]));
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): boolean {
    const data = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = null;
    let at = this.#isOpen ? 0 : this.#shakeHands(data);
    while (at < data.length) {
      const end = endOf(data, at);
      if (end === null || end > data.length) break;
      const frame = data.subarray(at, end);
      at = end;
      if ((frame[0]! & OPCODE_MASK) === PING) this.#socket.write(PONG);
      else if (!isBeat(frame)) {
        this.messages += 1;
        this.#options.onMessage(frame, this);
      }
    }
    if (at < data.length) this.#rest = Buffer.from(data.subarray(at));
    return true;
  }

  #shakeHands(data: Buffer): number {
    const end = data.indexOf(HEAD_END);
    if (end < 0) return 0;
    assert.match(data.toString('latin1', 0, end), /^HTTP\/1\.1 101/);
    this.#isOpen = true;
    return end + HEAD_END.length;
  }
}

/** Beats are few, come at a pace of their own, and are not compressed. Of the other messages none begins so. */
function isBeat(frame: Buffer): boolean {
  return frame[0] === PLAIN && textOf(frame.subarray(0, BEAT_HEAD_BYTES)).startsWith('{"type":"beat"');
}

/** The text of a message that is not compressed. */
export function textOf(frame: Buffer): string {
  const short = frame[1]! & LENGTH_MASK;
  return frame.toString('utf8', short < IN_TWO_BYTES ? 2 : short === IN_TWO_BYTES ? 4 : 10);
}

function endOf(data: Buffer, at: number): number | null {
  if (data.length < at + 2) return null;
  const short = data[at + 1]! & LENGTH_MASK;
  if (short < IN_TWO_BYTES) return at + 2 + short;
  if (short === IN_TWO_BYTES) return data.length < at + 4 ? null : at + 4 + data.readUInt16BE(at + 2);
  return data.length < at + 10 ? null : at + 10 + Number(data.readBigUInt64BE(at + 2));
}
