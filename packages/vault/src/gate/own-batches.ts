/** What one proposer has at the gate, followed round after round (CUS-15). */

import type { Address } from '@venue/protocol';
import { LogReader } from '../chain/log-reader.ts';
import type { Block, Hash } from '../chain/parse.ts';
import { type BatchView, recentProposals, viewOf } from './batches.ts';
import { type ProposedBatch, proposedFilter, proposedIn } from './events.ts';
import type { Gate, GateBounds, GateUsage } from './gate.ts';

/** Blocks that are read again each round, as a reorg may have changed them. */
const AGAIN_BLOCKS = 128;

export interface OwnBatchesParts {
  readonly gate: Gate;
  readonly proposer: Address;
  readonly config: { readonly fromBlock: number; readonly chunkBlocks: number };
}

/** The gate at one block, as a proposer needs it. */
export interface GateLook {
  /** Those that wait, are due, or are vetoed and not expired; oldest first. */
  readonly open: readonly BatchView[];
  readonly bounds: GateBounds;
  readonly usage: GateUsage;
}

export class OwnBatches {
  readonly #parts: OwnBatchesParts;
  readonly #reader: LogReader;
  readonly #known = new Map<Hash, ProposedBatch>();
  /** Committed, expired or void: never asked about again. One that a reorg brings back is proposed anew, by other ids. */
  readonly #ended = new Set<Hash>();
  #bounds: GateBounds | null = null;
  #readTo: number | null = null;
  #last: { readonly hash: Hash; readonly look: GateLook } | null = null;

  constructor(parts: OwnBatchesParts) {
    this.#parts = parts;
    this.#reader = new LogReader(parts.gate.chain, parts.config.chunkBlocks);
  }

  /** Looks once at each head. */
  async look(head: Block): Promise<GateLook> {
    if (this.#last?.hash !== head.hash) this.#last = { hash: head.hash, look: await this.#look(head) };
    return this.#last.look;
  }

  async #look(head: Block): Promise<GateLook> {
    const { gate } = this.#parts;
    this.#bounds ??= await gate.bounds();
    await this.#read(head, this.#bounds);
    const usage = await gate.usage(head.number);
    const open: BatchView[] = [];
    for (const batch of this.#known.values()) {
      const view = await viewOf(gate, batch, { head, bounds: this.#bounds, usage });
      const isVetoed =
        view.state === 'vetoed' && head.timestampSeconds <= view.proposedAt + this.#bounds.expiry;
      if (isVetoed || view.state === 'waits' || view.state === 'due') open.push(view);
      else this.#end(batch.id);
    }
    return { open, bounds: this.#bounds, usage };
  }

  async #read(head: Block, { expiry }: GateBounds): Promise<void> {
    const { gate, proposer, config } = this.#parts;
    const from = Math.max(config.fromBlock, (this.#readTo ?? 0) - AGAIN_BLOCKS);
    const found =
      this.#readTo === null
        ? await recentProposals(gate, head, { fromBlock: config.fromBlock, expiry })
        : (await this.#reader.read(proposedFilter(gate.address), { from, to: head.number })).flatMap(
            (log) => proposedIn(log, gate.address) ?? [],
          );
    for (const batch of found)
      if (batch.proposer === proposer && !this.#ended.has(batch.id)) this.#known.set(batch.id, batch);
    this.#readTo = head.number;
  }

  #end(id: Hash): void {
    this.#known.delete(id);
    this.#ended.add(id);
  }
}
