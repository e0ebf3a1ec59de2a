/** A lasting stream: it reconnects, signs in again, and delivers what it missed. */

import type { Account, FillRecord, StreamFrame, StreamOrder } from '@venue/protocol';
import { Backoff, pause } from '../net/backoff.ts';
import { checkTime } from '../net/checks.ts';
import { isFinal, UnauthorizedError, VenueUnreachableError } from '../net/errors.ts';
import { onFrames, openSocket, type WebSocketConstructor, type WebSocketLike } from '../net/socket.ts';
import type { Transport } from '../net/transport.ts';
import type { Auth } from '../sign/auth.ts';
import type { Credentials } from '../sign/credentials.ts';
import type { VenuePin } from '../sign/venue-pin.ts';
import type { AccountReads } from '../trade/account.ts';
import { Holdings } from './holdings.ts';
import { FillCursor } from './missed-fills.ts';

export interface FollowHandlers {
  /** Receives every frame in order. Missed fills come as `fill` frames, before the frames that followed them. */
  onFrame(frame: StreamFrame): void;
  /** The connection is open, and everything missed has been delivered. */
  onLive?(): void;
  /**
   * The connection is lost, or could not be made. It is retried automatically after `retryInMs`, which is infinite when
   * another deployment answers (`VenueChangedError`), and for a fault of the client's own code or of the runtime
   * (`TypeError`).
   */
  onLost?(loss: { readonly reason: Error; readonly retryInMs: number }): void;
}

export interface FollowOptions {
  /** Continues after the `ts` of the last fill that another process received, in unix milliseconds. */
  readonly sinceTs?: number;
  /** A connection silent for this long may be dead and is replaced; by default 60 s. */
  readonly silenceMsMax?: number;
}

export interface Follower {
  /** True while frames arrive live; false while it connects and catches up. */
  readonly isLive: boolean;
  /** The newest `ts` of a delivered fill, for `sinceTs` of a later start; null before it was first live. */
  readonly lastFillTs: number | null;
  /**
   * The account with the orders that rest now; null before its first frame, and without a token. While `isLive` is
   * false it is as it last was.
   */
  readonly account: Account | null;
  /** All resting orders, ascending by id. */
  readonly orders: readonly StreamOrder[];
  /** Ends it permanently: no handler is called after this. */
  close(): void;
}

/** The parts that a follower uses. */
export interface FollowParts {
  readonly transport: Transport;
  readonly pin: VenuePin;
  readonly webSocket: WebSocketConstructor;
  readonly credentials: Credentials;
  readonly auth: Auth;
  readonly account: AccountReads;
}

const SILENCE_MS = 60_000;
/** After a connection that lasted this long, the next wait is short again. */
const SETTLED_MS = 10_000;
/** The venue's edge accepts ten new connections a minute. */
const RETRY = { firstMs: 500, limitMs: 30_000 };

export class Following implements Follower {
  readonly #parts: FollowParts;
  readonly #handlers: FollowHandlers;
  readonly #cursor: FillCursor;
  readonly #holdings: Holdings;
  readonly #silenceMsMax: number;
  readonly #stop = new AbortController();
  #socket: WebSocketLike | null = null;
  #isLive = false;

