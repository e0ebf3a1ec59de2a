/** Reads the deposits of a range of blocks, and trusts an answer only if other answers confirm it. */

import type { Address } from '@venue/protocol';
import { mayHold } from '../chain/bloom.ts';
import type { Chain, LogFilter } from '../chain/chain.ts';
import { ChainError } from '../chain/errors.ts';
import type { BlockRange, LogReader } from '../chain/log-reader.ts';
import { type Block, byPlace, type ChainLog, type Hash, logKey } from '../chain/parse.ts';
import { each } from '../chain/rpc.ts';
import type { SeenBlock } from '../chain/schemas.ts';
import { depositFilter, depositOf, type VaultDeposit } from '../events/vault-logs.ts';

export interface Reading {
  /** In the order of the chain. */
  readonly deposits: readonly VaultDeposit[];
  /** Blocks whose hashes were seen, ascending, including the end of the range. */
  readonly blocks: readonly SeenBlock[];
}

/** In a range this small the header of every block is read; in a larger one the logs are requested twice. */
export const HEADERS_MAX = 128;

export class Scanner {
  readonly #chain: Chain;
  readonly #reader: LogReader;
  readonly #filter: LogFilter;

  constructor(chain: Chain, reader: LogReader, vault: Address) {
    this.#chain = chain;
    this.#reader = reader;
    this.#filter = depositFilter(vault);
  }

  /**
   * The deposits from `from` to `to`, both included. Throws `ChainError` if answers contradict each other: a block
   * that changed meanwhile or is not the child of the one before, or logs of a range that are not those of its blocks.
   * `known` are hashes of blocks read earlier.
   *
   * Every block in which a deposit was found, or may be by its header, is asked for its receipts, so what counts is
   * proven; a node whose index of logs lags hides nothing from a small range.
   */
  async read({ from, to }: BlockRange, known: ReadonlyMap<number, Hash>): Promise<Reading> {
    const end = await this.#chain.block(to);
    const isSmall = to - from < HEADERS_MAX;
    const listed = isSmall ? null : await this.#listed({ from, to });
    const headers = await this.#headers(listed === null ? numbersOf(from, to) : [...blocksOf(listed), to]);
    if (isSmall) checkLinks(headers, known);
    const logs = await this.#proven(headers, listed);
    const endAgain = await this.#chain.block(to);
    if (endAgain.hash !== end.hash || headers.at(-1)!.hash !== end.hash)
      throw new ChainError(`block ${to} changed while its deposits were read`);
    return {
      deposits: logs.map((log) => depositOf(log, this.#filter.address)).sort(byPlace),
      blocks: headers.map(({ number, hash }) => ({ number, hash })),
    };
  }

  #headers(numbers: readonly number[]): Promise<Block[]> {
    const ascending = [...new Set(numbers)].sort((a, b) => a - b);
    return each(ascending, (number) => this.#chain.block(number));
  }

  /**
   * The logs of a long range as the server lists them, asked for twice in different cuts: a server that truncates long
   * answers, or one of several that lags behind, is unlikely to answer both alike.
   */
  async #listed({ from, to }: BlockRange): Promise<ChainLog[]> {
    const logs = await this.#reader.read(this.#filter, { from, to });
    if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
      throw new ChainError(`logs of other blocks than ${from} to ${to}`);
    const middle = Math.floor((from + to) / 2);
    const halves = [
      ...(await this.#reader.read(this.#filter, { from, to: middle })),
      ...(await this.#reader.read(this.#filter, { from: middle + 1, to })),
    ];
    if (!sameLogs(logs, halves))
      throw new ChainError(`two answers on the logs of blocks ${from} to ${to} differ`);
    return logs;
  }

  /** The logs of the blocks whose headers say that they may have some; they must include those that were listed. */
  async #proven(headers: readonly Block[], listed: readonly ChainLog[] | null): Promise<ChainLog[]> {
    const withLogs = blocksOf(listed ?? []);
    const suspects = headers.filter(
      ({ number, logsBloom }) => withLogs.has(number) || mayHold(logsBloom, this.#filter),
    );
    const found = await each(suspects, async (block) => {
      const own = await this.#chain.provenLogs(this.#filter, block);
      if (
        listed !== null &&
        !sameLogs(
          own,
          listed.filter(({ blockNumber }) => blockNumber === block.number),
        )
      )
        throw new ChainError(`the logs of block ${block.number} are not those that its range listed`);
      return own;
    });
    return found.flat();
  }
}

function numbersOf(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function blocksOf(logs: readonly ChainLog[]): Set<number> {
  return new Set(logs.map(({ blockNumber }) => blockNumber));
}

function checkLinks(headers: readonly Block[], known: ReadonlyMap<number, Hash>): void {
  const hashes = new Map(known);
  for (const { number, hash, parentHash } of headers) {
    if ((hashes.get(number) ?? hash) !== hash)
      throw new ChainError(`block ${number} is not the one seen before`);
    if ((hashes.get(number - 1) ?? parentHash) !== parentHash)
      throw new ChainError(`block ${number} is not the child of block ${number - 1}`);
    hashes.set(number, hash);
  }
}

function sameLogs(some: readonly ChainLog[], others: readonly ChainLog[]): boolean {
  const texts = (logs: readonly ChainLog[]) =>
    logs.map((log) => [log.blockHash, logKey(log), log.address, ...log.topics, log.data].join()).sort();
  const [left, right] = [texts(some), texts(others)];
  return left.length === right.length && left.every((text, i) => text === right[i]);
}
