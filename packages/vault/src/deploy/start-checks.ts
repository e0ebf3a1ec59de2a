/** Conditions on chain and vault that a daemon checks before it starts. */

import { ConfigError } from '@venue/config';
import type { Address } from '@venue/protocol';
import type { Chain } from '../chain/chain.ts';
import { RpcRefusal } from '../chain/errors.ts';
import type { ReservesConfig } from '../daemon/config.ts';
import type { Vault } from '../events/vault.ts';
import { type CodeTerms, checkCode } from './code-check.ts';

const TOKEN_DECIMALS = 6;

/** The token of a vault, and the accounts it obeys. */
export interface VaultParties {
  readonly token: Address;
  readonly operator: Address;
}

/**
 * Throws `ConfigError` if chain, vault or token are not those of the configuration, `ChainError` without an answer.
 * Six decimals alone do not make a contract the right token.
 */
export async function checkVault(
  vault: Vault,
  { chainId, token, ...terms }: Pick<ReservesConfig, 'chainId' | 'token'> & CodeTerms,
): Promise<VaultParties> {
  const actual = await vault.chain.chainId();
  const { hosts } = vault.chain;
  if (chainId !== null && actual !== chainId)
    throw new ConfigError(`VENUE_CHAIN_ID is ${chainId}, but the RPC at ${hosts} is of chain ${actual}`);
  if (!(await vault.isDeployed()))
    throw new ConfigError(`VENUE_VAULT_ADDRESS: there is no contract at ${vault.address} on chain ${actual}`);
  await checkCode(vault, terms);
  const decimals = await vault.tokenDecimals();
  if (decimals !== TOKEN_DECIMALS)
    throw new ConfigError(
      `VENUE_VAULT_ADDRESS: the token of ${vault.address} has ${decimals} decimals, not ${TOKEN_DECIMALS}`,
    );
  const parties = { token: await vault.token(), operator: await vault.operator() };
  if (token !== null && parties.token !== token)
    throw new ConfigError(
      `VENUE_TOKEN_ADDRESS is ${token}, but the vault ${vault.address} holds the token ${parties.token}`,
    );
  return parties;
}

/** The parties for people, one line each. */
export function partyLines({ token, operator }: VaultParties): string[] {
  return [`token ${token}`, `operator ${operator}`];
}

/** Throws `ConfigError` if a block that must exist is above the head: a wrong number, or another chain. */
export async function checkHeight(chain: Chain, name: string, blockNumber: number): Promise<void> {
  const { number } = await chain.head();
  if (blockNumber > number)
    throw new ConfigError(
      `${name} is block ${blockNumber}, above the head ${number} of the chain at ${chain.hosts}`,
    );
}

/**
 * Throws `ConfigError` if the vault is older than the block from which on its deposits are read: the earlier ones would
 * be lost. Returns a warning where the servers keep no state as old as that, or null.
 */
export async function checkFromBlock(vault: Vault, fromBlock: number): Promise<string | null> {
  if (fromBlock === 0) return null;
  const code = await vault.chain.code(vault.address, fromBlock - 1).catch((error) => {
    if (error instanceof RpcRefusal) return null;
    throw error;
  });
  if (code === null)
    return `WARNING: nobody has checked VENUE_VAULT_FROM_BLOCK: ${vault.chain.hosts} keeps no state of block ${fromBlock - 1}; compare it with blockNumber in the deployment's file`;
  if (code === '0x') return null;
  throw new ConfigError(
    `VENUE_VAULT_FROM_BLOCK is ${fromBlock}, but the vault ${vault.address} was there before: deposits would be lost; ` +
      `take blockNumber from the deployment's file`,
  );
}
