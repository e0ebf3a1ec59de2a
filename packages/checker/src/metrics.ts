/** Metrics of the checker: its rounds, and what is announced on chain (CUS-18). */

import { ANNOUNCED_KINDS, type Announced, RoundMetrics } from '@venue/vault/parts';
import { Gauge } from 'prom-client';

export class CheckerMetrics extends RoundMetrics {
  readonly #announced: Gauge;

  constructor() {
    super('checker');
    this.#announced = new Gauge({
      name: 'venue_checker_announced',
      help: 'What was announced at the gate and its failsafe and waits, by kind, and whether VENUE_CHECKER_SEEN names it',
      labelNames: ['kind', 'named'],
      registers: [this.registry],
    });
    this.announced([], new Set());
  }

  announced(pending: readonly Announced[], named: ReadonlySet<Announced>): void {
    for (const kind of ANNOUNCED_KINDS) {
      const all = pending.filter((one) => one.kind === kind);
      const known = all.filter((one) => named.has(one)).length;
      this.#announced.set({ kind, named: 'yes' }, known);
      this.#announced.set({ kind, named: 'no' }, all.length - known);
    }
  }
}
