/** Locates a signed batch on the chain. The chain is checked before anything is sent. */

import type { Address } from '@venue/protocol';
import { ChainError } from '../chain/errors.ts';
import type { Finality } from '../chain/finality.ts';
import type { Block, Receipt } from '../chain/parse.ts';
import type { Vault } from '../events/vault.ts';
import type { Batch } from './state.ts';

export type Whereabouts =
  /** One of its forms is in a block. */
  | { readonly kind: 'mined'; readonly receipt: Receipt; readonly isConfirmed: boolean }
  /** It is committed, but by no form known here. */
  | { readonly kind: 'committed-elsewhere'; readonly isConfirmed: boolean }
  /** Its nonce is used by another transaction, so none of its forms can ever be mined. */
  | { readonly kind: 'nonce-taken' }
  /** It may be pending, or lost. */
  | { readonly kind: 'waiting' };

export interface TrackerOptions {
  readonly vault: Vault;
  readonly operator: Address;
  readonly finality: Finality;
  readonly fromBlock: number;
}

export class Tracker {
  readonly #options: TrackerOptions;

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /** Reads the chain, the transaction count first, so that a form mined meanwhile is not taken for a stranger's. */
  async find(batch: Batch, head: Block): Promise<Whereabouts> {
    const { vault, operator, finality, fromBlock } = this.#options;
    const settled = await finality.settled(head);
    const sent = await vault.chain.sentCount(operator);
    for (const { hash } of batch.forms.toReversed()) {
      const receipt = await vault.chain.receipt(hash);
      if (receipt === null) continue;
      await this.#checkBlock(receipt);
      return { kind: 'mined', receipt, isConfirmed: receipt.blockNumber <= settled };
    }
    if (await vault.isBatchCommitted(batch.batchId, head.number)) {
      const isConfirmed = settled >= fromBlock && (await vault.isBatchCommitted(batch.batchId, settled));
      return { kind: 'committed-elsewhere', isConfirmed };
    }
    return sent > batch.nonce ? { kind: 'nonce-taken' } : { kind: 'waiting' };
  }

  async #checkBlock({ blockNumber, blockHash }: Receipt): Promise<void> {
    if ((await this.#options.vault.chain.block(blockNumber)).hash !== blockHash)
      throw new ChainError(`a receipt names a block ${blockNumber} that is not on the chain`);
  }
}
