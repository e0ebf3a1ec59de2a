/** Which transaction created a contract. */

import { type Address, type Hex, isAddressEqual } from 'viem';
import type { Check } from '../contract/artifact-checks.ts';
import type { DeployClient } from './deploy-client.ts';

/** The facts about the transaction that created a contract. */
export interface Creation {
  readonly txHash: Hex;
  /** Null if its block is unknown. */
  readonly blockNumber: number | null;
}

/** True if the transaction created the contract, in the block that is named. */
export async function deploymentCheck(
  { chain, asked }: DeployClient,
  contract: Address,
  creation: Creation,
): Promise<Check> {
  const hash = creation.txHash;
  const receipt = await asked('the deployment could not be read', chain.getTransactionReceipt({ hash }));
  const { contractAddress, blockNumber } = receipt;
  return {
    name: 'deployment',
    holds:
      contractAddress != null &&
      isAddressEqual(contractAddress, contract) &&
      (creation.blockNumber === null || Number(blockNumber) === creation.blockNumber),
    found: `${hash} in block ${blockNumber} made ${contractAddress ?? 'no contract'}`,
  };
}
