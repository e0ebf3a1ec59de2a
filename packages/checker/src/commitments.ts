/** Finds payouts that the log gives back although the vault has committed them (CUS-18). */

import type { Payout, State } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { type Chain, type Commitment, VaultLogs } from '@venue/vault/parts';

const CHUNK_BLOCKS = 2_000;

/** The commitments of a vault in its final blocks, read once each. */
export class ChainCommitments {
  readonly #logs: VaultLogs;
  readonly #seen = new Map<bigint, Commitment>();
  #nextBlock: number;

  constructor(chain: Chain, vault: Address, fromBlock: number) {
    this.#logs = new VaultLogs({ chain, address: vault }, CHUNK_BLOCKS);
    this.#nextBlock = fromBlock;
  }

  /** Reads up to a final block. */
  async advance(to: number): Promise<void> {
    if (to < this.#nextBlock) return;
    const range = { from: this.#nextBlock, to };
    for (const commitment of await this.#logs.commitments(range, 'proven'))
      this.#seen.set(commitment.payoutId, commitment);
    this.#nextBlock = to + 1;
  }

  /**
   * The first payout that the vault has committed as it was asked for, and that the log has voided: its owner would be
   * paid twice. Null if there is none; adopting the commitment debits it again.
   */
  givenBack({ custody }: State): Payout | null {
    const isGivenBack = ({ payoutId, account, amountMicros, voidedAt }: Payout): boolean => {
      if (voidedAt === null || custody.payoutByNumber.has(payoutId)) return false;
      const seen = this.#seen.get(BigInt(payoutId));
      return seen?.account === account.address && seen.amount === BigInt(amountMicros);
    };
    return custody.payouts.find(isGivenBack) ?? null;
  }
}
