/** A venue's reserves, read from the exchange's figures and the chain; with the operators' secret from its lists as well. */

import type { Address, Reserves } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { microsOf } from '../chain/amounts.ts';
import { RpcRefusal } from '../chain/errors.ts';
import { Finality } from '../chain/finality.ts';
import { firstBlock } from '../chain/first-block.ts';
import type { Block } from '../chain/parse.ts';
import { chainAt } from '../chain/servers.ts';
import type { ReservesConfig } from '../daemon/config.ts';
import { checkFundingMode } from '../daemon/exchange-checks.ts';
import { checkVault, partyLines } from '../deploy/start-checks.ts';
import { Vault } from '../events/vault.ts';
import { VaultFlows } from '../events/vault-flows.ts';
import { type Commitment, VaultLogs } from '../events/vault-logs.ts';
import { readCommitments } from './commitments.ts';
import { type DepositRow, ofThisVault } from './reconcile.ts';
import { auditReserves, type OperatorLists } from './reserve-audit.ts';
import { checkReserves, type ReserveCheck } from './reserves.ts';

/** Reserves, and the two addresses of the vault that their readers need to know. */
export interface ReserveReport extends ReserveCheck {
  readonly token: Address;
  readonly operator: Address;
  /** False if nothing fails, and something could not be told without the operators' lists. */
  readonly isKnown: boolean;
}

/** An honest exchange has credited, and its batcher noted, whatever is older. */
const OLD_SEC = 3_600;

/**
 * Reads exchange and vault, and compares them (RES-1, CUS-20). Throws `ConfigError` for an invalid vault or exchange,
 * `ChainError` if the chain does not answer, and the client's error if the exchange does not.
 *
 * @example
 * const { holds, lines } = await readReserves(loadReservesConfig(process.env));
 */
export async function readReserves(config: ReservesConfig): Promise<ReserveReport> {
  const vault = new Vault(chainAt(config.rpcUrls), config.vault);
  const client = new VenueClient({ url: config.url });
  const parties = await checkVault(vault, config);
  await checkFundingMode(client);
  // The ledger's deposits before the block, and its payouts after it: what is credited is on the chain by then, and what
  // the block has committed had been requested.
  const early = await client.market.reserves();
  const deposits = config.operatorToken === null ? [] : await depositsOf(client, config.operatorToken, early);
  const head = await vault.chain.head();
  const venue = { ...(await client.market.reserves()), depositedUsd: early.depositedUsd };
  const payouts =
    config.operatorToken === null
      ? []
      : await Array.fromAsync(client.custody(config.operatorToken).payouts());
  const lists = config.operatorToken === null ? null : { deposits, payouts };
  const check = checkReserves(venue, await vault.figures(head.number));
  const lines = [
    `vault ${vault.address}`,
    ...partyLines(parties),
    ...check.lines,
    ...bindingLines(venue, await vault.chain.chainId(), config.vault),
    ...(await auditLines(config, { vault, head, venue, check, lists })),
  ];
  const isFailed = lines.some((line) => line.startsWith('FAIL'));
  const isKnown = !lines.some((line) => line.startsWith('NOT KNOWN'));
  return { ...check, ...parties, holds: check.holds && !isFailed, isKnown, lines };
}

function bindingLines(
  { chainId, vault, payoutsHalted }: Reserves,
  here: number,
  configured: Address,
): string[] {
  const halted = payoutsHalted === null ? [] : [`payouts are halted: ${payoutsHalted}`];
  if (vault === null) return ['the ledger is bound to no vault', ...halted];
  if (vault === configured && chainId === here)
    return [`the ledger is bound to this vault on chain ${here}`, ...halted];
  return [`FAIL the ledger is bound to the vault ${vault} on chain ${chainId}`, ...halted];
}

interface Read {
  readonly vault: Vault;
  readonly head: Block;
  readonly venue: Reserves;
  readonly check: ReserveCheck;
  readonly lists: OperatorLists | null;
}

async function auditLines(
  config: ReservesConfig,
  { vault, head, venue, check, lists }: Read,
): Promise<string[]> {
  const fromBlock = config.fromBlock ?? (await deploymentBlock(vault, head));
  const { chunkBlocks } = config;
  const place = {
    vault,
    finality: new Finality(vault.chain, null, () => {}),
    config: { fromBlock, chunkBlocks },
  };
  const { atHead: flows } = await new VaultFlows(place, null).upTo(head);
  const commitments = await readCommitments(vault, { from: fromBlock, to: head.number, chunkBlocks });
  const deposits = await new VaultLogs(vault, chunkBlocks).deposits({ from: fromBlock, to: head.number });
  const oldTo = await lastOldBlock(vault, { from: fromBlock, head });
  const old = commitments.filter(({ blockNumber }) => blockNumber <= oldTo);
  return auditReserves({
    venue,
    figures: await vault.figures(head.number),
    flows,
    deposits: { all: deposits, settled: deposits.filter(({ blockNumber }) => blockNumber <= oldTo) },
    commitments,
    oldCommittedMicros: sumOf(old),
    inFlight: check.inFlight,
    lists,
    giftsMicros: config.giftsMicros,
    skip: config.skip,
  });
}

function sumOf(commitments: readonly Commitment[]): bigint {
  return commitments.reduce((sum, { amount }) => sum + amount, 0n);
}

/** The ledger's deposits of this vault. */
async function depositsOf(
  client: VenueClient,
  token: string,
  { depositedUsd }: Reserves,
): Promise<DepositRow[]> {
  const listed = await Array.fromAsync(client.custody(token).deposits());
  return ofThisVault(
    listed.map(({ amount, address, ...log }) => ({
      ...log,
      address: address as Address,
      amount: BigInt(amount),
    })),
    microsOf(depositedUsd),
  );
}

/** The block in which the code appeared, by halving; the first block of all where the servers keep no old state. */
async function deploymentBlock(vault: Vault, { number }: Block): Promise<number> {
  try {
    return await firstBlock(
      { from: 0, to: number },
      async (block) => (await vault.chain.code(vault.address, block)) !== '0x',
    );
  } catch (error) {
    if (error instanceof RpcRefusal) return 0;
    throw error;
  }
}

async function lastOldBlock(vault: Vault, { from, head }: { from: number; head: Block }): Promise<number> {
  const isYoung = async (block: number) =>
    (await vault.chain.block(block)).timestampSeconds > head.timestampSeconds - OLD_SEC;
  return (await firstBlock({ from, to: head.number }, isYoung)) - 1;
}
