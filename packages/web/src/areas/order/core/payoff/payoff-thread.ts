/** Computes payoffs in a worker, started with the first request. */

import type { Payoff, PayoffMoment } from './payoff.ts';
import type { PayoffLeg } from './payoff-leg.ts';

export interface PayoffQuestion {
  readonly id: number;
  readonly legs: readonly PayoffLeg[];
  readonly moment: PayoffMoment;
}

export interface PayoffAnswer {
  readonly id: number;
  readonly payoff: Payoff | null;
}

export class PayoffThread {
  #worker: Worker | null = null;
  #asked = 0;
  readonly #waiting = new Map<number, (payoff: Payoff | null) => void>();

  /** The result of `payoffOf`; also null where the worker cannot start. */
  ask(legs: readonly PayoffLeg[], moment: PayoffMoment): Promise<Payoff | null> {
    this.#worker ??= this.#start();
    this.#asked += 1;
    const question: PayoffQuestion = { id: this.#asked, legs, moment };
    this.#worker.postMessage(question);
    return new Promise((resolve) => this.#waiting.set(question.id, resolve));
  }

  #start(): Worker {
    const worker = new Worker(new URL('./payoff-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<PayoffAnswer>) => {
      this.#waiting.get(data.id)?.(data.payoff);
      this.#waiting.delete(data.id);
    });
    worker.addEventListener('error', () => {
      for (const resolve of this.#waiting.values()) resolve(null);
      this.#waiting.clear();
      worker.terminate();
      this.#worker = null;
    });
    return worker;
  }
}
