/** Conditions on the exchange that a daemon checks before it starts. */

import { ConfigError } from '@venue/config';
import { type CustodyCalls, type VenueClient, VenueError } from '@venue/sdk';
import type { Credential } from './config.ts';

/**
 * Throws `ConfigError` for an exchange of test money, or for one that refuses the daemon's secret: `attempt` is a call
 * that needs it and changes nothing.
 */
export async function checkExchange(
  client: VenueClient,
  { name, secret }: Credential,
  attempt: (custody: CustodyCalls) => Promise<unknown>,
): Promise<void> {
  await checkFundingMode(client);
  try {
    await attempt(client.custody(secret));
  } catch (error) {
    if (error instanceof VenueError && error.status < 500)
      throw new ConfigError(`${name}: the exchange answers ${error.message}`);
    throw error;
  }
}

/** Throws `ConfigError` for an exchange of test money, which owes nothing. */
export async function checkFundingMode(client: VenueClient): Promise<void> {
  const { fundingMode } = await client.market.health();
  if (fundingMode !== 'deposits')
    throw new ConfigError(`the exchange at ${client.url} is in ${fundingMode} mode, not in deposits mode`);
}
