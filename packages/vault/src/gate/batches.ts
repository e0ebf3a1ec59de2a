/** The batches that a gate may still commit, and what each of them waits for (CUS-15). */

import { LogReader } from '../chain/log-reader.ts';
import type { Block } from '../chain/parse.ts';
import { each } from '../chain/rpc.ts';
import { Vault } from '../chain/vault.ts';
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

/**
 * Batches proposed within the gate's expiry, oldest first. Reads logs backwards from the head, and none of blocks before
 * `fromBlock`, in which the gate was deployed.
 */
export async function recentBatches(gate: Gate, head: Block, fromBlock: number): Promise<BatchView[]> {
  const bounds = await gate.bounds();
  const found = await recentProposals(gate, head, { fromBlock, expiry: bounds.expiry });
  const usage = await gate.usage(head.number);
  const views = await each(found, (batch) => viewOf(gate, batch, { head, bounds, usage }));
  return views.filter(({ proposedAt }) => proposedAt >= head.timestampSeconds - bounds.expiry);
}

/** All proposals of the last `expiry` seconds, and possibly some older ones; oldest first. */
export async function recentProposals(
  gate: Gate,
  head: Block,
  { fromBlock, expiry }: { readonly fromBlock: number; readonly expiry: number },
): Promise<ProposedBatch[]> {
  const found: ProposedBatch[] = [];
  const reader = new LogReader(gate.chain, CHUNK_BLOCKS);
  for (let to = head.number; to >= fromBlock; to -= CHUNK_BLOCKS) {
    const from = Math.max(fromBlock, to - CHUNK_BLOCKS + 1);
    const logs = await reader.read(proposedFilter(gate.address), { from, to });
    found.unshift(...logs.flatMap((log) => proposedIn(log, gate.address) ?? []));
    if ((await gate.chain.block(from)).timestampSeconds < head.timestampSeconds - expiry) break;
  }
  return found;
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
