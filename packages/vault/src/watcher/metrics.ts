/** Metrics of the watcher's progress, and of what it has credited. */

import { MICROS_PER_UNIT } from '@venue/protocol';
import { Counter, Gauge } from 'prom-client';
import { RoundMetrics } from '../daemon/metrics.ts';

export class WatcherMetrics extends RoundMetrics {
  readonly #head: Gauge;
  readonly #block: Gauge;
  readonly #deposits: Counter;
  readonly #dollars: Counter;
  readonly #unexplained: Gauge;

  constructor() {
    super('watcher');
    const registers = [this.registry];
    this.#head = new Gauge({
      name: 'venue_watcher_head_block',
      help: 'Newest block of the chain',
      registers,
    });
    this.#block = new Gauge({
      name: 'venue_watcher_block',
      help: 'Block up to which deposits are credited',
      registers,
    });
    this.#deposits = new Counter({
      name: 'venue_watcher_deposits_total',
      help: 'Deposits that the exchange took as new ones',
      registers,
    });
    this.#dollars = new Counter({
      name: 'venue_watcher_deposited_dollars_total',
      help: 'What they brought',
      registers,
    });
    this.#unexplained = new Gauge({
      name: 'venue_watcher_unexplained_dollars',
      help: "Lasting difference of ledger or balance from the vault's own events; 0 if there is none",
      labelNames: ['side'],
      registers,
    });
    for (const side of ['ledger', 'vault'] as const) this.unexplained(side, 0n);
  }

  /** The ledger's credits, or the vault's balance, beyond what the vault's events account for. */
  unexplained(side: 'ledger' | 'vault', micros: bigint): void {
    this.#unexplained.set({ side }, Number(micros) / MICROS_PER_UNIT);
  }

  credited(amountMicros: number): void {
    this.#deposits.inc();
    this.#dollars.inc(amountMicros / MICROS_PER_UNIT);
  }

  at({ block, head }: { readonly block: number; readonly head: number }): void {
    this.#block.set(block);
    this.#head.set(head);
  }
}
