/**
 * Simulates in a thread of its own, for tests: the test runner follows every promise of its own thread, and a seed has
 * so many that it would take twice as long there.
 */

import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { type Report, simulate } from './simulate.ts';

/** One seed after the other; whoever has it closes it. */
export class SimulationThread {
  readonly #worker = new Worker(new URL(import.meta.url));

  /** As `simulate`. Rejects with what that throws. */
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
