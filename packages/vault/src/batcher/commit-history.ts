/** The commitments of the last day, from the vault's own events, so that a lost state file forgets none of them (CUS-16). */

import type { Chain } from '../chain/chain.ts';
import type { Finality } from '../chain/finality.ts';
import { LogReader } from '../chain/log-reader.ts';
import type { Block } from '../chain/parse.ts';
import { commitmentFilter, decodePayout, type Vault } from '../chain/vault.ts';
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
  readonly #reader: LogReader;
  /** Those up to `#readTo`, which no reorg is expected to take away. */
  #settled: readonly Found[] = [];
  #readTo: number | null = null;

  constructor(parts: CommitHistoryParts) {
    this.#parts = parts;
    this.#reader = new LogReader(parts.vault.chain, parts.config.chunkBlocks);
  }

  /** All commitments of the 24 hours before a block, and possibly some older ones. */
  async before(head: Block): Promise<readonly Commit[]> {
    const sinceSec = head.timestampSeconds - DAY_SEC;
    this.#readTo ??= (await this.#firstBlockAfter(sinceSec, head)) - 1;
    const found = await this.#read(this.#readTo + 1, head.number);
    const settled = Math.min(await this.#parts.finality.settled(head), head.number);
    const all = [...this.#settled, ...found].filter(({ atSec }) => atSec > sinceSec);
    this.#settled = all.filter(({ blockNumber }) => blockNumber <= settled);
    this.#readTo = Math.max(this.#readTo, settled);
    return all;
  }

  async #read(from: number, to: number): Promise<Found[]> {
    const { vault } = this.#parts;
    const logs = from > to ? [] : await this.#reader.read(commitmentFilter(vault.address), { from, to });
    const times = new Map<number, number>();
    for (const { blockNumber } of logs)
      if (!times.has(blockNumber))
        times.set(blockNumber, (await vault.chain.block(blockNumber)).timestampSeconds);
    return logs.map((log) => {
      const { account, amount } = decodePayout(log, vault.address);
      return { account, amount, blockNumber: log.blockNumber, atSec: times.get(log.blockNumber)! };
    });
  }

  /** The lowest block of the vault with a later time, by halving: times of blocks never fall. */
  async #firstBlockAfter(sec: number, head: Block): Promise<number> {
    let [low, high] = [this.#parts.config.fromBlock, head.number];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { timestampSeconds } = await this.#chain.block(middle);
      if (timestampSeconds > sec) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  get #chain(): Chain {
    return this.#parts.vault.chain;
  }
}
