/**
 * Simulates in a separate thread: the test runner tracks every promise of its own thread, and a seed creates so many
 * that it would take twice as long there.
 */

import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { type Report, simulate } from './simulate.ts';

/** Runs one seed after another. The owner must close it. */
export class SimulationThread {
  readonly #worker = new Worker(new URL(import.meta.url));

  /** Same as `simulate`, and rejects with whatever it throws. */
  async simulate(seed: number): Promise<Report> {
    this.#worker.postMessage(seed);
    const [report] = await once(this.#worker, 'message');
    return report;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

if (!isMainThread) parentPort!.on('message', async (seed) => parentPort!.postMessage(await simulate(seed)));
