/** A venue's reserves, read without a secret from the exchange's public figures and the chain. */

import type { Address } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { chainAt } from './chain/servers.ts';
import { Vault } from './chain/vault.ts';
import type { ReservesConfig } from './config.ts';
import { checkReserves, type ReserveCheck } from './reserves.ts';
import { checkFundingMode, checkVault, partyLines } from './start-checks.ts';

/** Reserves, and the two addresses of the vault that their readers need to know. */
export interface ReserveReport extends ReserveCheck {
  readonly token: Address;
  readonly operator: Address;
}

/**
 * Reads exchange and vault, and compares them (RES-1). Throws `ConfigError` for an invalid vault or exchange,
 * `ChainError` if the chain does not answer, and the client's error if the exchange does not.
 *
 * @example
 * const { holds, lines } = await readReserves(loadReservesConfig(process.env));
 */
export async function readReserves(config: ReservesConfig): Promise<ReserveReport> {
  const chain = chainAt(config.rpcUrls);
  const vault = new Vault(chain, config.vault);
  const client = new VenueClient({ url: config.url });
  const parties = await checkVault(vault, config);
  await checkFundingMode(client);
  // Reads the block first: everything committed in it had been requested before, so the exchange knows of it.
  const { number } = await chain.head();
  const check = checkReserves(await client.market.reserves(), await vault.figures(number));
  const lines = [`vault ${vault.address}`, ...partyLines(parties), ...check.lines];
  return { ...check, ...parties, lines };
}
