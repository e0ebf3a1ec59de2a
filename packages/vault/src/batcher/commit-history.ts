/** The commitments of the last day, from the vault's own events, so that a lost state file forgets none of them (CUS-16). */

import type { Finality } from '../chain/finality.ts';
import { firstBlock } from '../chain/first-block.ts';
import type { BlockRange, Reading } from '../chain/log-reader.ts';
import type { Block } from '../chain/parse.ts';
import type { Vault } from '../events/vault.ts';
import { VaultLogs } from '../events/vault-logs.ts';
import { type Commit, DAY_SEC } from './limits.ts';

interface Found extends Commit {
  readonly blockNumber: number;
}

export interface CommitHistoryParts {
  readonly vault: Vault;
  readonly finality: Finality;
  readonly config: { readonly fromBlock: number; readonly chunkBlocks: number };
}

export class CommitHistory {
  readonly #parts: CommitHistoryParts;
  readonly #logs: VaultLogs;
  /** Those up to `#readTo`, which no reorg is expected to take away. */
  #settled: readonly Found[] = [];
  #readTo: number | null = null;

  constructor(parts: CommitHistoryParts) {
    this.#parts = parts;
    this.#logs = new VaultLogs(parts.vault, parts.config.chunkBlocks);
  }

  /** All commitments of the 24 hours before a block, and possibly some older ones. */
  async before(head: Block): Promise<readonly Commit[]> {
    const sinceSec = head.timestampSeconds - DAY_SEC;
    const readTo = this.#readTo ?? (await this.#firstBlockAfter(sinceSec, head)) - 1;
    // A server that lags may call less final than before; what was read stays read.
    const settled = Math.max(readTo, Math.min(await this.#parts.finality.settled(head), head.number));
    const kept = await this.#read({ from: readTo + 1, to: settled }, 'proven');
    const newest = await this.#read({ from: settled + 1, to: head.number }, 'listed');
    const isRecent = ({ atSec }: Found) => atSec > sinceSec;
    this.#settled = [...this.#settled, ...kept].filter(isRecent);
    const all = [...this.#settled, ...newest.filter(isRecent)];
    this.#readTo = settled;
    return all;
  }

  async #read(range: BlockRange, reading: Reading): Promise<Found[]> {
    if (range.from > range.to) return [];
    const commitments = await this.#logs.commitments(range, reading);
    const times = new Map<number, number>();
    for (const { blockNumber } of commitments)
      if (!times.has(blockNumber)) times.set(blockNumber, await this.#timeOf(blockNumber));
    return commitments.map(({ account, amount, blockNumber }) => ({
      ...{ account, amount, blockNumber },
      atSec: times.get(blockNumber)!,
    }));
  }

  /** The lowest block of the vault with a later time: times of blocks never fall. */
  #firstBlockAfter(sec: number, { number: to }: Block): Promise<number> {
    const { fromBlock: from } = this.#parts.config;
    return firstBlock({ from, to }, async (block) => (await this.#timeOf(block)) > sec);
  }

  async #timeOf(block: number): Promise<number> {
    return (await this.#parts.vault.chain.block(block)).timestampSeconds;
  }
}
