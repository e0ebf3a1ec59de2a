/**
 * Batches already recorded at the exchange, which a reorg deeper than the confirmations could still remove from the
 * chain.
 */

import type { Address } from '@venue/protocol';
import { AlarmError } from '../chain/alarm.ts';
import { RpcRefusal } from '../chain/errors.ts';
import { Reminder } from '../daemon/reminder.ts';
import type { Vault } from '../events/vault.ts';
import type { ClosedBatch } from './state.ts';

/** A server may lag behind itself, so an answer counts only after this many repeats. */
const CHECKS_MIN = 3;

export class ClosedBatches {
  readonly #vault: Vault;
  readonly #operator: Address;
  readonly #gone: Reminder;
  #checks = 0;

  constructor(vault: Vault, operator: Address, log: (line: string) => void) {
    this.#vault = vault;
    this.#operator = operator;
    this.#gone = new Reminder(log);
  }

  /** The batches recent enough to keep watching. */
  kept(closed: readonly ClosedBatch[], fromBlock: number): ClosedBatch[] {
    return closed.filter(({ blockNumber }) => blockNumber >= fromBlock);
  }

  /**
   * Resends a batch that has left the chain, with the bytes it was mined with; nothing else can be mined in its
   * place. Throws `AlarmError` if its nonce was used by another transaction, because then a person must pay what is
   * recorded as paid.
   */
  async watch(closed: readonly ClosedBatch[]): Promise<void> {
    let taken: ClosedBatch | null = null;
    for (const batch of closed) {
      const sent = await this.#vault.chain.sentCount(this.#operator);
      if (await this.#vault.isBatchCommitted(batch.batchId, 'latest')) continue;
      this.#gone.say(`ALARM: a reorg took batch ${batch.batchId} off the chain; it is sent again`);
      if (sent > batch.nonce) taken = batch;
      else await this.#send(batch);
    }
    this.#checks = taken === null ? 0 : this.#checks + 1;
    if (taken !== null && this.#checks >= CHECKS_MIN)
      throw new AlarmError(
        `batch ${taken.batchId} is noted at the exchange as committed, and a reorg has put another transaction in its ` +
          `place: its payouts have to be committed by hand`,
      );
  }

  // The next round reads the chain again, so a refusal adds no information.
  async #send({ signed }: ClosedBatch): Promise<void> {
    try {
      await this.#vault.chain.send(signed);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
    }
  }
}
