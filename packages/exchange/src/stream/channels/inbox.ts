/**
 * The requests of one connection: carried out one after another, in the order in which they came, and no faster than its
 * budgets. What comes too fast is read later, and the client's own network holds it back.
 */

import type { WebSocket } from 'ws';

/** A budget that fills up with time. */
export interface Budget {
  readonly perSecond: number;
  readonly burst: number;
}

export interface InboxOptions<Request> {
  readonly socket: WebSocket;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
  /** Never throws: a message that cannot be read is a request, too, which is refused. */
  readonly read: (bytes: Buffer, isBinary: boolean) => Request;
  /** Returns true for a request that takes from the budget of batches. */
  readonly isBatch: (request: Request) => boolean;
  /** Returns how many rows have to be written for a request and nobody else. */
  readonly rowsOf: (request: Request) => number;
  /** Resolves once the request is answered; never rejects. */
  readonly carryOut: (request: Request) => Promise<void>;
  /** Returns true while the client has to read its answers first. */
  readonly isStuck: () => boolean;
  /** Called while the client is kept waiting, which is no silence of its own. */
  readonly onHeldBack: () => void;
}

/** Batches of one connection (VEN-2). */
export const BATCH_BUDGET: Budget = { perSecond: 5, burst: 64 };
/**
 * Messages of all kinds; each counts for one, and for one more a kilobyte, or sixteen rows that have to be written for it: five
 * hundred fills cost ten times as much as a message.
 */
export const MESSAGE_BUDGET: Budget = { perSecond: 256, burst: 2_048 };
const COUNTED_BYTES = 1_024;
const COUNTED_ROWS = 16;
/** However many rows there are, the budget has as much at some time. */
const ROWS_COST_MAX = MESSAGE_BUDGET.burst / 2;
/**
 * The bytes of one connection that may wait. A reading of it is at most 64 kB, but hundreds of messages of that size if they are
 * compressed, and the library hands over all of them, paused or not.
 */
export const WAITING_BYTES_MAX = 1_048_576;
/** The close code of RFC 6455 for what is against the rules. */
const POLICY_VIOLATION = 1008;
/** Time until a client that has to read first is looked at again. */
const STUCK_MS = 50;

interface Waiting<Request> {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
  request: Request | null;
}

export class Inbox<Request> {
  readonly #options: InboxOptions<Request>;
  readonly #messages: Bucket;
  readonly #batches: Bucket;
  /** No more than one reading of the connection brings, as it is paused while any wait. */
  readonly #waiting: Waiting<Request>[] = [];
  #waitingBytes = 0;
  #isGivenUp = false;
  #isBusy = false;
  #isPaused = false;

  constructor(options: InboxOptions<Request>) {
    this.#options = options;
    const { socket, elapsedMs } = options;
    this.#messages = new Bucket(MESSAGE_BUDGET, elapsedMs());
    this.#batches = new Bucket(BATCH_BUDGET, elapsedMs());
    socket.on('message', (data, isBinary) => this.#take(bytesOf(data), isBinary));
  }

  #take(bytes: Buffer, isBinary: boolean): void {
    if (this.#isGivenUp) return;
    this.#waiting.push({ bytes, isBinary, request: null });
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > WAITING_BYTES_MAX) this.#giveUp();
    else void this.#run();
  }

  /** Nothing more is read of the connection, which the library destroys in time. */
  #giveUp(): void {
    this.#isGivenUp = true;
    this.#waiting.length = 0;
    this.#hold();
    this.#options.socket.close(POLICY_VIOLATION, 'too much waits to be read');
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return this.#hold();
    this.#isBusy = true;
    for (let next = this.#waiting[0]; next !== undefined && this.#isOpen; next = this.#waiting[0]) {
      const waitMs = this.#waitOf(next);
      if (waitMs > 0) {
        await this.#wait(waitMs);
        continue;
      }
      this.#waiting.shift();
      this.#waitingBytes -= next.bytes.length;
      await this.#options.carryOut(next.request!);
    }
    this.#isBusy = false;
    this.#goOn();
  }

  /** A client that does not read is as good as silent; one that has to wait for its budget is not. */
  async #wait(ms: number): Promise<void> {
    this.#hold();
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (!this.#options.isStuck()) this.#options.onHeldBack();
  }

  /** Returns how long a message has to wait, and takes its cost from the budgets if it need not. */
  #waitOf(next: Waiting<Request>): number {
    const { elapsedMs, read, isBatch, rowsOf, isStuck } = this.#options;
    if (isStuck()) return STUCK_MS;
    const nowMs = elapsedMs();
    if (next.request === null) {
      const waitMs = this.#messages.take(1 + next.bytes.length / COUNTED_BYTES, nowMs);
      if (waitMs > 0) return waitMs;
      next.request = read(next.bytes, next.isBinary);
    }
    if (isBatch(next.request)) return this.#batches.take(1, nowMs);
    return this.#messages.take(Math.min(rowsOf(next.request) / COUNTED_ROWS, ROWS_COST_MAX), nowMs);
  }

  get #isOpen(): boolean {
    const { socket } = this.#options;
    return socket.readyState === socket.OPEN;
  }

  #hold(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#options.socket.pause();
  }

  #goOn(): void {
    if (!this.#isPaused || this.#isGivenUp) return;
    this.#isPaused = false;
    this.#options.onHeldBack();
    this.#options.socket.resume();
  }
}

class Bucket {
  readonly #budget: Budget;
  #left: number;
  #atMs: number;

  constructor(budget: Budget, nowMs: number) {
    this.#budget = budget;
    this.#left = budget.burst;
    this.#atMs = nowMs;
  }

  /** Takes a cost and returns 0, or the milliseconds until there is enough. */
  take(cost: number, nowMs: number): number {
    const { perSecond, burst } = this.#budget;
    this.#left = Math.min(burst, this.#left + ((nowMs - this.#atMs) * perSecond) / 1_000);
    this.#atMs = nowMs;
    if (this.#left < cost) return Math.ceil(((cost - this.#left) * 1_000) / perSecond);
    this.#left -= cost;
    return 0;
  }
}

/** The library hands over one buffer unless told otherwise. */
function bytesOf(data: unknown): Buffer {
  return data as Buffer;
}
