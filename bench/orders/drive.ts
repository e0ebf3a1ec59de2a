/** Sends prepared writes and checks every answer: as many as a server takes, or at planned times. */

import assert from 'node:assert/strict';
import { type RawAnswer, RawConnection } from './http.ts';
import type { Write } from './traders.ts';

/** Checks an answer and returns its content; throws for a wrong one. */
export type Check = (write: Write, answer: RawAnswer) => void;

/** A server that does not answer for this long is stuck. */
const ANSWER_LIMIT_MS = 10_000;

export interface Run {
  /** Number of orders, without cancels. */
  readonly orders: number;
  /** Number of orders and cancels. */
  readonly actions: number;
  readonly elapsedMs: number;
  /** From the planned send of each write with orders to its answer; meaningless for a saturated server. */
  readonly latenciesMs: Float64Array;
  /** How far behind its plan each write was sent; included in its latency. */
  readonly lateMs: Float64Array;
}

/** A fixed set of connections to one server. */
export class Lanes {
  readonly #all: readonly RawConnection[];
  readonly #check: Check;

  private constructor(all: readonly RawConnection[], check: Check) {
    this.#all = all;
    this.#check = check;
  }

  static async open(url: string, options: { count: number; check: Check }): Promise<Lanes> {
    const opening = Array.from({ length: options.count }, () => RawConnection.open(url));
    return new Lanes(await Promise.all(opening), options.check);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  /** Every connection sends its next write once the last is answered, until the time or the writes run out. */
  saturate(writes: readonly Write[], forMs: number): Promise<Run> {
    const untilMs = performance.now() + forMs;
    // No planned times: each connection sends as soon as it can.
    return this.#drive(writes, { plannedMs: () => 0, isOver: () => performance.now() >= untilMs });
  }

  /** Sends writes at evenly spaced planned times; one that finds every connection busy waits, and the wait counts. */
  pace(writes: readonly Write[], writesPerSecond: number): Promise<Run> {
    const startMs = performance.now();
    const gapMs = 1_000 / writesPerSecond;
    return this.#drive(writes, { plannedMs: (i) => startMs + i * gapMs, isOver: () => false });
  }

  #drive(writes: readonly Write[], plan: Plan): Promise<Run> {
    const { promise, resolve, reject } = Promise.withResolvers<Run>();
    new Drive({ connections: this.#all, writes, plan, check: this.#check }, resolve, reject).begin();
    return promise;
  }
}

interface Plan {
  /** When the i-th write is due, on the clock of `performance`. */
  readonly plannedMs: (i: number) => number;
  /** True once nothing more is to be sent. */
  readonly isOver: () => boolean;
}

interface DriveOptions {
  readonly connections: readonly RawConnection[];
  readonly writes: readonly Write[];
  readonly plan: Plan;
  readonly check: Check;
}

class Drive {
  readonly #options: DriveOptions;
  readonly #resolve: (run: Run) => void;
  readonly #reject: (error: unknown) => void;
  readonly #startMs = performance.now();
  readonly #latenciesMs: Float64Array;
  readonly #lateMs: Float64Array;
  /** Longest idle first, so that all are used. */
  readonly #free: RawConnection[];
  #sent = 0;
  #answered = 0;
  #orders = 0;
  #actions = 0;
  /** The writes with orders among them, whose latencies count. */
  #timed = 0;
  #isOver = false;
  #lastAnswerMs = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DriveOptions, resolve: (run: Run) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#free = [...options.connections];
    this.#latenciesMs = new Float64Array(options.writes.length);
    this.#lateMs = new Float64Array(options.writes.length);
  }

  begin(): void {
    this.#timer = setInterval(() => {
      if (performance.now() - this.#lastAnswerMs > ANSWER_LIMIT_MS) this.#fail(new Error('no answer'));
      this.#step();
    }, 1);
    this.#step();
  }

