/** Sums of the vault's own events since it was deployed: deposits in, sweeps out (CUS-14). */

import { Type } from 'typebox';
import type { Finality } from '../chain/finality.ts';
import type { BlockRange, Reading } from '../chain/log-reader.ts';
import type { Block } from '../chain/parse.ts';
import { type Content, SeenBlockSchema, WeiText } from '../chain/schemas.ts';
import type { Vault } from './vault.ts';
import { VaultLogs } from './vault-logs.ts';

/** Sums in micros, of all events up to a block. */
export interface Flows {
  readonly depositedMicros: bigint;
  readonly sweptMicros: bigint;
}

/** Sums up to a block that is not expected to change, as a state file keeps them. */
export const FlowsCheckpointSchema = Type.Object({
  block: SeenBlockSchema,
  deposited: WeiText,
  swept: WeiText,
});
export type FlowsCheckpoint = Content<typeof FlowsCheckpointSchema>;

export interface VaultFlowsParts {
  readonly vault: Vault;
  readonly finality: Finality;
  readonly config: { readonly fromBlock: number; readonly chunkBlocks: number };
}

/** Reading a vault from its deployment is not done more often. */
const FORGET_MS = 60_000;
const NOTHING: Flows = { depositedMicros: 0n, sweptMicros: 0n };

export class VaultFlows {
  readonly #parts: VaultFlowsParts;
  readonly #logs: VaultLogs;
  #checkpoint: FlowsCheckpoint | null;
  #forgottenAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: VaultFlowsParts, checkpoint: FlowsCheckpoint | null) {
    this.#parts = parts;
    this.#logs = new VaultLogs(parts.vault, parts.config.chunkBlocks);
    this.#checkpoint = checkpoint;
  }

  get checkpoint(): FlowsCheckpoint | null {
    return this.#checkpoint;
  }

  /** The sums up to a block, and up to the last one at or below it that is settled. */
  async upTo(head: Block): Promise<{ readonly atHead: Flows; readonly settled: Flows }> {
    const { fromBlock } = this.#parts.config;
    const known = await this.#known();
    const from = known?.block.number ?? fromBlock - 1;
    const to = Math.max(from, Math.min(await this.#parts.finality.settled(head), head.number));
    const settled = await this.#sum(flowsOf(known), { from: from + 1, to }, 'proven');
    if (to > from) await this.#keep(settled, to);
    return { settled, atHead: await this.#sum(settled, { from: to + 1, to: head.number }, 'listed') };
  }

  /** Reads everything again next time, as an index of logs that lagged may have hidden some; true at most each minute. */
  forget(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#forgottenAtMs < FORGET_MS) return false;
    this.#forgottenAtMs = nowMs;
    this.#checkpoint = null;
    return true;
  }

  /** The checkpoint, unless its block is no longer on the chain: then everything is read again. */
  async #known(): Promise<FlowsCheckpoint | null> {
    const checkpoint = this.#checkpoint;
    if (checkpoint === null) return null;
    const { number, hash } = checkpoint.block;
    return (await this.#parts.vault.chain.findBlock(number))?.hash === hash ? checkpoint : null;
  }

  async #keep({ depositedMicros, sweptMicros }: Flows, number: number): Promise<void> {
    const { hash } = await this.#parts.vault.chain.block(number);
    this.#checkpoint = {
      block: { number, hash },
      deposited: String(depositedMicros),
      swept: String(sweptMicros),
    };
  }

  async #sum(before: Flows, range: BlockRange, reading: Reading): Promise<Flows> {
    if (range.from > range.to) return before;
    let { depositedMicros, sweptMicros } = before;
    for (const { kind, amount } of await this.#logs.flows(range, reading)) {
      if (kind === 'deposit') depositedMicros += amount;
      else sweptMicros += amount;
    }
    return { depositedMicros, sweptMicros };
  }
}

function flowsOf(checkpoint: FlowsCheckpoint | null): Flows {
  if (checkpoint === null) return NOTHING;
  return { depositedMicros: BigInt(checkpoint.deposited), sweptMicros: BigInt(checkpoint.swept) };
}
