/** Opens the gate that the file of a deployment names (CUS-15). */

import { type Address, parseAddress } from '@venue/protocol';
import { chainAt } from '../chain/servers.ts';
import { readAddresses, type VaultAddresses } from '../contract/addresses.ts';
import { VaultDeployError } from '../contract/deploy-error.ts';
import { Gate } from './gate.ts';

export interface OpenedGate {
  readonly gate: Gate;
  readonly addresses: VaultAddresses;
}

/**
 * Throws `VaultDeployError` if the file has no gate, or its chain or code are not what the servers show, and `ChainError`
 * if one does not answer.
 */
export async function openGate(file: string, rpcUrls: readonly string[]): Promise<OpenedGate> {
  const addresses = readAddresses(file);
  if (addresses.gate === undefined)
    throw new VaultDeployError(`${file}: the vault ${addresses.vault} has no gate`);
  const gate = new Gate(chainAt(rpcUrls), parseAddress(addresses.operator) as Address);
  const chainId = await gate.chain.chainId();
  if (chainId !== addresses.chainId)
    throw new VaultDeployError(
      `${file} is of chain ${addresses.chainId}, and ${gate.chain.hosts} of ${chainId}`,
    );
  if (!(await gate.isGate()))
    throw new VaultDeployError(`the contract at ${gate.address} is not the gate of this release`);
  return { gate, addresses };
}
