/** Tells the exchange why payouts wait, for the people who look there (CUS-7, CUS-16). Nothing depends on its arrival. */

import { VenueError, VenueUnreachableError } from '@venue/sdk';
import { Reminder } from '../daemon/reminder.ts';
import type { HeldPayout } from './due.ts';

export interface ReportSink {
  halt(reason: string | null): Promise<unknown>;
  noteWait(request: { id: number; reason: string | null }): Promise<unknown>;
}

/** Each report is an entry of the ledger, so a round makes no more. */
const REPORTS_PER_ROUND_MAX = 50;
const REASON_LENGTH_MAX = 200;

export class Reports {
  readonly #sink: ReportSink;
  readonly #failure: Reminder;
  /** The halt as the exchange knows it, null for none; undefined until it was asked. */
  #halted: string | null | undefined;

  constructor(sink: ReportSink, log: (line: string) => void) {
    this.#sink = sink;
    this.#failure = new Reminder(log);
  }

  /** Takes the halt as the exchange knows it, so that nothing is reported twice. */
  haltedIs(reason: string | null): void {
    this.#halted = reason;
  }

  /** Reports that no payout can be made, or with null that they are made again. */
  async halt(reason: string | null): Promise<void> {
    if (reason === this.#halted) return;
    if (await this.#sent(() => this.#sink.halt(reason))) this.#halted = reason;
  }

  /** Lifts a halt that was reported for this reason. */
  async over(reason: string): Promise<void> {
    if (this.#halted === reason) await this.halt(null);
  }

  /** Reports the reasons that have changed. What waits for money alone is told by `halt`. */
  async waits(held: readonly HeldPayout[]): Promise<void> {
    const reasons = held.map(({ row, why }) => ({ row, reason: why === null ? null : lineOf(why) }));
    const changed = reasons.filter(({ row, reason }) => row.waits !== reason);
    for (const { row, reason } of changed.slice(0, REPORTS_PER_ROUND_MAX))
      if (!(await this.#sent(() => this.#sink.noteWait({ id: row.id, reason })))) return;
  }

  async #sent(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send();
      this.#failure.over();
      return true;
    } catch (error) {
      if (!(error instanceof VenueError || error instanceof VenueUnreachableError)) throw error;
      this.#failure.say(`the exchange does not take a report about payouts: ${error.message}`);
      return false;
    }
  }
}

/** A reason may repeat what the exchange has sent, and is taken back in one short line only. */
function lineOf(reason: string): string {
  return reason.replace(/[\n\r]/g, ' ').slice(0, REASON_LENGTH_MAX);
}
