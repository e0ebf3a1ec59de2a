/** Stops sharing a log with releases of schema 1, which can append only while `head` contains the log's end. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, isPassing, LONG_ANSWER_MS, type Run, reasonOf, sqlStateOf } from './connection.ts';
import type { PrimarySession } from './link.ts';
import { dropSharedEnd, LOCK_NOT_AVAILABLE, readVersion, SHARED_VERSION } from './schema.ts';
import { OLDER_NODES } from './statements.ts';

/** An older node that lost its connection retries at least every 4 s: it tries for 3 s, after a pause of 1 s. */
const OLDER_UNSEEN_MS = 15_000;
/** How many times the process looks for older nodes within that time. */
const LOOKS = 40;
/** A process that looked fewer times, because it was suspended, may have missed a node. */
const LOOKS_MIN = 8;

const SHARED = 'the log is still written as an older release does, which slows down beside long transactions';

export interface TakeOverOptions {
  readonly session: () => PrimarySession | undefined;
  /** How long no older node must have been seen (15 s). */
  readonly unseenMs?: number | undefined;
  readonly onWarning: (text: string) => void;
}

/** Several nodes may do this at the same time. If one exits early, the others or the next start finish it. */
export class TakeOver {
  readonly #options: TakeOverOptions;
  readonly #unseenMs: number;
  readonly #closing = new AbortController();
  /** Restarts with every connection, because a newly promoted server has not seen any node yet. */
  #watch:
    | { readonly connection: Connection; readonly sinceMs: number; readonly lookedMs: number }
    | undefined;
  #said: string | undefined;

  constructor(options: TakeOverOptions) {
    this.#options = options;
    this.#unseenMs = options.unseenMs ?? OLDER_UNSEEN_MS;
  }

  /** Resolves once it is done, or stopped. */
  async run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted && !(await this.#step()))
      await sleep(this.#unseenMs / LOOKS, undefined, { signal }).catch(() => {});
  }

  stop(): void {
    this.#closing.abort();
  }

  /** Returns true once there is nothing left to do. */
  async #step(): Promise<boolean> {
    const session = this.#options.session();
    if (session === undefined) return false;
    try {
      const isDone = await this.#look(session);
      if (isDone)
        this.#say('the log is written as this release does from now on, so no older one can open it');
      return isDone;
    } catch (error) {
      this.#watch = undefined;
      if (sqlStateOf(error) === LOCK_NOT_AVAILABLE)
        this.#say(`${SHARED}, as a transaction holds its tables; that ends soon after it`);
      if (isPassing(error)) return false;
      this.#say(`${SHARED}, as it cannot be changed (${reasonOf(error)})`);
      return true;
    }
  }

  async #look({ listener, reader }: PrimarySession): Promise<boolean> {
    const run: Run = (statement) => listener.query(statement);
    if ((await readVersion(run)) !== SHARED_VERSION) return true;
    if (await isOlderThere(run)) {
      this.#watch = undefined;
      this.#say(
        `${SHARED}, as one is connected; that ends once none has been there for ${this.#unseenMs / 1000} s`,
      );
      return false;
    }
    if (this.#watchedMs(listener) < this.#unseenMs) return false;
    return reader.transaction(
      (within) => dropSharedEnd(within, { isHindered: () => isOlderThere(within) }),
      LONG_ANSWER_MS,
    );
  }

  #watchedMs(connection: Connection): number {
    const nowMs = performance.now();
    const watch = this.#watch;
    const goesOn = watch?.connection === connection && nowMs - watch.lookedMs <= this.#unseenMs / LOOKS_MIN;
    this.#watch = { connection, sinceMs: goesOn ? watch.sinceMs : nowMs, lookedMs: nowMs };
    return nowMs - this.#watch.sinceMs;
  }

  #say(text: string): void {
    if (text !== this.#said && !this.#closing.signal.aborted) this.#options.onWarning(text);
    this.#said = text;
  }
}

async function isOlderThere(run: Run): Promise<boolean> {
  const [row] = await run(OLDER_NODES);
  return row![0] === true;
}
