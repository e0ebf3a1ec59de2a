/** Metrics of the open batch, and of what was committed. */

import { MICROS_PER_UNIT } from '@venue/protocol';
import { Counter, Gauge } from 'prom-client';
import { RoundMetrics } from '../daemon/metrics.ts';
import type { Batch } from './state.ts';

export class BatcherMetrics extends RoundMetrics {
  readonly #payouts: Counter;
  readonly #dollars: Counter;
  #open: Batch | null = null;

  constructor() {
    super('batcher');
    const registers = [this.registry];
    this.#payouts = new Counter({
      name: 'venue_batcher_payouts_total',
      help: 'Payouts committed on chain',
      registers,
    });
    this.#dollars = new Counter({
      name: 'venue_batcher_paid_dollars_total',
      help: 'Their sum',
      registers,
    });
    const payouts: Gauge = new Gauge({
      name: 'venue_batcher_open_payouts',
      help: 'Payouts of the batch that waits for the chain; 0 when none does',
      registers,
      collect: () => payouts.set(this.#open?.payouts.length ?? 0),
    });
    const age: Gauge = new Gauge({
      name: 'venue_batcher_open_age_seconds',
      help: 'Since that batch was first signed; 0 when none waits',
      registers,
      collect: () =>
        age.set(this.#open === null ? 0 : (Date.now() - this.#open.forms[0]!.signedAtMs) / 1_000),
    });
  }

  committed({ payouts }: Batch): void {
    this.#payouts.inc(payouts.length);
    this.#dollars.inc(
      Number(payouts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)) / MICROS_PER_UNIT,
    );
  }

  openIs(batch: Batch | null): void {
    this.#open = batch;
  }
}
