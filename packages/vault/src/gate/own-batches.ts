/** The batches of one proposer at the gate, followed round after round (CUS-15). */

import type { Address } from '@venue/protocol';
import type { BlockRange } from '../chain/log-reader.ts';
import type { Block, Hash } from '../chain/parse.ts';
import { each } from '../chain/rpc.ts';
import { Vault } from '../events/vault.ts';
import { VaultLogs } from '../events/vault-logs.ts';
import { type BatchView, Proposals, viewOf } from './batches.ts';
import type { GatePayout } from './calls.ts';
import type { ProposedBatch } from './events.ts';
import type { Gate, GateBounds, GateUsage } from './gate.ts';

export interface OwnBatchesParts {
  readonly gate: Gate;
  readonly proposer: Address;
  readonly config: { readonly fromBlock: number; readonly chunkBlocks: number };
}

/** The gate at one block, as a proposer needs it. */
export interface GateLook {
  /** Those that wait or are due; oldest first. */
  readonly open: readonly BatchView[];
  /** Those that guardians have vetoed, and that have not expired. */
  readonly vetoed: readonly BatchView[];
  /** Payouts of dead batches whose numbers somebody else used up with other terms: nothing can pay them any more. */
  readonly usedUp: readonly GatePayout[];
  readonly bounds: GateBounds;
  readonly usage: GateUsage;
}

export class OwnBatches {
  readonly #parts: OwnBatchesParts;
  readonly #proposals: Proposals;
  readonly #known = new Map<Hash, ProposedBatch>();
  /** Committed, expired or void: never asked about again. One that a reorg brings back is proposed again, by other ids. */
  readonly #ended = new Set<Hash>();
  /** The used-up part of dead batches, until they expire. */
  readonly #dead = new Map<Hash, readonly GatePayout[]>();
  /** The vault's total commitments when the batches were last found alive. */
  #aliveAt = -1n;
  #bounds: GateBounds | null = null;
  #last: { readonly hash: Hash; readonly look: GateLook } | null = null;

  constructor(parts: OwnBatchesParts) {
    this.#parts = parts;
    this.#proposals = new Proposals({ gate: parts.gate, ...parts.config });
  }

  /** Looks once at each head. */
  async look(head: Block): Promise<GateLook> {
    if (this.#last?.hash !== head.hash) this.#last = { hash: head.hash, look: await this.#look(head) };
    return this.#last.look;
  }

  async #look(head: Block): Promise<GateLook> {
    const { gate } = this.#parts;
    this.#bounds ??= await gate.bounds();
    await this.#read(head);
    const now = { head, bounds: this.#bounds, usage: await gate.usage(head.number) };
    const open: BatchView[] = [];
    const vetoed: BatchView[] = [];
    for (const batch of this.#known.values()) {
      const view = await viewOf(gate, batch, now);
      const isExpired = head.timestampSeconds > view.proposedAt + this.#bounds.expiry;
      if (view.state === 'vetoed' && !isExpired) vetoed.push(view);
      else if (view.state === 'waits' || view.state === 'due') open.push(view);
      else this.#end(batch.id);
    }
    await this.#findDead(open, head);
    const alive = open.filter(({ id }) => !this.#dead.has(id));
    const usedUp = open.flatMap(({ id }) => this.#dead.get(id) ?? []);
    return { open: alive, vetoed, usedUp, bounds: now.bounds, usage: now.usage };
  }

  /**
   * A batch is dead once the vault has one of its numbers from elsewhere, as from another proposer: the vault takes each
   * number once, so it can never be executed. Asked only after the vault has committed something.
   */
  async #findDead(open: readonly BatchView[], head: Block): Promise<void> {
    const { gate } = this.#parts;
    const vault = new Vault(gate.chain, await gate.vault());
    const { totalCommitted, totalClaimed } = await vault.figures(head.number);
    const fresh = open.filter(({ id }) => !this.#dead.has(id));
    if (fresh.length === 0 || totalCommitted + totalClaimed === this.#aliveAt) return;
    for (const { id, payouts, blockNumber } of fresh) {
      const taken = await each(payouts, (one) => vault.isPayoutCommitted(Number(one.id), head.number));
      if (!taken.includes(true)) continue;
      const gone = payouts.filter((_, i) => taken[i]);
      this.#dead.set(id, await this.#usedUp(vault, gone, { from: blockNumber, to: head.number }));
    }
    // Batches that are proposed later are asked about when the total has moved, as an honest one repeats no number.
    this.#aliveAt = totalCommitted + totalClaimed;
  }

  /** Those that were committed with other terms. One that is on the chain as it was asked for is noted at the exchange. */
  async #usedUp(
    vault: Vault,
    gone: readonly GatePayout[],
    range: BlockRange,
  ): Promise<readonly GatePayout[]> {
    const logs = new VaultLogs(vault, this.#parts.config.chunkBlocks);
    const commitments = await logs.commitmentsOf(
      gone.map(({ id }) => Number(id)),
      range,
    );
    return gone.filter((one) =>
      commitments.some(
        ({ payoutId, account, amount }) =>
          payoutId === one.id && (account !== one.account || amount !== one.amount),
      ),
    );
  }

  async #read(head: Block): Promise<void> {
    for (const batch of await this.#proposals.read(head))
      if (batch.proposer === this.#parts.proposer && !this.#ended.has(batch.id))
        this.#known.set(batch.id, batch);
  }

  #end(id: Hash): void {
    this.#known.delete(id);
    this.#dead.delete(id);
    this.#ended.add(id);
  }
}
