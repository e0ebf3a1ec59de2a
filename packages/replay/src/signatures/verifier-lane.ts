/** A verification thread, seen from the asking thread. */

import { Worker } from 'node:worker_threads';
import type { Address } from '@venue/protocol';
import type { Implementation } from './recovery.ts';

export interface Job {
  readonly text: string;
  /** As posted. */
  readonly signature: string;
  readonly resolve: (signer: Address | null) => void;
  readonly reject: (error: Error) => void;
}

/** Jobs as they travel. Strings, because copying a byte array for each signature costs the asking thread more. */
export interface Batch {
  readonly texts: readonly string[];
  readonly signatures: readonly string[];
}

/** The signers of a batch, in order. */
export type Answer = readonly (Address | null)[];

/** The first message of a thread: its implementation, or why it failed to load. */
export type Greeting = { readonly implementation: Implementation } | { readonly fault: string };

export interface LaneOptions {
  /** Undefined means native if it loads. */
  readonly implementation: Implementation | undefined;
}

/** Starts a thread and waits until its library has loaded. Rejects with the thread's error. */
export async function openLane(implementation?: Implementation): Promise<Lane> {
  const workerData: LaneOptions = { implementation };
  const worker = new Worker(new URL('./verifier-worker.ts', import.meta.url), {
    name: 'verifier',
    workerData,
  });
  const greeting = await new Promise<Greeting>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`verification thread exited with code ${code}`)));
  });
  if ('fault' in greeting) {
    await worker.terminate();
    throw new Error(greeting.fault);
  }
  return new Lane(worker, greeting.implementation);
}

// While a thread works on one batch the next is already queued, so that it never idles.
const BATCHES_IN_FLIGHT_MAX = 2;

export class Lane {
  readonly implementation: Implementation;
  readonly #worker: Worker;
  onFree: () => void = () => {};
  /** Called once, after everything in flight has been rejected. Not called by `close`. */
  onDeath: (error: Error) => void = () => {};
  #inFlight: Job[][] = [];
  #ended = false;

  constructor(worker: Worker, implementation: Implementation) {
    this.#worker = worker;
    this.implementation = implementation;
    worker.on('message', (answer: Answer) => this.#settle(answer));
    worker.on('error', (cause) => this.#die(new Error('verification thread died', { cause })));
    worker.on('messageerror', (cause) => this.#die(new Error('verification thread unreadable', { cause })));
    worker.on('exit', (code) => this.#die(new Error(`verification thread exited with code ${code}`)));
    worker.unref();
  }

  isFree(): boolean {
    return !this.#ended && this.#inFlight.length < BATCHES_IN_FLIGHT_MAX;
  }

  isIdle(): boolean {
    return this.#inFlight.length === 0;
  }

  /** Answers settle the jobs. */
  send(jobs: Job[]): void {
    // A thread that waits for work keeps no process alive.
    if (this.isIdle()) this.#worker.ref();
    this.#inFlight.push(jobs);
    const texts = jobs.map(({ text }) => text);
    const signatures = jobs.map(({ signature }) => signature);
    this.#worker.postMessage({ texts, signatures } satisfies Batch);
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #settle(answer: Answer): void {
    const jobs = this.#inFlight.shift() ?? [];
    if (this.isIdle()) this.#worker.unref();
    for (const [index, job] of jobs.entries()) job.resolve(answer[index] ?? null);
    this.onFree();
  }

  #die(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    const jobs = this.#inFlight.flat();
    this.#inFlight = [];
    for (const job of jobs) job.reject(error);
    this.onDeath(error);
  }
}
