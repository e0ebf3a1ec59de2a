/** A minimal HTTP/1.1 client, cheap enough that the server is what is measured. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The beginning of an answer is enough to check most; its whole length is counted. */
export interface RawAnswer {
  readonly status: number;
  readonly start: string;
  readonly bodyBytes: number;
  /** The whole body, while the answer is being handled. */
  readonly body: () => string;
}

interface Head {
  readonly answer: Omit<RawAnswer, 'body'>;
  readonly bytes: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const START_BYTES = 96;

/** A JSON request in wire format. */
export function postOf(path: string, json: string): Buffer {
  const length = Buffer.byteLength(json);
  const head = `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${length}`;
  return Buffer.from(`${head}${HEAD_END}${json}`);
}

/** A keep-alive connection with one request at a time: nothing is pipelined. */
export class RawConnection {
  readonly #socket: Socket;
  #onAnswer: ((answer: RawAnswer) => void) | null = null;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Head of the incoming answer. */
  #head: Head | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('close', () => {
      if (this.#onAnswer !== null) throw new Error('the server hung up on a request');
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends a request of `postOf`; throws while another is pending, and when the server hung up. */
  send(request: Buffer, onAnswer: (answer: RawAnswer) => void): void {
    if (this.#onAnswer !== null) throw new Error('the connection is busy');
    if (this.#socket.destroyed) throw new Error('the server hung up');
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#bytes += chunk.length;
    this.#head ??= headOf(this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts));
    if (this.#head === null || this.#bytes < this.#head.bytes + this.#head.answer.bodyBytes) return;
    const { answer, bytes } = this.#head;
    const parts = this.#parts;
    const onAnswer = this.#onAnswer!;
    this.#parts = [];
    this.#bytes = 0;
    this.#head = null;
    this.#onAnswer = null;
    onAnswer({ ...answer, body: () => Buffer.concat(parts).toString('latin1', bytes) });
  }
}

/** Null until the head and the start of the body have arrived. */
function headOf(bytes: Buffer): Head | null {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = LENGTH.exec(head);
  if (length === null) throw new Error(`an answer without a length:\n${head}`);
  const bodyAt = end + HEAD_END.length;
  const bodyBytes = Number(length[1]);
  if (bytes.length < bodyAt + Math.min(START_BYTES, bodyBytes)) return null;
  const start = bytes.toString('latin1', bodyAt, bodyAt + START_BYTES);
  return { bytes: bodyAt, answer: { status: Number(head.slice(9, 12)), start, bodyBytes } };
}
