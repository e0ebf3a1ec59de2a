/** The events of a gate (CUS-15). */

import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { decodeEventLog, encodeEventTopics } from 'viem';
import type { LogFilter } from '../chain/chain.ts';
import { ChainError } from '../chain/errors.ts';
import type { ChainLog, Hash } from '../chain/parse.ts';
import { operatorGateAbi } from '../contract/abi.ts';
import { type GatePayout, gateBatchId } from './calls.ts';

/** A batch as it was proposed. Its amounts are in micros. */
export interface ProposedBatch {
  /** The name that votes are given against. */
  readonly id: Hash;
  readonly batchId: Hash;
  readonly proposer: Address;
  readonly total: bigint;
  readonly payouts: readonly GatePayout[];
  readonly blockNumber: number;
  readonly txHash: Hash;
}

/** Lets through proposals only. */
export function proposedFilter(gate: Address): LogFilter {
  return {
    address: gate,
    topics: [encodeEventTopics({ abi: operatorGateAbi, eventName: 'BatchProposed' })[0]],
  };
}

/** Lets through the votes of one guardian. */
export function votesFilter(gate: Address, guardian: Address): LogFilter {
  const topics = encodeEventTopics({ abi: operatorGateAbi, eventName: 'VetoVoted', args: { guardian } });
  return { address: gate, topics: topics as LogFilter['topics'] };
}

/** The proposal that a log shows, or null for another event. Throws `ChainError` for a log that is not the gate's. */
export function proposedIn(log: ChainLog, gate: Address): ProposedBatch | null {
  const event = gateEventOf(log, gate);
  if (event.eventName !== 'BatchProposed') return null;
  const { id, proposer, batchId, total } = event.args;
  const payouts = event.args.payouts.map(({ id, account, amount }) => ({
    id,
    account: parseAddress(account)!,
    amount,
  }));
  if (gateBatchId(batchId, payouts) !== id || payouts.reduce((sum, one) => sum + one.amount, 0n) !== total)
    throw new ChainError('a proposal of the gate contradicts itself');
  const { blockNumber, txHash } = log;
  return {
    id: id as Hash,
    batchId: batchId as Hash,
    proposer: parseAddress(proposer)!,
    total,
    payouts,
    blockNumber,
    txHash,
  };
}

/** Name and arguments of any event of the gate. Throws `ChainError` for another log. */
export function gateEventOf(log: ChainLog, gate: Address) {
  if (log.address !== gate) throw new ChainError(`a log of ${log.address} in place of one of the gate`);
  try {
    const topics = [...log.topics] as [Hex, ...Hex[]];
    return decodeEventLog({ abi: operatorGateAbi, topics, data: log.data, strict: true });
  } catch {
    throw new ChainError('what the RPC answered is no event of this gate');
  }
}
