/** Works out curves in a thread of its own: thousands of prices of the model would hold up every order (CMB-4). */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PnlCurve } from '@venue/protocol';
import type { CurveHolding } from './pnl-curves.ts';

export interface CurveQuestion {
  readonly holdings: readonly CurveHolding[];
  readonly ts: number;
}

interface Running {
  readonly worker: Worker;
  readonly ended: AbortSignal;
}

/** Answers one question at a time: a caller waits for the answer first. */
export class CurveThread {
  /** Null until there is something to work out, and after a failure. */
  #running: Running | null = null;

  /** Rejects if the thread fails or is closed meanwhile; the next question starts another one. */
  async curves(question: CurveQuestion): Promise<readonly PnlCurve[]> {
    if (question.holdings.length === 0) return [];
    this.#running ??= this.#start();
    const { worker, ended } = this.#running;
    worker.postMessage(question);
    const [curves] = (await once(worker, 'message', { signal: ended })) as [readonly PnlCurve[]];
    return curves;
  }

  async close(): Promise<void> {
    await this.#running?.worker.terminate();
  }

  #start(): Running {
    // Flags meant for the main thread, such as --eval, would break this one.
    const worker = new Worker(new URL('./curve-worker.ts', import.meta.url), {
      name: 'curves',
      execArgv: [],
    });
    const end = new AbortController();
    worker.once('exit', () => {
      this.#running = null;
      end.abort(new Error('the thread of the curves has ended'));
    });
    return { worker, ended: end.signal };
  }
}
