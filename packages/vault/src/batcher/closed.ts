/** Batches that the exchange has noted: a reorg deeper than the confirmations could still take them off the chain. */

import type { Address } from '@venue/protocol';
import { AlarmError } from '../alarm.ts';
import { RpcRefusal } from '../chain/errors.ts';
import type { Vault } from '../chain/vault.ts';
import { Reminder } from '../reminder.ts';
import type { ClosedBatch } from './state.ts';

/** A server may lag behind itself: only what it says so many times in a row is believed. */
const LOOKS = 3;

export class ClosedBatches {
  readonly #vault: Vault;
  readonly #operator: Address;
  readonly #gone: Reminder;
  #looks = 0;

  constructor(vault: Vault, operator: Address, log: (line: string) => void) {
    this.#vault = vault;
    this.#operator = operator;
    this.#gone = new Reminder(log);
  }

  /** Those young enough to be watched on. */
  kept(closed: readonly ClosedBatch[], fromBlock: number): ClosedBatch[] {
    return closed.filter(({ blockNumber }) => blockNumber >= fromBlock);
  }

  /**
   * Sends again, with the bytes it was mined with, what is no longer on the chain; nothing else can be mined in its
   * place. Throws `AlarmError` when its nonce is used up without it, for then a person has to pay what is noted as paid.
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
    this.#looks = taken === null ? 0 : this.#looks + 1;
    if (taken !== null && this.#looks >= LOOKS)
      throw new AlarmError(
        `batch ${taken.batchId} is noted at the exchange as committed, and a reorg has put another transaction in its ` +
          `place: its payouts have to be committed by hand`,
      );
  }

  // The chain is asked again in the next round, so that a refusal says nothing new.
  async #send({ signed }: ClosedBatch): Promise<void> {
    try {
      await this.#vault.chain.send(signed);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
    }
  }
}
