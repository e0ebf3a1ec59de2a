/** Everything about a gate at one block (CUS-15). */

import type { Address } from '@venue/protocol';
import { type Announced, Announcements } from './announced.ts';
import { type BatchView, Proposals } from './batches.ts';
import type { Gate, GateBounds, GateUsage } from './gate.ts';

/** Amounts in micros, times in seconds since 1970. */
export interface GateStatus {
  readonly gate: Address;
  readonly vault: Address;
  readonly failsafe: Address;
  readonly blockNumber: number;
  /** The chain's clock in that block. */
  readonly time: number;
  readonly cold: Address;
  readonly proposers: readonly Address[];
  readonly guardians: readonly Address[];
  /** The number of votes that are a veto. */
  readonly vetoes: number;
  readonly pausedUntil: number;
  /** Operations of the failsafe, a proposer and guardians that were announced and not vetoed. */
  readonly announced: readonly Announced[];
  readonly bounds: GateBounds;
  readonly usage: GateUsage;
  /** Those that have not expired, and those that did not live to expire; oldest first. */
  readonly batches: readonly BatchView[];
}

/** Reads no logs of blocks before `fromBlock`, in which the gate was deployed. */
export async function gateStatus(gate: Gate, fromBlock: number): Promise<GateStatus> {
  const head = await gate.chain.head();
  const at = head.number;
  return {
    gate: gate.address,
    vault: await gate.vault(),
    failsafe: await gate.failsafe(),
    blockNumber: at,
    time: head.timestampSeconds,
    cold: await gate.cold(),
    proposers: await gate.proposers(at),
    guardians: await gate.guardians(at),
    vetoes: await gate.vetoes(at),
    pausedUntil: await gate.pausedUntil(at),
    announced: await new Announcements({ gate, fromBlock }).pending(head),
    bounds: await gate.bounds(),
    usage: await gate.usage(at),
    batches: await new Proposals({ gate, fromBlock }).views(head),
  };
}
