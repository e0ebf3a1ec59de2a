/** The logs that a filter lets through up to the head, followed round after round (CUS-12). */

import { mayHold } from './bloom.ts';
import type { Chain, LogFilter } from './chain.ts';
import { ChainError } from './errors.ts';
import { LogReader } from './log-reader.ts';
import { type Block, byPlace, type ChainLog, type Hash, logKey } from './parse.ts';
import { each } from './rpc.ts';

export interface FollowedLogsParts {
  readonly chain: Chain;
  readonly filter: LogFilter;
  /** The block before which there is no such log. */
  readonly fromBlock: number;
  readonly chunkBlocks: number;
  /** The block before which logs matter no longer; by default all matter. */
  readonly since?: (head: Block) => Promise<number>;
  /** Older blocks are listed again after this time, as an index that lagged may have hidden some of their logs. */
  readonly againMs: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface TipBlock extends Pick<Block, 'number' | 'hash' | 'parentHash'> {
  readonly logs: readonly ChainLog[];
}

/** The newest blocks, whose logs are proven by their receipts; a reorg of no more than these is followed. */
const TIP_BLOCKS = 128;

export class FollowedLogs {
  readonly #parts: FollowedLogsParts;
  readonly #reader: LogReader;
  /** Ascending, each the child of the one before. */
  #tip: readonly TipBlock[] = [];
  /** Logs of blocks before the tip, by transaction and index. */
  readonly #older = new Map<string, ChainLog>();
  #listedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: FollowedLogsParts) {
    this.#parts = parts;
    this.#reader = new LogReader(parts.chain, parts.chunkBlocks);
  }

  /** All of them in the order of the chain. Throws `ChainError` where the chain changes meanwhile. */
  async read(head: Block): Promise<readonly ChainLog[]> {
    const tipFrom = Math.max(this.#parts.fromBlock, head.number - TIP_BLOCKS + 1);
    const known = this.#tip.at(-1);
    // Until it is listed: a failure on the way must leave no gap.
    if (known === undefined || known.number < tipFrom - 1) this.#listedAtMs = Number.NEGATIVE_INFINITY;
    const tip = await this.#tipOf(head, tipFrom);
    for (const { number, logs } of this.#tip) if (number < tipFrom) this.#keep(logs);
    this.#tip = tip;
    await this.#list(head, tipFrom - 1);
    const older = [...this.#older.values()].filter(({ blockNumber }) => blockNumber < tipFrom);
    return [...older.sort(byPlace), ...tip.flatMap(({ logs }) => logs)];
  }

  async #tipOf(head: Block, tipFrom: number): Promise<TipBlock[]> {
    const kept = this.#tip.filter(({ number }) => number >= tipFrom && number <= head.number);
    if (kept.at(-1)?.hash === head.hash) return kept;
    if (kept.at(-1)?.number === head.number) kept.pop();
    const from = kept.length === 0 ? tipFrom : kept.at(-1)!.number + 1;
    const fresh = [...(await this.#headers(from, head.number - 1)), head];
    // A reorg: what it has replaced is read again.
    while (kept.length > 0 && kept.at(-1)!.hash !== fresh[0]!.parentHash)
      fresh.unshift(await this.#parts.chain.block(kept.pop()!.number));
    checkLinks(fresh);
    return [...kept, ...(await each(fresh, (block) => this.#proven(block)))];
  }

  #headers(from: number, to: number): Promise<Block[]> {
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
    return each(numbers, (number) => this.#parts.chain.block(number));
  }

  async #proven(block: Block): Promise<TipBlock> {
    const { chain, filter } = this.#parts;
    const logs = mayHold(block.logsBloom, filter) ? await chain.provenLogs(filter, block) : [];
    return { number: block.number, hash: block.hash, parentHash: block.parentHash, logs };
  }

  async #list(head: Block, to: number): Promise<void> {
    const { filter, fromBlock, since, againMs, now = () => performance.now() } = this.#parts;
    if (now() - this.#listedAtMs < againMs) return;
    const from = Math.max(fromBlock, (await since?.(head)) ?? fromBlock);
    this.#keep(await this.#reader.read(filter, { from, to }));
    for (const [key, { blockNumber }] of this.#older) if (blockNumber < from) this.#older.delete(key);
    this.#listedAtMs = now();
  }

  #keep(logs: readonly ChainLog[]): void {
    for (const log of logs) this.#older.set(logKey(log), log);
  }
}

function checkLinks(
  blocks: readonly { readonly hash: Hash; readonly parentHash: Hash; readonly number: number }[],
) {
  for (const [i, { number, parentHash }] of blocks.entries())
    if (i > 0 && blocks[i - 1]!.hash !== parentHash)
      throw new ChainError(`block ${number} is not the child of block ${number - 1}`);
}
