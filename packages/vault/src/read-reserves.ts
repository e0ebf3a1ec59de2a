/** The reserves of a venue as anybody can read them, without a secret: the exchange's public figures and the chain. */

import { VenueClient } from '@venue/sdk';
import { Chain } from './chain/chain.ts';
import { Rpc } from './chain/rpc.ts';
import { Vault } from './chain/vault.ts';
import type { ReservesConfig } from './config.ts';
import { checkReserves, type ReserveCheck } from './reserves.ts';
import { checkFundingMode, checkVault } from './start-checks.ts';

/**
 * Reads exchange and vault, and compares them (RES-1). Throws `VaultConfigError` for a vault or exchange that is none,
 * `ChainError` when the chain does not answer, and what the client throws when the exchange does not.
 *
 * @example
 * const { holds, lines } = await readReserves(loadReservesConfig(process.env));
 */
export async function readReserves(config: ReservesConfig): Promise<ReserveCheck> {
  const chain = new Chain(new Rpc({ url: config.rpcUrl }));
  const vault = new Vault(chain, config.vault);
  const client = new VenueClient({ url: config.url });
  await checkVault(vault, config);
  await checkFundingMode(client);
  // The exchange first: what moves meanwhile is then already on the vault's side.
  const owed = await client.market.reserves();
  const { number } = await chain.head();
  return checkReserves(owed, await vault.figures(number));
}
