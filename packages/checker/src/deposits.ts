/** Compares the deposits that the log credits with those that the vault's own logs show (CUS-18). */

import type { State } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { type Chain, type VaultDeposit, VaultLogs } from '@venue/vault/parts';

const CHUNK_BLOCKS = 2_000;

/** The deposits of a vault in its final blocks, read once each. */
export class ChainDeposits {
  readonly #logs: VaultLogs;
  readonly #seen = new Map<string, VaultDeposit>();
  #nextBlock: number;

  constructor(chain: Chain, vault: Address, fromBlock: number) {
    this.#logs = new VaultLogs({ chain, address: vault }, CHUNK_BLOCKS);
    this.#nextBlock = fromBlock;
  }

  /** Reads up to a final block. */
  async advance(to: number): Promise<void> {
    if (to < this.#nextBlock) return;
    for (const deposit of await this.#logs.deposits({ from: this.#nextBlock, to }))
      this.#seen.set(`${deposit.txHash}:${deposit.logIndex}`, deposit);
    this.#nextBlock = to + 1;
  }

  /**
   * What the log credits and the chain does not show, in micros, without the `beforeMicros` that earlier vaults took in
   * and what an operator holds in doubt. A deposit of a block that is not final yet counts as shown, one above the head
   * does not.
   */
  inventedMicros({ custody }: State, beforeMicros: bigint, headNumber: number): bigint {
    let missing = 0n;
    for (const [key, deposit] of custody.deposits) {
      const isOpen = deposit.blockNumber >= this.#nextBlock && deposit.blockNumber <= headNumber;
      if (isOpen || custody.doubted.has(key)) continue;
      const seen = this.#seen.get(key);
      const isShown =
        seen !== undefined &&
        seen.address === deposit.address &&
        seen.amount === BigInt(deposit.amountMicros) &&
        seen.blockHash === deposit.blockHash;
      if (!isShown) missing += BigInt(deposit.amountMicros);
    }
    return missing > beforeMicros ? missing - beforeMicros : 0n;
  }
}
