/** Virtual time: one queue of events for all processes of a simulated venue, in an order that only the seed decides. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { Random } from '../../engine/sim/random.ts';
import type { Counts } from './faults.ts';

/** Owner of events, as a process owns its timers. A dead owner's events are dropped, a paused owner's are delayed. */
export interface Owner {
  readonly name: string;
  isAlive: boolean;
  /** Virtual ms. */
  pausedUntilMs: number;
}

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly owner: Owner;
  readonly act: () => void;
}

export interface Cancellable {
  isCancelled: boolean;
}

/** Turns of the real event loop after each event, enough for its work to wait for the next event. */
const SETTLE_TURNS = 4;
/** More events than this mean an endless loop. */
const EVENTS_MAX = 2_000_000;

const nextTurn = globalThis.setImmediate;

export class World {
  readonly random: Random;
  readonly counts: Counts;
  readonly #owners = new AsyncLocalStorage<Owner>();
  readonly #events: Event[] = [];
  #nowMs = 0;
  #order = 0;
  #failure: string | null = null;

  constructor(seed: number, counts: Counts) {
    this.random = new Random(seed);
    this.counts = counts;
  }

  /** Monotonic time in ms. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** The first fault found so far. */
  get failure(): string | null {
    return this.#failure;
  }

  fail(failure: string): void {
    this.#failure ??= `at ${this.#nowMs} ms: ${failure}`;
  }

  /** The owner of the code that is running. */
  get owner(): Owner {
    const owner = this.#owners.getStore();
    if (owner === undefined) throw new Error('this runs outside of any event');
    return owner;
  }

  /** Runs `act` after `delayMs`, unless its owner is dead by then. */
  after(delayMs: number, act: () => void, owner = this.owner): Cancellable {
    const handle = { isCancelled: false };
    const run = () => {
      if (!handle.isCancelled) act();
    };
    this.#push({ atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, owner, act: run });
    return handle;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Runs events until `untilMs` or the first fault. */
  async run(untilMs: number): Promise<void> {
    while (this.#failure === null && this.#events.length > 0 && this.#events[0]!.atMs <= untilMs) {
      const event = this.#pop();
      this.#nowMs = Math.max(this.#nowMs, event.atMs);
      if (!event.owner.isAlive) continue;
      if (event.owner.pausedUntilMs > this.#nowMs) {
        this.#push({ ...event, atMs: event.owner.pausedUntilMs });
        continue;
      }
      this.#act(event);
      await this.#settle();
      if (this.#order > EVENTS_MAX) this.fail('events without end');
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  #act({ owner, act }: Event): void {
    try {
      this.#owners.run(owner, act);
    } catch (error) {
      this.fail(`${owner.name} threw ${(error as Error).stack}`);
    }
  }

  async #settle(): Promise<void> {
    for (let turn = 0; turn < SETTLE_TURNS; turn++) await new Promise<void>((resolve) => nextTurn(resolve));
  }

  #push(event: Event): void {
    const heap = this.#events;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): Event {
    const heap = this.#events;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

/** Fails if an entry's time is further from the true time than a clock may jump unnoticed (CLOCK-1). */
export function refuseWrongTime(world: World, ts: number, trueMs: number): void {
  if (Math.abs(ts - trueMs) > 2_000)
    world.fail(`an entry got a time ${Math.round(ts - trueMs)} ms off the true one`);
}
