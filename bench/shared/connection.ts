/** A client of HTTP/1.1 that costs as little as it can and gives whole bodies, so that it is the server that is measured. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Only good until the next request is sent. */
  readonly body: Buffer;
}

export type Headers = Readonly<Record<string, string>>;

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const BUFFER_BYTES = 256 * 1_024;

/** A GET as it goes over the wire. */
export function getOf(path: string, headers: Headers = {}): Buffer {
  return Buffer.from(headOf(`GET ${path}`, headers));
}

/** A POST of a JSON value as it goes over the wire. */
export function postOf(path: string, value: unknown, headers: Headers = {}): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  const of = { 'content-type': 'application/json', 'content-length': `${json.length}` };
  return Buffer.concat([Buffer.from(headOf(`POST ${path}`, { ...headers, ...of })), json]);
}

function headOf(target: string, headers: Headers): string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `\r\n${name}: ${value}`);
  return `${target} HTTP/1.1${lines.join('')}${HEAD_END}`;
}

/** One connection that is kept open, with one request at a time on it: nothing is pipelined. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;
  #waiting: PromiseWithResolvers<RawAnswer> | null = null;
  /** Of the answer that is coming in; null until its head is whole. */
  #head: { readonly status: number; readonly start: number; readonly end: number } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server hung up on a request')));
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends a request of `getOf` or `postOf`; throws while another is under way. */
  send(request: Buffer): Promise<RawAnswer> {
    if (this.#waiting !== null) throw new Error('the connection is busy');
    this.#waiting = Promise.withResolvers();
    this.#socket.write(request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#filled + chunk.length > BUFFER_BYTES) throw new Error('an answer is too large for this client');
    this.#filled += chunk.copy(this.#buffer, this.#filled);
    this.#head ??= this.#readHead();
    if (this.#head === null || this.#filled < this.#head.end) return;
    const { status, start, end } = this.#head;
    const { resolve } = this.#waiting!;
    this.#filled = 0;
    this.#head = null;
    this.#waiting = null;
    resolve({ status, body: this.#buffer.subarray(start, end) });
  }

  #readHead() {
    const at = this.#buffer.subarray(0, this.#filled).indexOf(HEAD_END);
    if (at < 0) return null;
    const head = this.#buffer.toString('latin1', 0, at);
    const length = LENGTH.exec(head);
    if (length === null) throw new Error(`an answer without a length:\n${head}`);
    const start = at + HEAD_END.length;
    return { status: Number(head.slice(9, 12)), start, end: start + Number(length[1]) };
  }
}
