/** A process that repeatedly reads one path and compares every answer with the allowed bodies. */

import { performance } from 'node:perf_hooks';
import { getOf, type Headers, RawConnection } from '../shared/connection.ts';

export interface LoadOrder {
  readonly url: string;
  readonly path: string;
  readonly headers: Headers;
  readonly connections: number;
  readonly forMs: number;
  /** Reads a second, sent at planned times; null for as many as the server takes. */
  readonly perSecond: number | null;
  /** Every answer must equal one of these, byte for byte. */
  readonly bodies: readonly Uint8Array[];
}

export interface LoadReport {
  readonly reads: number;
  readonly elapsedMs: number;
  /** From the planned send to the whole answer; meaningless for a saturated server. */
  readonly timesMs: Float64Array;
  /** Processor time of this process. */
  readonly cpuMs: number;
  /** Why an answer was wrong, or null. */
  readonly fault: string | null;
}

/** Longer waits use a timer, which fires up to a millisecond late; shorter ones spin the event loop. */
const TIMER_FROM_MS = 2;

class Load {
  readonly #order: LoadOrder;
  readonly #request: Buffer;
  readonly #timesMs: number[] = [];
  #startMs = 0;
  #planned = 0;

  constructor(order: LoadOrder) {
    this.#order = order;
    this.#request = getOf(order.path, order.headers);
  }

  async run(): Promise<LoadReport> {
    const { url, connections, perSecond } = this.#order;
    const opening = Array.from({ length: connections }, () => RawConnection.open(url));
    const lanes = await Promise.all(opening);
    const before = process.cpuUsage();
    this.#startMs = performance.now();
    const fault = await Promise.all(
      lanes.map((lane) => (perSecond === null ? this.#saturate(lane) : this.#pace(lane, perSecond))),
    ).then(
      () => null,
      (error) => String(error),
    );
    const elapsedMs = performance.now() - this.#startMs;
    const { user, system } = process.cpuUsage(before);
    for (const lane of lanes) lane.close();
    const timesMs = Float64Array.from(this.#timesMs);
    return { reads: timesMs.length, elapsedMs, timesMs, cpuMs: (user + system) / 1_000, fault };
  }

  /** Sends the next read once the last is answered. */
  async #saturate(lane: RawConnection): Promise<void> {
    while (performance.now() - this.#startMs < this.#order.forMs) await this.#read(lane, performance.now());
  }

  /** The next free lane takes the next planned read; one that finds all lanes busy waits, and the wait counts. */
  async #pace(lane: RawConnection, perSecond: number): Promise<void> {
    for (;;) {
      const afterMs = (this.#planned++ * 1_000) / perSecond;
      if (afterMs >= this.#order.forMs) return;
      await until(this.#startMs + afterMs);
      await this.#read(lane, this.#startMs + afterMs);
    }
  }

  async #read(lane: RawConnection, plannedMs: number): Promise<void> {
    const { status, body } = await lane.send(this.#request);
    this.#timesMs.push(performance.now() - plannedMs);
    if (status !== 200 || !this.#order.bodies.some((one) => body.equals(one)))
      throw new Error(
        `${this.#order.path}: ${status}, not one of the bodies: ${body.toString('latin1', 0, 300)}`,
      );
  }
}

async function until(ms: number): Promise<void> {
  for (let waitMs = ms - performance.now(); waitMs > 0; waitMs = ms - performance.now()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waitMs >= TIMER_FROM_MS) setTimeout(resolve, waitMs - TIMER_FROM_MS);
    else setImmediate(resolve);
    await promise;
  }
}

process.on('message', async (order: LoadOrder) => process.send!(await new Load(order).run()));
process.once('disconnect', () => process.exit());
