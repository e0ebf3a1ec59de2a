/** The batches that a gate may still commit, and what each of them waits for (CUS-15). */

import { FollowedLogs } from '../chain/followed-logs.ts';
import type { Block, Hash } from '../chain/parse.ts';
import { each } from '../chain/rpc.ts';
import { Vault } from '../events/vault.ts';
import { type ProposedBatch, proposedFilter, proposedIn } from './events.ts';
import type { Gate, GateBounds, GateUsage } from './gate.ts';

export type BatchState = 'waits' | 'due' | 'committed' | 'vetoed' | 'void' | 'expired';

export interface BatchView extends ProposedBatch {
  readonly proposedAt: number;
  readonly votes: number;
  /** `void` if its proposer may no longer propose. */
  readonly state: BatchState;
  /** When it can be executed as things are, in seconds since 1970; null if it waits for the cap, or not at all. */
  readonly dueAt: number | null;
}

const CHUNK_BLOCKS = 2_000;
/** The share of the uncommitted balance that the short delay lets through: one part of these. */
export const SHARE = 10n;

/** Older blocks are listed again after a minute, as an index that lagged may have hidden some of them. */
const AGAIN_MS = 60_000;

export interface ProposalsParts {
  readonly gate: Gate;
  /** The block in which the gate was deployed. */
  readonly fromBlock: number;
  readonly chunkBlocks?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** The batches that were proposed at a gate within its expiry, followed round after round. */
export class Proposals {
  readonly #parts: ProposalsParts;
  readonly #logs: FollowedLogs;
  readonly #expired = new Set<Hash>();

  constructor(parts: ProposalsParts) {
    const { gate, fromBlock, chunkBlocks = CHUNK_BLOCKS } = parts;
    this.#parts = parts;
    this.#logs = new FollowedLogs({
      ...parts,
      ...{ chain: gate.chain, chunkBlocks, filter: proposedFilter(gate.address), againMs: AGAIN_MS },
      since: (head) => this.#since(head, fromBlock),
    });
  }

  /** As they were proposed, oldest first, and possibly some older ones. */
  async read(head: Block): Promise<readonly ProposedBatch[]> {
    const { gate } = this.#parts;
    const logs = await this.#logs.read(head);
    return logs.flatMap((log) => proposedIn(log, gate.address) ?? []);
  }

  /** As they stand in the head, oldest first. */
  async views(head: Block): Promise<readonly BatchView[]> {
    const { gate } = this.#parts;
    const bounds = await gate.bounds();
    const found = (await this.read(head)).filter(({ id }) => !this.#expired.has(id));
    const usage = await gate.usage(head.number);
    const views = await each(found, (batch) => viewOf(gate, batch, { head, bounds, usage }));
    const isOld = ({ proposedAt }: BatchView) => proposedAt < head.timestampSeconds - bounds.expiry;
    // One that the head does not have may come back after a reorg.
    for (const view of views) if (view.proposedAt > 0 && isOld(view)) this.#expired.add(view.id);
    return views.filter((view) => !isOld(view));
  }

  /** A block before the last `expiry` seconds, and no more than a chunk older. */
  async #since(head: Block, fromBlock: number): Promise<number> {
    const { gate } = this.#parts;
    const { expiry } = await gate.bounds();
    let from = head.number;
    while (from > fromBlock) {
      from = Math.max(fromBlock, from - CHUNK_BLOCKS);
      if ((await gate.chain.block(from)).timestampSeconds < head.timestampSeconds - expiry) break;
    }
    return from;
  }
}

interface Now {
  readonly head: Block;
  readonly bounds: GateBounds;
  readonly usage: GateUsage;
}

/** A batch as it stands in the head. */
export async function viewOf(gate: Gate, batch: ProposedBatch, now: Now): Promise<BatchView> {
  const { head, bounds, usage } = now;
  const at = head.number;
  const vault = new Vault(gate.chain, await gate.vault());
  const { proposedAt } = (await gate.proposalOf(batch.id, at)) ?? { proposedAt: 0 };
  const votes = await gate.votesAgainst(batch.id, at);
  const ended = async (): Promise<BatchState | null> => {
    if (await vault.isBatchCommitted(batch.id, at)) return 'committed';
    if (await gate.isVetoed(batch.id, at)) return 'vetoed';
    if (!(await gate.isProposer(batch.proposer, at))) return 'void';
    return head.timestampSeconds > proposedAt + bounds.expiry ? 'expired' : null;
  };
  const end = await ended();
  if (end !== null) return { ...batch, proposedAt, votes, state: end, dueAt: null };
  const paused = await gate.pausedUntil(at);
  const dueAt = dueAtOf(batch.total, proposedAt, { bounds, usage, pausedUntil: paused });
  const isDue = dueAt !== null && dueAt <= head.timestampSeconds;
  return { ...batch, proposedAt, votes, state: isDue ? 'due' : 'waits', dueAt };
}

/**
 * When a batch can be executed if nothing else is until then: the earliest moment whose allowance holds it today. Null
 * while the cap of the epoch does not.
 */
export function dueAtOf(
  total: bigint,
  proposedAt: number,
  { bounds, usage, pausedUntil }: { bounds: GateBounds; usage: GateUsage; pausedUntil: number },
): number | null {
  if (usage.all + total > bounds.capMax) return null;
  const age = delayOf(total, bounds, usage);
  return Math.max(proposedAt + age, pausedUntil + 1);
}

function delayOf(total: bigint, bounds: GateBounds, { free, short, uncommitted }: GateUsage): number {
  if (free + total <= bounds.freeMax) return 0;
  return short + total <= uncommitted / SHARE ? bounds.shortDelay : bounds.longDelay;
}
