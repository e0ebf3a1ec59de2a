/** Reads logs over many blocks, in ranges that shrink when the server refuses them and grow back when it does not. */

import type { Chain, LogFilter } from './chain.ts';
import { RpcRefusal } from './errors.ts';
import type { ChainLog } from './parse.ts';

export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

export class LogReader {
  readonly #chain: Chain;
  readonly #chunkBlocksMax: number;
  #chunkBlocks: number;

  constructor(chain: Chain, chunkBlocksMax: number) {
    this.#chain = chain;
    this.#chunkBlocksMax = chunkBlocksMax;
    this.#chunkBlocks = chunkBlocksMax;
  }

  /** Number of blocks in one request at present. */
  get chunkBlocks(): number {
    return this.#chunkBlocks;
  }

  /** Logs of the whole range in the order of blocks; throws if the server refuses a single block. */
  async read(filter: LogFilter, { from, to }: BlockRange): Promise<ChainLog[]> {
    const logs: ChainLog[] = [];
    for (let at = from; at <= to; ) {
      const last = Math.min(to, at + this.#chunkBlocks - 1);
      const part = await this.#ask(filter, { from: at, to: last });
      if (part === null) continue;
      logs.push(...part);
      at = last + 1;
    }
    return logs;
  }

  /** Null if the server refused, and the range must be requested again in smaller parts. */
  async #ask(filter: LogFilter, { from, to }: BlockRange): Promise<ChainLog[] | null> {
    try {
      const logs = await this.#chain.logs(filter, from, to);
      this.#chunkBlocks = Math.min(this.#chunkBlocksMax, this.#chunkBlocks * 2);
      return logs;
    } catch (error) {
      const blocks = to - from + 1;
      this.#chunkBlocks = Math.max(1, Math.floor(blocks / 2));
      if (error instanceof RpcRefusal && blocks > 1) return null;
      throw error;
    }
  }
}