  /** Sends due writes while connections are free. */
  #step(): void {
    const { writes, plan } = this.#options;
    this.#isOver ||= this.#sent === writes.length || plan.isOver();
    while (!this.#isOver && this.#free.length > 0) {
      const nowMs = performance.now();
      const plannedMs = plan.plannedMs(this.#sent);
      if (plannedMs > nowMs) return;
      this.#lateMs[this.#sent] = nowMs - plannedMs;
      this.#send(writes[this.#sent++]!, plannedMs);
      this.#isOver = this.#sent === writes.length;
    }
  }

  #send(write: Write, plannedMs: number): void {
    const connection = this.#free.shift()!;
    connection.send(write.bytes, (answer) => {
      try {
        this.#options.check(write, answer);
      } catch (error) {
        this.#fail(error);
        return;
      }
      this.#lastAnswerMs = performance.now();
      if (write.orders > 0) this.#latenciesMs[this.#timed++] = this.#lastAnswerMs - plannedMs;
      this.#orders += write.orders;
      this.#actions += write.actions;
      this.#answered += 1;
      this.#free.push(connection);
      this.#step();
      if (this.#isOver && this.#answered === this.#sent) this.#finish();
    });
  }

  #fail(error: unknown): void {
    clearInterval(this.#timer);
    this.#reject(error);
  }

  #finish(): void {
    clearInterval(this.#timer);
    const latenciesMs = this.#latenciesMs.slice(0, this.#timed);
    const lateMs = this.#lateMs.slice(0, this.#sent);
    const elapsedMs = performance.now() - this.#startMs;
    this.#resolve({ orders: this.#orders, actions: this.#actions, elapsedMs, latenciesMs, lateMs });
  }
}

const ACCEPTED = /^\{"status":"(rested|partial|filled)","orderId":(\d+),/;
const CANCELLED = /^\{"ok":(true|false),"pulled":\d+/;
/** The result of an action; a level filled and a level of the account cannot look like one. */
const RESULT =
  /\{"type":"(?:place","status":"(rested|partial|filled)","orderId":(\d+)|cancel-all","ok":(?:true|false))/g;

/** The contents of the answers to orders. */
export class Answers {
  readonly counts = { rested: 0, partial: 0, filled: 0, cancels: 0, bytes: 0 };
  /** Keys of the acknowledged orders (`keyOf`): `orderIds[i]` belongs to `keys[i]`. */
  readonly keys: string[] = [];
  readonly orderIds: number[] = [];
  readonly #ids = new Set<number>();

  readonly check: Check = (write, answer) => {
    assert.equal(answer.status, 200, answer.start);
    this.counts.bytes += answer.bodyBytes;
    switch (write.path) {
      case '/v1/order': {
        const accepted = ACCEPTED.exec(answer.start) ?? assert.fail(answer.start);
        this.#takeOrder(write, 0, accepted);
        break;
      }
      case '/v1/cancel':
        assert.match(answer.start, CANCELLED);
        this.counts.cancels += 1;
        break;
      case '/v1/batch':
        this.#takeBatch(write, answer.body());
        break;
    }
  };

  #takeBatch(write: Write, body: string): void {
    let index = 0;
    for (const result of body.matchAll(RESULT)) {
      if (result[2] === undefined) this.counts.cancels += 1;
      else this.#takeOrder(write, index, result);
      index += 1;
    }
    assert.equal(index, write.actions, body);
  }

  #takeOrder(write: Write, index: number, [, outcome, id]: readonly (string | undefined)[]): void {
    const orderId = Number(id);
    assert.ok(!this.#ids.has(orderId), `order ${orderId} was acknowledged twice`);
    this.#ids.add(orderId);
    this.counts[outcome as 'rested' | 'partial' | 'filled'] += 1;
    this.keys.push(keyOf(write, index));
    this.orderIds.push(orderId);
  }
}

/** Names an order by its signature and its place under it. */
export function keyOf({ sessionKey, nonce }: Pick<Write, 'sessionKey' | 'nonce'>, index: number): string {
  return `${sessionKey} ${nonce} ${index}`;
}
