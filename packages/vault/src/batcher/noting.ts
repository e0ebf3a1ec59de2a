/** Tells the exchange which transaction committed which payouts (PAY-3). */

import type { OperatorPayout, PayoutCommitRequest } from '@venue/protocol';
import { AlarmError } from '../chain/alarm.ts';
import { usdText } from '../chain/amounts.ts';
import { ChainError } from '../chain/errors.ts';
import type { Finality } from '../chain/finality.ts';
import type { Block, Hash } from '../chain/parse.ts';
import { orAlarm } from '../daemon/rounds.ts';
import type { StepHook } from '../daemon/state-file.ts';
import type { Vault, VaultPayout } from '../events/vault.ts';
import { type Commitment, VaultLogs } from '../events/vault-logs.ts';
import type { BatchPayout } from './state.ts';

/** Payouts that one request records as committed, all or none: even ids of 16 digits fit into its 4 KiB. */
export const NOTED_AT_ONCE_MAX = 200;

export interface CommitSink {
  commitPayouts(request: PayoutCommitRequest): Promise<unknown>;
  /** The operators' list in every state, ascending by id, from after an id on. */
  payouts(scope: { after: number }): AsyncIterable<Pick<OperatorPayout, 'id' | 'payoutId' | 'state'>>;
}

export interface NotingParts {
  readonly sink: CommitSink;
  readonly vault: Vault;
  readonly config: {
    readonly fromBlock: number;
    readonly chunkBlocks: number;
  };
  readonly finality: Finality;
  readonly log: (line: string) => void;
  readonly onStep: StepHook;
}

export class Noting {
  readonly #parts: NotingParts;

  constructor(parts: NotingParts) {
    this.#parts = parts;
  }

  /**
   * Records the payouts of a batch that the batcher sent. An exchange that was restored from an old copy since may have
   * another withdrawal under the id of one, and has to adopt it first (CUS-4).
   */
  async noteBatch(payouts: readonly BatchPayout[], txHash: Hash): Promise<void> {
    const ids = await this.#idsOf(payouts);
    const lost = payouts.filter(({ id }) => !ids.has(id));
    if (lost.length > 0)
      throw new AlarmError(
        `the exchange does not know payouts ${lost.map(({ id }) => id).join(', ')}, which transaction ${txHash} has ` +
          'committed: was it restored from an old copy? It has to adopt them',
      );
    await this.note([...ids.values()], txHash);
  }

  /** The ids that the exchange has for payouts, by their numbers in the vault; a voided one only where no other has its number. */
  async #idsOf(payouts: readonly BatchPayout[]): Promise<Map<number, number>> {
    const ids = new Map<number, number>();
    const open = new Set(payouts.map(({ id }) => id));
    // What was adopted may have any id.
    for (const after of new Set([Math.min(...payouts.map(({ ledgerId }) => ledgerId)) - 1, 0]))
      for await (const { id, payoutId, state } of this.#parts.sink.payouts({ after })) {
        if (!open.has(payoutId)) continue;
        ids.set(payoutId, id);
        if (state !== 'voided') open.delete(payoutId);
        if (open.size === 0) return ids;
      }
    return ids;
  }

  /** Records payouts as committed; repeating it changes nothing. Throws `AlarmError` if the exchange contradicts. */
  async note(ids: readonly number[], txHash: Hash): Promise<void> {
    const { sink, onStep } = this.#parts;
    for (let from = 0; from < ids.length; from += NOTED_AT_ONCE_MAX) {
      const slice = ids.slice(from, from + NOTED_AT_ONCE_MAX);
      await orAlarm(`payouts ${slice[0]} to ${slice.at(-1)} as committed in ${txHash}`, () =>
        sink.commitPayouts({ ids: [...slice], txHash }),
      );
      onStep('payouts-noted');
    }
  }

  /**
   * Records payouts found on chain but not in this batcher's file, once their blocks are confirmed. Throws
   * `AlarmError` if the commitments differ from what the exchange requested.
   */
  async noteFound(payouts: readonly BatchPayout[], head: Block): Promise<void> {
    const commitments = await this.#find(payouts, head.number);
    const settled = await this.#parts.finality.settled(head);
    const byTransaction = new Map<Hash, number[]>();
    for (const payout of payouts) {
      const commitment = commitments.get(payout.id);
      if (commitment === undefined)
        throw new ChainError(`payout ${payout.id} is committed, but no log of it is found`);
      compare(payout, commitment);
      const { txHash, blockNumber } = commitment;
      if (blockNumber > settled) continue;
      byTransaction.set(txHash, [...(byTransaction.get(txHash) ?? []), payout.ledgerId]);
    }
    for (const [txHash, ids] of byTransaction) {
      await this.note(ids, txHash);
      this.#parts.log(`found on chain and noted: ${ids.length} payouts of transaction ${txHash}`);
    }
  }

  /** Commitments by payout, searched backwards from the head, because missing ones are mostly recent. */
  async #find(payouts: readonly VaultPayout[], head: number): Promise<Map<number, Commitment>> {
    const { vault, config } = this.#parts;
    const logs = new VaultLogs(vault, config.chunkBlocks);
    const ids = payouts.map(({ id }) => id);
    const found = new Map<number, Commitment>();
    for (let to = head; to >= config.fromBlock && found.size < payouts.length; ) {
      const from = Math.max(config.fromBlock, to - config.chunkBlocks + 1);
      for (const commitment of await logs.commitmentsOf(ids, { from, to })) {
        await this.#checkBlock(commitment);
        found.set(Number(commitment.payoutId), commitment);
      }
      to = from - 1;
    }
    return found;
  }

  async #checkBlock({ blockNumber, blockHash }: Commitment): Promise<void> {
    if ((await this.#parts.vault.chain.block(blockNumber)).hash !== blockHash)
      throw new ChainError(`block ${blockNumber} changed while a payout was looked up in it`);
  }
}

function compare(payout: VaultPayout, { account, amount, txHash }: Commitment): void {
  if (account === payout.account && amount === BigInt(payout.amount)) return;
  throw new AlarmError(
    `payout ${payout.id} is ${usdText(BigInt(payout.amount))} for ${payout.account} at the exchange, and transaction ` +
      `${txHash} committed ${usdText(amount)} for ${account}`,
  );
}
