/** The calls of a gate and the names it gives, for those who propose, veto and execute (CUS-15). */

import type { Address, Hex } from '@venue/protocol';
import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbiParameters } from 'viem';
import type { Hash } from '../chain/parse.ts';
import { operatorGateAbi } from '../contract/abi.ts';

/** One payout as the gate has it; anybody may propose numbers that are no numbers of an exchange. */
export interface GatePayout {
  readonly id: bigint;
  readonly account: Address;
  /** In micros. */
  readonly amount: bigint;
}

const BATCH = parseAbiParameters('string, bytes32, (uint256 id, address account, uint256 amount)[]');
const PROPOSER = parseAbiParameters('string, address');

/** The name of a batch in every event of the gate, and its batch id in the vault. */
export function gateBatchId(batchId: Hex, payouts: readonly GatePayout[]): Hash {
  return keccak256(encodeAbiParameters(BATCH, ['batch', batchId, payouts])) as Hash;
}

/** The name of a proposer, for a veto of the proposer and of all that it has proposed. */
export function proposerIdOf(proposer: Address): Hash {
  return keccak256(encodeAbiParameters(PROPOSER, ['proposer', proposer])) as Hash;
}

export function proposeCall(batchId: Hex, payouts: readonly GatePayout[]): Hex {
  return encodeFunctionData({ abi: operatorGateAbi, functionName: 'propose', args: [batchId, payouts] });
}

export function executeCall(batchId: Hex, payouts: readonly GatePayout[]): Hex {
  return encodeFunctionData({ abi: operatorGateAbi, functionName: 'execute', args: [batchId, payouts] });
}

/** A vote against a batch, a proposer, announced guardians or an operation of the failsafe. */
export function vetoCall(id: Hex): Hex {
  return encodeFunctionData({ abi: operatorGateAbi, functionName: 'veto', args: [id] });
}

export function pauseCall(): Hex {
  return encodeFunctionData({ abi: operatorGateAbi, functionName: 'pause' });
}
