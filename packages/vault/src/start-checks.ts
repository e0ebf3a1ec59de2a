/** What must be true of chain, vault and exchange before a daemon starts its work. */

import { type VenueClient, VenueError } from '@venue/sdk';
import type { Vault } from './chain/vault.ts';
import type { ReservesConfig } from './config.ts';
import { VaultConfigError } from './config-error.ts';

const TOKEN_DECIMALS = 6;

/** Throws `VaultConfigError` when chain or vault are not those of the configuration, `ChainError` without an answer. */
export async function checkVault(vault: Vault, { chainId }: Pick<ReservesConfig, 'chainId'>): Promise<void> {
  const actual = await vault.chain.chainId();
  const { host } = vault.chain.rpc;
  if (chainId !== null && actual !== chainId)
    throw new VaultConfigError(`VENUE_CHAIN_ID is ${chainId}, but the RPC at ${host} is of chain ${actual}`);
  if (!(await vault.isDeployed()))
    throw new VaultConfigError(
      `VENUE_VAULT_ADDRESS: there is no contract at ${vault.address} on chain ${actual}`,
    );
  const decimals = await vault.tokenDecimals();
  if (decimals !== TOKEN_DECIMALS)
    throw new VaultConfigError(
      `VENUE_VAULT_ADDRESS: the token of ${vault.address} has ${decimals} decimals, not ${TOKEN_DECIMALS}`,
    );
}

/** Throws `VaultConfigError` for an exchange of test money or one that refuses the operator's secret. */
export async function checkExchange(client: VenueClient, operatorToken: string): Promise<void> {
  await checkFundingMode(client);
  try {
    await client.custody(operatorToken).held();
  } catch (error) {
    if (error instanceof VenueError && error.status < 500)
      throw new VaultConfigError(`VENUE_OPERATOR_TOKEN: the exchange answers ${error.message}`);
    throw error;
  }
}

/** Throws `VaultConfigError` for an exchange of test money, which owes nothing. */
export async function checkFundingMode(client: VenueClient): Promise<void> {
  const { fundingMode } = await client.market.health();
  if (fundingMode !== 'deposits')
    throw new VaultConfigError(
      `the exchange at ${client.url} is in ${fundingMode} mode, not in deposits mode`,
    );
}
