/** Checks that the code at the vault's address is a vault's, before anything that it answers is believed (CUS-20). */

import { ConfigError } from '@venue/config';
import { keccak256 } from 'viem';
import { ChainError } from '../chain/errors.ts';
import { VaultDeployError } from '../contract/deploy-error.ts';
import type { ReservesConfig } from '../daemon/config.ts';
import type { Vault } from '../events/vault.ts';
import { verifyVault } from './verify.ts';

export type CodeTerms = Pick<ReservesConfig, 'rpcUrls' | 'codeHash'>;

/**
 * Compares the code with the committed artifact, as `venue vault verify` does, or with the hash in the file of a
 * deployment, where that is named. Throws `ConfigError` for another contract, `ChainError` if a server does not answer.
 */
export async function checkCode(vault: Vault, { rpcUrls, codeHash }: CodeTerms): Promise<void> {
  if (codeHash !== null) return checkHash(vault, codeHash);
  for (const rpcUrl of rpcUrls) {
    const fault = await faultAt(rpcUrl, vault);
    if (fault !== null)
      throw new ConfigError(
        `VENUE_VAULT_ADDRESS: the contract at ${vault.address} is not the vault of this release: ${fault}; if another ` +
          `release deployed it, name the file of that deployment in VENUE_VAULT_DEPLOYMENT`,
      );
  }
}

async function checkHash(vault: Vault, codeHash: string): Promise<void> {
  const found = keccak256(await vault.chain.code(vault.address));
  if (found !== codeHash)
    throw new ConfigError(
      `VENUE_VAULT_DEPLOYMENT: the code at ${vault.address} has the hash ${found}, and the file says ${codeHash}`,
    );
}

/** The first check that does not hold at a server, or null. */
async function faultAt(rpcUrl: string, { address }: Vault): Promise<string | null> {
  try {
    const { checks } = await verifyVault({ rpcUrl, target: { address }, log: () => {} });
    const failed = checks.find(({ holds }) => !holds);
    return failed === undefined ? null : `${failed.name}: ${failed.found}`;
  } catch (error) {
    // The code is compared first, so what cannot be read after that is the server's fault.
    if (error instanceof VaultDeployError) throw new ChainError(error.message);
    throw error;
  }
}
