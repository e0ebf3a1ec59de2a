/** A minimal WebSocket client: thousands of them fit into one process beside the exchange they measure. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { StreamFrame } from '@venue/protocol';
import type { PrivateStream } from './private.ts';
import type { Told } from './told.ts';

const HEAD_END = '\r\n\r\n';
const TEXT = 0x81;
const CLOSE = 0x88;
const PING = 0x89;
/** Without a payload, masked by zeros. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const LENGTH_MASK = 0x7f;
const LENGTH_IN_TWO_BYTES = 126;
/** Shared receive buffer; data not processed immediately is copied out of it. */
const SHARED = Buffer.allocUnsafe(256 * 1_024);
const PUBLIC = ['{"type":"tape"', '{"type":"spots'].map((start) => Buffer.from(start));

export interface StreamSocketOptions {
  readonly url: string;
  readonly token: string | null;
  readonly told: Told;
  /** The account of its token. */
  readonly account: PrivateStream | null;
  /** Reads nothing after the handshake. */
  readonly isSlow: boolean;
  readonly clockMs: () => number;
  readonly onFrame: (delayMs: number, isPublic: boolean) => void;
  /** Called for a wrong frame. */
  readonly onFault: (error: unknown) => void;
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly end: number;
}

export class StreamSocket {
  readonly account: PrivateStream | null;
  /** Closed by the exchange. */
  isClosed = false;
  readonly #options: StreamSocketOptions;
  readonly #socket: Socket;
  readonly #opened = Promise.withResolvers<void>();
  #isOpen = false;
  #isDiscarding = false;
  /** An incomplete frame or handshake. */
  #rest: Buffer | null = null;
  /** Its position in the public stream: the first frame it has not fully received. */
  #offset: number;
  #next: number;

  private constructor(options: StreamSocketOptions) {
    const { hostname, port } = new URL(options.url);
    this.#options = options;
    this.account = options.account;
    this.#offset = options.told.length;
    this.#next = options.told.ends.length;
    const onread = { buffer: SHARED, callback: (bytes: number) => this.#read(SHARED.subarray(0, bytes)) };
    this.#socket = connect({ host: hostname, port: Number(port), onread });
    this.#socket.on('error', (error) => this.#opened.reject(error));
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#opened.reject(new Error('the exchange hung up'));
    });
  }

  /** Connects and shakes hands. */
  static async open(options: StreamSocketOptions): Promise<StreamSocket> {
    const client = new StreamSocket(options);
    await once(client.#socket, 'connect');
    const query = options.token === null ? '' : `?token=${options.token}`;
    const lines = [
      `GET /ws${query} HTTP/1.1`,
      'host: bench',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    client.#socket.write(lines.join('\r\n') + HEAD_END);
    await client.#opened.promise;
    return client;
  }

  /** Frames that others have received and this one has not yet. */
  get behind(): number {
    return this.#options.told.ends.length - this.#next;
  }

  /** Reads again, and ignores the data. */
  discard(): void {
    this.#isDiscarding = true;
    this.#socket.resume();
  }

  /** Returns false to stop reading. */
  #read(chunk: Buffer): boolean {
    if (this.#isDiscarding) return true;
    const data = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = null;
    try {
      this.#take(data);
    } catch (error) {
      this.#options.onFault(error);
      return false;
    }
    return !(this.#isOpen && this.#options.isSlow);
  }

  #take(data: Buffer): void {
    let at = this.#isOpen ? 0 : this.#shakeHands(data);
    // Data that came with the handshake is not read either.
    if (this.#options.isSlow) return;
    while (at < data.length) {
      const same = this.#sameAsTold(data, at);
      if (same > 0) {
        at += same;
        this.#moveTo(this.#offset + same);
        continue;
      }
      const frame = frameAt(data, at);
      if (frame === null) {
        this.#rest = Buffer.from(data.subarray(at));
        return;
      }
      this.#takeFrame(frame, data.subarray(at, frame.end));
      at = frame.end;
    }
  }

  /** The end of the handshake; the length of the data if it is incomplete. */
  #shakeHands(data: Buffer): number {
    const end = data.indexOf(HEAD_END);
    if (end < 0) {
      this.#rest = Buffer.from(data);
      return data.length;
    }
    const [line] = data.toString('latin1', 0, end).split('\r\n');
    if (!line!.startsWith('HTTP/1.1 101')) this.#opened.reject(new Error(line));
    this.#isOpen = true;
    this.#opened.resolve();
    return end + HEAD_END.length;
  }

  /** Length of the data equal to the public stream, byte for byte: all of it, else its next frame, or nothing. */
  #sameAsTold(data: Buffer, at: number): number {
    const { told } = this.#options;
    const end = told.ends[this.#next];
    if (end === undefined) return 0;
    for (const until of [told.length, end]) {
      const bytes = until - this.#offset;
      if (bytes <= data.length - at && told.equals(this.#offset, data, at, at + bytes)) return bytes;
    }
    return 0;
  }

  #moveTo(offset: number): void {
    const { told, clockMs, onFrame } = this.#options;
    const nowMs = clockMs();
    this.#offset = offset;
    for (let end = told.ends[this.#next]; end !== undefined && end <= offset; end = told.ends[this.#next])
      onFrame(nowMs - told.plannedMs[this.#next++]!, true);
  }

  /** Handles a frame that others did not get, or not yet. */
  #takeFrame({ opcode, payload }: Frame, bytes: Buffer): void {
    const { told, clockMs, onFrame } = this.#options;
    if (opcode === PING) this.#socket.write(PONG);
    if (opcode === PING || opcode === CLOSE) return;
    if (opcode !== TEXT) throw new Error(`a frame that begins with ${opcode}`);
    if (PUBLIC.some((start) => payload.subarray(0, start.length).equals(start))) {
      if (this.behind > 0) throw new Error('a frame differs from the one that others were sent');
      told.append(bytes, payload);
      this.#moveTo(told.length);
      return;
    }
    if (this.account === null)
      throw new Error(`a private frame for nobody: ${payload.toString('latin1', 0, 200)}`);
    const plannedMs = this.account.plannedMsOf(JSON.parse(payload.toString()) as StreamFrame);
    if (plannedMs !== null) onFrame(clockMs() - plannedMs, false);
  }
}

/** The frame at an offset, or null while it is incomplete. */
function frameAt(data: Buffer, at: number): Frame | null {
  if (data.length < at + 2) return null;
  const short = data[at + 1]! & LENGTH_MASK;
  const head = short < LENGTH_IN_TWO_BYTES ? 2 : short === LENGTH_IN_TWO_BYTES ? 4 : 10;
  if (data.length < at + head) return null;
  const length =
    head === 2 ? short : head === 4 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
  const end = at + head + length;
  if (data.length < end) return null;
  return { opcode: data[at]!, payload: data.subarray(at + head, end), end };
}
