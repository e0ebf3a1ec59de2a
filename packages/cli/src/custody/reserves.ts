/** `venue reserves`: the exchange's debt to its traders, compared with the vault if a chain is named. */

import type { Reserves } from '@venue/protocol';
import { CommandError } from '../base/command-error.ts';
import { environment } from '../base/config.ts';
import { type CommonOptions, publicClient, urlOf } from '../connection/connection.ts';
import { usd } from '../terminal/numbers.ts';
import { show } from '../terminal/output.ts';
import { type Page, pairs } from '../terminal/table.ts';

export interface ReservesOptions extends CommonOptions {
  readonly rpc?: string;
  readonly vault?: string;
  readonly token?: string;
}

/** Exits with 1 if a chain is named and anything fails (RES-1, CUS-20), with 2 if something could not be told. */
export async function runReservesCommand(options: ReservesOptions): Promise<void> {
  const { rpc, vault, token } = options;
  const env = environment();
  const isOnChain = [rpc, vault, token, env.VENUE_RPC_URLS, env.VENUE_RPC_URL].some(Boolean);
  if (!isOnChain) return showOwed(options);
  const { loadReservesConfig, readReserves } = await import('@venue/vault');
  const config = loadReservesConfig({
    ...env,
    VENUE_URL: urlOf(options),
    ...(rpc !== undefined && { VENUE_RPC_URLS: rpc, VENUE_RPC_URL: undefined }),
    ...(vault !== undefined && { VENUE_VAULT_ADDRESS: vault }),
    ...(token !== undefined && { VENUE_TOKEN_ADDRESS: token }),
  });
  const { holds, isKnown, lines } = await readReserves(config);
  show(options, { holds, isKnown, lines }, () => lines);
  if (!holds) process.exitCode = 1;
  else if (!isKnown) process.exitCode = 2;
}

async function showOwed(options: ReservesOptions): Promise<void> {
  const client = publicClient(options);
  const { fundingMode } = await client.market.health();
  if (fundingMode === 'paper') throw new CommandError(`${client.url} runs on paper money: it owes none`);
  const reserves = await client.market.reserves();
  show(options, reserves, (page) => owedText(reserves, page));
}

function owedText(reserves: Reserves, page: Page): string[] {
  const { cashTotalUsd, pendingWithdrawalsUsd, committedWithdrawalsUsd, uncollectibleUsd } = reserves;
  return [
    ...pairs(
      [
        ['cash of accounts', usd(cashTotalUsd)],
        ['withdrawals pending', usd(pendingWithdrawalsUsd)],
        ['withdrawals committed', usd(committedWithdrawalsUsd)],
        ['uncollectible', `${usd(uncollectibleUsd)} in ${reserves.negativeAccounts} accounts below zero`],
        ['accounts', String(reserves.nonExemptAccounts)],
      ],
      page,
    ),
    'This is the word of the exchange; --rpc and --vault compare it with what the vault holds.',
  ];
}
