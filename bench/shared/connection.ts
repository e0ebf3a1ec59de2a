/** A minimal HTTP/1.1 client that reads whole bodies, cheap enough that the server is what is measured. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Valid only until the next request is sent. */
  readonly body: Buffer;
}

export type Headers = Readonly<Record<string, string>>;

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const BUFFER_BYTES = 256 * 1_024;
/** The server says so when it ends a connection that has sent nothing for long. */
const TIMED_OUT = 408;

/** A GET in wire format. */
export function getOf(path: string, headers: Headers = {}): Buffer {
  return Buffer.from(headOf(`GET ${path}`, headers));
}

/** A POST of a JSON value in wire format. */
export function postOf(path: string, value: unknown, headers: Headers = {}): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  const of = { 'content-type': 'application/json', 'content-length': `${json.length}` };
  return Buffer.concat([Buffer.from(headOf(`POST ${path}`, { ...headers, ...of })), json]);
}

function headOf(target: string, headers: Headers): string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `\r\n${name}: ${value}`);
  return `${target} HTTP/1.1${lines.join('')}${HEAD_END}`;
}

/** A keep-alive connection with one request at a time: nothing is pipelined. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;
  #waiting: PromiseWithResolvers<RawAnswer> | null = null;
  /** Head of the incoming answer; null until it is complete. */
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

  /** Sends a request of `getOf` or `postOf`; throws while another is pending, or once the server has hung up. */
  send(request: Buffer): Promise<RawAnswer> {
    if (this.#waiting !== null) throw new Error('the connection is busy');
    if (this.#socket.destroyed) throw new Error('the server hung up before the request');
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
    const waiting = this.#waiting;
    this.#filled = 0;
    this.#head = null;
    this.#waiting = null;
    if (waiting !== null) waiting.resolve({ status, body: this.#buffer.subarray(start, end) });
    else if (status === TIMED_OUT) this.#socket.destroy();
    else throw new Error(`an answer of ${status} that nobody asked for`);
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
