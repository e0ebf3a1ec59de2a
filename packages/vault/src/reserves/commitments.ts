/** Every payout that the vault has committed, as the chain has it: what operators adopt, and what reserves are checked on. */

import { ChainError } from '../chain/errors.ts';
import { Finality } from '../chain/finality.ts';
import { chainAt } from '../chain/servers.ts';
import type { ReservesConfig } from '../daemon/config.ts';
import { checkVault } from '../deploy/start-checks.ts';
import { Vault } from '../events/vault.ts';
import { type Commitment, VaultLogs } from '../events/vault-logs.ts';

/**
 * Reads the commitments of the blocks from `from` to `to`, the first being no later than the vault's deployment. The
 * vault's own totals prove that none is missing. Throws `ChainError` if one is, or if the chain does not answer.
 */
export async function readCommitments(
  vault: Vault,
  { from, to, chunkBlocks }: { readonly from: number; readonly to: number; readonly chunkBlocks: number },
): Promise<Commitment[]> {
  const commitments = await new VaultLogs(vault, chunkBlocks).commitments({ from, to });
  const { totalCommitted, totalClaimed } = await vault.figures(to);
  const total = commitments.reduce((sum, { amount }) => sum + amount, 0n);
  if (total !== totalCommitted + totalClaimed)
    throw new ChainError(
      `${vault.chain.hosts} show commitments of ${total} micros, and the vault counts ${totalCommitted + totalClaimed}: ` +
        'their index of logs is incomplete, or the first block is after the deployment',
    );
  return commitments;
}

/**
 * The commitments of a vault up to its last final block, from `fromBlock` or from the first block on. Throws
 * `ConfigError` for another contract than the vault.
 */
export async function readVaultCommitments(
  config: ReservesConfig,
  { fromBlock }: { readonly fromBlock: number | null },
): Promise<Commitment[]> {
  const vault = new Vault(chainAt(config.rpcUrls), config.vault);
  await checkVault(vault, config);
  const to = await new Finality(vault.chain, null, () => {}).settled(await vault.chain.head());
  if (to < 0) throw new ChainError(`${vault.chain.hosts} have no block yet that is final`);
  return readCommitments(vault, { from: fromBlock ?? 0, to, chunkBlocks: CHUNK_BLOCKS });
}

const CHUNK_BLOCKS = 2_000;
