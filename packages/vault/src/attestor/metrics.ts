/** Metrics of the attestor: what waits, and what it answered. */

import { Counter, Gauge } from 'prom-client';
import type { Verdict } from '../chain/contract-signature.ts';
import { RoundMetrics } from '../daemon/metrics.ts';

const VERDICTS: readonly Verdict[] = ['valid', 'no-contract', 'invalid', 'failed'];

export class AttestorMetrics extends RoundMetrics {
  readonly #parked: Gauge;
  readonly #answers: Counter;

  constructor() {
    super('attestor');
    const registers = [this.registry];
    this.#parked = new Gauge({
      name: 'venue_attestor_parked',
      help: 'Approvals by contract wallets that wait',
      registers,
    });
    this.#answers = new Counter({
      name: 'venue_attestor_answers_total',
      help: 'Approvals answered, by what the chain says of them',
      labelNames: ['verdict'],
      registers,
    });
    for (const verdict of VERDICTS) this.#answers.inc({ verdict }, 0);
  }

  parked(count: number): void {
    this.#parked.set(count);
  }

  answered(verdict: Verdict): void {
    this.#answers.inc({ verdict });
  }
}
