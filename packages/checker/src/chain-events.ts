/** Compares the vault's own events with the log's deposits and payouts (CUS-18). */

import type { Deposit, Payout, State } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { type Chain, type Commitment, type VaultDeposit, VaultLogs } from '@venue/vault/parts';

const CHUNK_BLOCKS = 2_000;

/** Reading a vault from its deployment is not done more often. */
const AGAIN_MS = 60_000;

export interface ChainEventsParts {
  readonly chain: Chain;
  readonly vault: Address;
  readonly fromBlock: number;
  /** A clock that is never set, in milliseconds. */
  readonly now?: () => number;
}

/** The deposits and commitments of a vault in its final blocks, read once each. */
export class ChainEvents {
  readonly #parts: ChainEventsParts;
  readonly #logs: VaultLogs;
  readonly #deposits = new Map<string, VaultDeposit>();
  readonly #commitments = new Map<bigint, Commitment>();
  #nextBlock: number;
  #readAgainAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ChainEventsParts) {
    const { chain, vault, fromBlock } = parts;
    this.#parts = parts;
    this.#logs = new VaultLogs({ chain, address: vault }, CHUNK_BLOCKS);
    this.#nextBlock = fromBlock;
  }

  /** Reads up to a final block. */
  async advance(to: number): Promise<void> {
    if (to < this.#nextBlock) return;
    await this.#readDeposits(this.#nextBlock, to);
    const range = { from: this.#nextBlock, to };
    for (const commitment of await this.#logs.commitments(range, 'proven'))
      this.#commitments.set(commitment.payoutId, commitment);
    this.#nextBlock = to + 1;
  }

  /**
   * Reads the deposits of all blocks again, as an index of logs that lagged may have hidden some in a range of many.
   * False if that was done within the last minute.
   */
  async readDepositsAgain(to: number): Promise<boolean> {
    const { fromBlock, now = () => performance.now() } = this.#parts;
    if (now() - this.#readAgainAtMs < AGAIN_MS) return false;
    await this.#readDeposits(fromBlock, to);
    // A server that lags may call less final than before: what is above is read again.
    this.#nextBlock = to + 1;
    this.#readAgainAtMs = now();
    return true;
  }

  async #readDeposits(from: number, to: number): Promise<void> {
    for (const deposit of await this.#logs.deposits({ from, to }, 'proven'))
      this.#deposits.set(`${deposit.txHash}:${deposit.logIndex}`, deposit);
  }

  /**
   * Credits of the log that the chain does not show, in micros, without the deposits of earlier vaults and what an
   * operator holds in doubt. A deposit of a block that is not final yet counts as shown, one above the head
   * does not.
   */
  inventedMicros({ custody }: State, earlier: ReadonlySet<Deposit>, headNumber: number): bigint {
    let missing = 0n;
    for (const [key, deposit] of custody.deposits) {
      const isOpen = deposit.blockNumber >= this.#nextBlock && deposit.blockNumber <= headNumber;
      if (isOpen || earlier.has(deposit) || custody.doubted.has(key)) continue;
      const seen = this.#deposits.get(key);
      const isShown =
        seen !== undefined &&
        seen.address === deposit.address &&
        seen.amount === BigInt(deposit.amountMicros) &&
        seen.blockHash === deposit.blockHash;
      if (!isShown) missing += BigInt(deposit.amountMicros);
    }
    return missing;
  }

  /**
   * The first payout that the vault has committed as it was asked for, and that the log has voided: its owner would be
   * paid twice. Null if there is none; adopting the commitment debits it again.
   */
  givenBack({ custody }: State): Payout | null {
    const isGivenBack = ({ payoutId, account, amountMicros, voidedAt }: Payout): boolean => {
      if (voidedAt === null || custody.payoutByNumber.has(payoutId)) return false;
      const seen = this.#commitments.get(BigInt(payoutId));
      return seen?.account === account.address && seen.amount === BigInt(amountMicros);
    };
    return custody.payouts.find(isGivenBack) ?? null;
  }
}
