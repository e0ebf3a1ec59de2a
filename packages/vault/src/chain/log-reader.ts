/** Reads logs over many blocks, in ranges that shrink when the server refuses them and grow back when it does not. */

import { mayHold } from './bloom.ts';
import type { Chain, LogFilter } from './chain.ts';
import { RpcRefusal } from './errors.ts';
import type { ChainLog } from './parse.ts';
import { each } from './rpc.ts';

export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/**
 * - `listed`: as the servers' indexes have them. Nothing proves that none is missing, so it is for what is read again.
 * - `proven`: by the receipts of the blocks whose headers may hold one, which leaves no room for an index that lags
 *   (CUS-12). A range of many blocks is read as it is listed, as catching up by headers would take too long.
 */
export type Reading = 'listed' | 'proven';

/** The most blocks of which every header is read. */
const HEADERS_MAX = 128;

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
  async read(filter: LogFilter, { from, to }: BlockRange, reading: Reading = 'listed'): Promise<ChainLog[]> {
    if (reading === 'proven' && to - from < HEADERS_MAX) return this.#readProven(filter, { from, to });
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

  async #readProven(filter: LogFilter, { from, to }: BlockRange): Promise<ChainLog[]> {
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
    const blocks = await each(numbers, (number) => this.#chain.block(number));
    const suspects = blocks.filter(({ logsBloom }) => mayHold(logsBloom, filter));
    return (await each(suspects, (block) => this.#chain.provenLogs(filter, block))).flat();
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
