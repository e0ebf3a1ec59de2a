/** One connection to the channels: requests with their answers, and messages in the order in which they come. */

import type { StreamBeat, StreamEnd } from '@venue/protocol';
import { AbortedError, VenueTimeoutError, VenueUnreachableError } from '../net/errors.ts';
import { objectOf, type WebSocketConstructor, type WebSocketLike } from '../net/socket.ts';

/** A message of a channel: the members that all have, beside its own. */
export interface ChannelMessage {
  readonly channel: string;
  readonly type: 'snapshot' | 'delta';
  readonly seq: number;
  /** The sequence number before a delta. */
  readonly prevSeq?: number;
}

/** The answer to a request. */
export interface ChannelAnswer {
  readonly id: number | null;
  readonly status: number;
  /** The code of a refusal (ERR-1). */
  readonly code?: string;
  /** The log entry that it shows. */
  readonly seq: number;
  readonly body: unknown;
}

export interface LinkOptions {
  /** Base address of the venue. */
  readonly url: string;
  readonly webSocket: WebSocketConstructor;
  readonly onMessage: (message: ChannelMessage | StreamEnd) => void;
  readonly onBeat: (beat: StreamBeat) => void;
  /** Called once, when it has ended; every request without an answer has failed by then. */
  readonly onEnd: (reason: Error) => void;
}

export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the answer, before any message that came after it. */
  readonly onAnswer?: () => void;
}

interface Asked {
  readonly resolve: (answer: ChannelAnswer) => void;
  readonly reject: (reason: Error) => void;
}

const OPEN = 1;
/** The least status that says nothing of the request. */
export const SERVER_FAULT = 500;

export class Link {
  readonly #options: LinkOptions;
  readonly #socket: WebSocketLike;
  readonly #asked = new Map<number, Asked>();
  #lastId = 0;
  #heardMs = performance.now();
  #beatMs = performance.now();
  #isEnded = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { url, webSocket: Socket } = options;
    this.#socket = new Socket(`${url.replace(/^http/, 'ws')}/v1/stream`);
    // The close follows every error, and is handled there.
    this.#socket.addEventListener('error', () => {});
    this.#socket.addEventListener('close', () => this.end('the connection was lost or refused'));
    this.#socket.addEventListener('message', ({ data }) => this.#take(String(data)));
  }

  /** Resolves once it is open, or has ended. */
  opened(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.addEventListener('open', resolve);
      this.#socket.addEventListener('close', resolve);
    });
  }

  get isOpen(): boolean {
    return !this.#isEnded && this.#socket.readyState === OPEN;
  }

  /** The monotonic milliseconds at which the venue last showed, by a message or a good answer, that it is in touch. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** The monotonic milliseconds of the last beat; of the start before the first. */
  get beatMs(): number {
    return this.#beatMs;
  }

  /** Members of a request as JSON, without braces. Throws `VenueUnreachableError` without an answer. */
  ask(members: string, { timeoutMs, signal, onAnswer }: AskOptions): Promise<ChannelAnswer> {
    if (!this.isOpen) throw new VenueUnreachableError('the connection is not open', { neverSent: true });
    if (signal?.aborted)
      throw new AbortedError('the call was ended', { cause: signal.reason, neverSent: true });
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const fail = (reason: Error) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#asked.delete(id);
        reject(reason);
      };
      const onAbort = () => fail(new AbortedError('the call was ended', { cause: signal!.reason }));
      const timer = setTimeout(() => fail(new VenueTimeoutError(`no answer in ${timeoutMs} ms`)), timeoutMs);
      signal?.addEventListener('abort', onAbort);
      const answered = (answer: ChannelAnswer) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        onAnswer?.();
        resolve(answer);
      };
      this.#asked.set(id, { resolve: answered, reject: fail });
      this.#socket.send(`{"id":${id},${members}}`);
    });
  }

  /** Ends it, and every request that waits for an answer. */
  end(why: string | Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const reason = typeof why === 'string' ? new VenueUnreachableError(`the stream ended: ${why}`) : why;
    this.#socket.close();
    for (const { reject } of [...this.#asked.values()])
      reject(new VenueUnreachableError(reason.message, { cause: reason }));
    this.#options.onEnd(reason);
  }

  #take(text: string): void {
    if (this.#isEnded) return;
    const message = objectOf(text) as ChannelMessage | StreamEnd | StreamBeat | ChannelAnswer | null;
    if (message === null) {
      this.end('a message is no JSON object');
      return;
    }
    // A node that has lost touch with its log still answers, with refusals.
    if (!('status' in message) || message.status < SERVER_FAULT) this.#heardMs = performance.now();
    if ('channel' in message) this.#options.onMessage(message);
    else if ('type' in message) this.#takeBeat(message);
    else this.#takeAnswer(message);
  }

  #takeBeat(beat: StreamBeat): void {
    this.#beatMs = performance.now();
    this.#options.onBeat(beat);
  }

  #takeAnswer(message: ChannelAnswer): void {
    const asked = this.#asked.get(Number(message.id));
    this.#asked.delete(Number(message.id));
    asked?.resolve(message);
  }
}