  constructor(parts: FollowParts, handlers: FollowHandlers, options: FollowOptions) {
    this.#parts = parts;
    this.#handlers = handlers;
    const { sinceTs = null } = options;
    this.#cursor = new FillCursor(sinceTs && checkTime('sinceTs', sinceTs, 'milliseconds'));
    this.#silenceMsMax = options.silenceMsMax ?? SILENCE_MS;
    this.#holdings = new Holdings(parts.credentials.now);
    const { signal } = parts.transport;
    if (signal?.aborted) this.close();
    signal?.addEventListener('abort', () => this.close(), { once: true, signal: this.#stop.signal });
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  get lastFillTs(): number | null {
    return this.#cursor.ts;
  }

  get account(): Account | null {
    return this.#holdings.account;
  }

  get orders(): readonly StreamOrder[] {
    return this.#holdings.orders;
  }

  close(): void {
    this.#isLive = false;
    this.#stop.abort();
    this.#socket?.close();
  }

  /** Makes one connection after another, until it is closed. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff(RETRY);
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const startedMs = performance.now();
      const reason = await this.#connect(isFirst).catch((error: Error) => error);
      this.#isLive = false;
      if (signal.aborted) return;
      if (performance.now() - startedMs > SETTLED_MS) backoff.reset();
      const retryInMs = isFinal(reason) ? Infinity : backoff.next();
      this.#tell(() => this.#handlers.onLost?.({ reason, retryInMs }));
      if (retryInMs === Infinity) return this.close();
      await pause(retryInMs, signal);
    }
  }

  /** One connection, from the attempt to its end; resolves with or throws the reason why it ended. */
  async #connect(isFirst: boolean): Promise<Error> {
    // A refused socket cannot say why, so the token is tried on a read.
    if (!isFirst) await this.#lookAround();
    return new Promise((resolve) => {
      const socket = this.#open();
      let heardMs = performance.now();
      const heard = () => {
        heardMs = performance.now();
      };
      const watch = setInterval(() => {
        if (performance.now() - heardMs > this.#silenceMsMax) end('it was silent');
      }, this.#silenceMsMax / 4);
      const end = (why: string | Error) => {
        clearInterval(watch);
        this.#stop.signal.removeEventListener('abort', stopped);
        if (this.#socket === socket) this.#socket = null;
        socket.close();
        resolve(typeof why === 'string' ? new VenueUnreachableError(`the stream ended: ${why}`) : why);
      };
      const stopped = () => end('it was closed');
      this.#stop.signal.addEventListener('abort', stopped);
      socket.addEventListener('close', () => end('the connection was lost or refused'));
      this.#receive(socket, heard).catch(end);
    });
  }

  #open(): WebSocketLike {
    const { transport, webSocket, credentials } = this.#parts;
    const socket = openSocket({ url: transport.readUrl, token: credentials.token, webSocket });
    this.#socket = socket;
    return socket;
  }

  /** Holds frames back until missed events are known, then delivers everything. */
  async #receive(socket: WebSocketLike, heard: () => void): Promise<void> {
    let held: StreamFrame[] | null = [];
    onFrames(socket, (frame) => {
      heard();
      if (held === null) this.#pass(socket, frame);
      else held.push(frame);
    });
    await new Promise<void>((resolve) => socket.addEventListener('open', resolve));
    const records = await this.#records();
    if (this.#socket !== socket) return;
    const coming = held.flatMap((frame) => (frame.type === 'fill' ? [frame.fill] : []));
    const missed = this.#cursor.missed(records, coming);
    const frames = held;
    held = null;
    for (const fill of missed) this.#tell(() => this.#handlers.onFrame({ type: 'fill', fill }));
    for (const frame of frames) this.#pass(socket, frame);
    this.#isLive = this.#socket === socket;
    if (this.#isLive) this.#tell(() => this.#handlers.onLive?.());
  }

  #pass(socket: WebSocketLike, frame: StreamFrame): void {
    if (this.#socket !== socket) return;
    if (frame.type === 'fill' && !this.#cursor.arrives(frame.fill)) return;
    this.#holdings.take(frame);
    this.#tell(() => this.#handlers.onFrame(frame));
  }

  /** The account's fills, newest first, back to the cursor; on the first read, those of the newest millisecond. */
  async #records(): Promise<FillRecord[]> {
    const records: FillRecord[] = [];
    if (this.#parts.credentials.token === null) return records;
    for await (const record of this.#parts.account.allFills()) {
      if (record.ts < (this.#cursor.ts ?? records[0]?.ts ?? 0)) break;
      records.push(record);
    }
    return records;
  }

  /** Makes sure that the same venue answers, and that the token is good there. */
  async #lookAround(): Promise<void> {
    const { credentials, account, auth, pin, transport } = this.#parts;
    await pin.verify(transport);
    if (credentials.token === null) return;
    try {
      await account.me();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await auth.renew();
    }
  }

  #tell(handler: () => void): void {
    if (!this.#stop.signal.aborted) this.#parts.transport.handlers.call(handler);
  }
}
