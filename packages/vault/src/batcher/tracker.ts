/** Where a signed batch is on the chain. The chain is asked before anything is sent. */

import type { Address } from '@venue/protocol';
import { ChainError } from '../chain/errors.ts';
import type { Block, Receipt } from '../chain/parse.ts';
import type { Vault } from '../chain/vault.ts';
import type { Batch } from './state.ts';

export type Whereabouts =
  /** One of its forms is in a block. */
  | { readonly kind: 'mined'; readonly receipt: Receipt; readonly isConfirmed: boolean }
  /** It is committed, and not by a form known here. */
  | { readonly kind: 'committed-elsewhere'; readonly isConfirmed: boolean }
  /** Its nonce is used by another transaction, so that none of its forms can ever be mined. */
  | { readonly kind: 'nonce-taken' }
  /** It may be waiting to be mined, or nobody may have heard of it. */
  | { readonly kind: 'waiting' };

export interface TrackerOptions {
  readonly vault: Vault;
  readonly operator: Address;
  readonly confirmations: number;
  readonly fromBlock: number;
}

export class Tracker {
  readonly #options: TrackerOptions;

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /** Asks the chain; the count of transactions first, so that a form mined meanwhile is not taken for a stranger. */
  async find(batch: Batch, head: Block): Promise<Whereabouts> {
    const { vault, operator, confirmations, fromBlock } = this.#options;
    const sent = await vault.chain.sentCount(operator);
    for (const { hash } of batch.forms.toReversed()) {
      const receipt = await vault.chain.receipt(hash);
      if (receipt === null) continue;
      await this.#checkBlock(receipt);
      return { kind: 'mined', receipt, isConfirmed: head.number - receipt.blockNumber >= confirmations };
    }
    if (await vault.isBatchCommitted(batch.batchId, head.number)) {
      const settled = head.number - confirmations;
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
