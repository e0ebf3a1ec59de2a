/** The status line of every minute: what was committed since the last one, and whether a batch is open. */

import { usdText } from '../chain/amounts.ts';
import type { Batch } from './state.ts';

const EVERY_MS = 60_000;

export class Tally {
  readonly #log: (line: string) => void;
  #atMs = performance.now();
  #payouts = 0;
  #micros = 0n;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  committed({ payouts }: Batch): void {
    this.#payouts += payouts.length;
    this.#micros += payouts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  }

  /** Logs the line if it is due. */
  report(head: number, open: Batch | null): void {
    if (performance.now() - this.#atMs < EVERY_MS) return;
    const batch =
      open === null
        ? 'no batch is open'
        : `a batch of ${open.payouts.length} payouts is open, nonce ${open.nonce}`;
    this.#log(
      `head ${head}; since the last line ${this.#payouts} payouts, ${usdText(this.#micros)}; ${batch}`,
    );
    this.#atMs = performance.now();
    this.#payouts = 0;
    this.#micros = 0n;
  }
}
