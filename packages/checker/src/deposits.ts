/** Compares the deposits that the log credits with those that the vault's own logs show (CUS-18). */

import type { Deposit, State } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { type Chain, type VaultDeposit, VaultLogs } from '@venue/vault/parts';

const CHUNK_BLOCKS = 2_000;

/** Reading a vault from its deployment is not done more often. */
const AGAIN_MS = 60_000;

export interface ChainDepositsParts {
  readonly chain: Chain;
  readonly vault: Address;
  readonly fromBlock: number;
  /** A clock that is never set, in milliseconds. */
  readonly now?: () => number;
}

/** The deposits of a vault in its final blocks. */
export class ChainDeposits {
  readonly #parts: ChainDepositsParts;
  readonly #logs: VaultLogs;
  readonly #seen = new Map<string, VaultDeposit>();
  #nextBlock: number;
  #readAgainAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ChainDepositsParts) {
    const { chain, vault, fromBlock } = parts;
    this.#parts = parts;
    this.#logs = new VaultLogs({ chain, address: vault }, CHUNK_BLOCKS);
    this.#nextBlock = fromBlock;
  }

  /**
   * Reads all blocks again, as an index of logs that lagged may have hidden deposits in a range of many. False if that
   * was done within the last minute.
   */
  async readAgain(to: number): Promise<boolean> {
    const { fromBlock, now = () => performance.now() } = this.#parts;
    if (now() - this.#readAgainAtMs < AGAIN_MS) return false;
    this.#readAgainAtMs = now();
    this.#nextBlock = fromBlock;
    await this.advance(to);
    return true;
  }

  /** Reads up to a final block. */
  async advance(to: number): Promise<void> {
    if (to < this.#nextBlock) return;
    for (const deposit of await this.#logs.deposits({ from: this.#nextBlock, to }, 'proven'))
      this.#seen.set(`${deposit.txHash}:${deposit.logIndex}`, deposit);
    this.#nextBlock = to + 1;
  }

  /**
   * What the log credits and the chain does not show, in micros, without the deposits of earlier vaults and what an
   * operator holds in doubt. A deposit of a block that is not final yet counts as shown, one above the head
   * does not.
   */
  inventedMicros({ custody }: State, earlier: ReadonlySet<Deposit>, headNumber: number): bigint {
    let missing = 0n;
    for (const [key, deposit] of custody.deposits) {
      const isOpen = deposit.blockNumber >= this.#nextBlock && deposit.blockNumber <= headNumber;
      if (isOpen || earlier.has(deposit) || custody.doubted.has(key)) continue;
      const seen = this.#seen.get(key);
      const isShown =
        seen !== undefined &&
        seen.address === deposit.address &&
        seen.amount === BigInt(deposit.amountMicros) &&
        seen.blockHash === deposit.blockHash;
      if (!isShown) missing += BigInt(deposit.amountMicros);
    }
    return missing;
  }
}
