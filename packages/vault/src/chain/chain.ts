/**
 * The daemons' reads of a chain, and the one thing they send to it. With several servers, a fact is what all of them
 * answer alike (CUS-11), so that a lie needs all of them.
 */

import type { Address, Hex } from '@venue/protocol';
import { ChainError, DisagreementError, RpcRefusal } from './errors.ts';
import { assertHashed } from './header.ts';
import {
  type Block,
  type ChainLog,
  type Hash,
  parseBlock,
  parseBytes,
  parseCount,
  parseList,
  parseLog,
  parseQuantity,
  parseReceipt,
  type Receipt,
} from './parse.ts';
import { provenLogs } from './receipts.ts';
import type { Rpc } from './rpc.ts';

/** Topics as a filter: null matches any, a list matches any of its members. */
export type Topics = readonly (Hex | null | readonly Hex[])[];

export interface LogFilter {
  readonly address: Address;
  readonly topics: Topics;
}

/** A number names the block of that height; `latest` is the current head. */
export type At = number | 'latest';

/** A call whose gas is bounded, as its contract is anybody's. */
export interface Attempt {
  readonly to?: Address;
  readonly data: Hex;
  readonly gas: number;
  /** Null for a call that offers no price, in which some clients set the base fee to zero. */
  readonly gasPriceWei: bigint | null;
}

export class Chain {
  readonly #servers: readonly [Rpc, ...Rpc[]];

  constructor(...servers: readonly [Rpc, ...Rpc[]]) {
    this.#servers = servers;
  }

  /** The servers, as they may be shown. */
  get hosts(): string {
    return this.#servers.map(({ host }) => host).join(' and ');
  }

  /** True if nothing confirms what the server says. */
  get isSingle(): boolean {
    return this.#servers.length === 1;
  }

  chainId(): Promise<number> {
    return this.#agreed('the chain id', async (server) =>
      parseCount(await server.call('eth_chainId'), 'chain id'),
    );
  }

  /**
   * The newest block that every server has. Throws `ChainError` if a server names a head it cannot show, because it is
   * lying or not ready.
   */
  async head(): Promise<Block> {
    const number = least(
      await this.#all(async (server) => parseCount(await server.call('eth_blockNumber'), 'head')),
    );
    const block = await this.findBlock(number);
    if (block === null) throw new ChainError(`the head ${number} that the RPC names does not exist there`);
    return block;
  }

  /** The newest block that the chain calls final and every server has; null where it has no such tag. */
  async finalized(): Promise<number | null> {
    const numbers = await this.#all(async (server) => {
      const answer = await server.call('eth_getBlockByNumber', ['finalized', false]).catch((error) => {
        if (error instanceof RpcRefusal) return null;
        throw error;
      });
      return answer === null ? null : parseBlock(answer).number;
    });
    const known = numbers.filter((number) => number !== null);
    if (known.length === 0) return null;
    if (known.length < numbers.length) throw new DisagreementError(this.hosts, 'whether a block is final');
    return least(known);
  }

  /** The block of a height, or null if there is none. */
  findBlock(number: number): Promise<Block | null> {
    return this.#agreed(`block ${number}`, async (server) => {
      const answer = await server.call('eth_getBlockByNumber', [hex(number), false]);
      if (answer === null) return null;
      const block = parseBlock(answer);
      if (block.number !== number) throw new ChainError(`block ${block.number} in place of ${number}`);
      assertHashed(answer, block);
      return block;
    });
  }

  /** Same as `findBlock`, for a block that must exist. */
  async block(number: number): Promise<Block> {
    const block = await this.findBlock(number);
    if (block === null) throw new ChainError(`the RPC does not have block ${number}`);
    return block;
  }

  /** Logs of blocks from `from` to `to`, both included, as the servers' indexes have them: nothing proves them. */
  logs({ address, topics }: LogFilter, from: number, to: number): Promise<ChainLog[]> {
    const filter = { address, topics, fromBlock: hex(from), toBlock: hex(to) };
    return this.#agreed(`the logs of blocks ${from} to ${to}`, async (server) =>
      parseList(await server.call('eth_getLogs', [filter]), 'logs').map(parseLog),
    );
  }

  /** The logs of one block that a filter lets through, proven by its header. */
  async provenLogs({ address, topics }: LogFilter, block: Block): Promise<ChainLog[]> {
    const logs = await this.#agreed(`the receipts of block ${block.number}`, async (server) =>
      provenLogs(await server.call('eth_getBlockReceipts', [hex(block.number)]), block),
    );
    return logs.filter(
      (log) => log.address === address && topics.every((topic, i) => fits(log.topics[i], topic)),
    );
  }

  code(address: Address, at: At = 'latest'): Promise<Hex> {
    return this.#agreed(`the code of ${address}`, async (server) =>
      parseBytes(await server.call('eth_getCode', [address, tag(at)]), 'code'),
    );
  }

  call(to: Address, data: Hex, at: At = 'latest'): Promise<Hex> {
    return this.#agreed(`a call of ${to} at block ${at}`, async (server) =>
      parseBytes(await server.call('eth_call', [{ to, data }, tag(at)]), 'result of a call'),
    );
  }

  /**
   * The answer of a call that may fail, or null if the contract fails it. Without `to` the data is code that runs as a
   * contract would be created. Throws where a server cannot make the call.
   */
  attempt(call: Attempt, at: number): Promise<Hex | null> {
    return this.#agreed(`a call of ${call.to ?? 'code'} at block ${at}`, async (server) => {
      const answer = await server.call('eth_call', attemptParams(call, at)).catch((error) => {
        if (error instanceof RpcRefusal && error.isExecutionFailure) return null;
        throw error;
      });
      return answer === null ? null : parseBytes(answer, 'result of a call');
    });
  }

  /** The receipt of a transaction that is in a block, else null. */
  receipt(txHash: Hash): Promise<Receipt | null> {
    return this.#agreed(`the receipt of ${txHash}`, async (server) => {
      const answer = await server.call('eth_getTransactionReceipt', [txHash]);
      if (answer === null) return null;
      const receipt = parseReceipt(answer);
      if (receipt.txHash !== txHash) throw new ChainError('the receipt of another transaction');
      return receipt;
    });
  }

  /** Number of transactions of an account that are in blocks. */
  sentCount(account: Address): Promise<number> {
    return this.#agreed(`the transaction count of ${account}`, (server) =>
      countAt(server, account, 'latest'),
    );
  }

  /** Number of transactions of an account, with those that any server knows to be pending. */
  async sentOrPendingCount(account: Address): Promise<number> {
    return greatest(await this.#all((server) => countAt(server, account, 'pending')));
  }

  /** The least balance that a server sees. */
  async balanceWei(account: Address): Promise<bigint> {
    return least(
      await this.#all(async (server) =>
        parseQuantity(await server.call('eth_getBalance', [account, 'latest']), 'balance'),
      ),
    );
  }

  /** The most gas that a server expects of a transaction; throws `RpcRefusal` with the reason if it would revert. */
  async estimateGas(transaction: { from: Address; to: Address; data: Hex }): Promise<bigint> {
    return greatest(
      await this.#all(async (server) =>
        parseQuantity(await server.call('eth_estimateGas', [transaction]), 'gas'),
      ),
    );
  }

  /** The least tip that a server considers sufficient: a transaction that it is too little for is sent again with more. */
  async tipWei(): Promise<bigint> {
    return least(
      await this.#all(async (server) => parseQuantity(await server.call('eth_maxPriorityFeePerGas'), 'tip')),
    );
  }

  /** Sends to every server; throws the first failure if none takes it. */
  async send(signed: Hex): Promise<void> {
    const sent = await Promise.allSettled(
      this.#servers.map((server) => server.call('eth_sendRawTransaction', [signed])),
    );
    const failed = sent.filter((one) => one.status === 'rejected');
    if (failed.length === sent.length) throw failed[0]!.reason;
  }

  /** The answer that all servers agree on. Throws `DisagreementError` if they do not. */
  async #agreed<T>(what: string, ask: (server: Rpc) => Promise<T>): Promise<T> {
    const [first, ...others] = await this.#all(ask);
    const text = textOf(first);
    const other = others.findIndex((answer) => textOf(answer) !== text);
    if (other >= 0)
      throw new DisagreementError(`${this.#servers[0].host} and ${this.#servers[other + 1]!.host}`, what);
    return first as T;
  }

  /** Each server's answer; throws the first failure, naming the server where there are several. */
  #all<T>(ask: (server: Rpc) => Promise<T>): Promise<T[]> {
    return Promise.all(
      this.#servers.map((server) =>
        ask(server).catch((error: unknown) => {
          if (!this.isSingle && error instanceof ChainError)
            error.message = `${server.host}: ${error.message}`;
          throw error;
        }),
      ),
    );
  }
}

async function countAt(server: Rpc, account: Address, at: 'latest' | 'pending'): Promise<number> {
  return parseCount(await server.call('eth_getTransactionCount', [account, at]), 'transaction count');
}

/** Answers are parsed, so that equal ones have equal texts. */
function textOf(answer: unknown): string {
  return JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value)) ?? '';
}

function least<T extends number | bigint>(values: readonly T[]): T {
  return ascending(values)[0]!;
}

function greatest<T extends number | bigint>(values: readonly T[]): T {
  return ascending(values).at(-1)!;
}

function ascending<T extends number | bigint>(values: readonly T[]): T[] {
  return values.toSorted((a, b) => Number(a > b) - Number(a < b));
}

function fits(topic: Hex | undefined, wanted: Topics[number]): boolean {
  if (wanted === null) return true;
  return topic !== undefined && (typeof wanted === 'string' ? topic === wanted : wanted.includes(topic));
}

/** The sender of a call that names none. Where a call offers a price, clients charge it for the gas. */
const NOBODY = `0x${'0'.repeat(40)}`;

function attemptParams({ gas, gasPriceWei, ...call }: Attempt, at: number): unknown[] {
  const bounded = { ...call, gas: hex(gas) };
  if (gasPriceWei === null) return [bounded, tag(at)];
  const balance = hex(BigInt(gas) * gasPriceWei);
  return [{ ...bounded, gasPrice: hex(gasPriceWei) }, tag(at), { [NOBODY]: { balance } }];
}

function hex(number: number | bigint): Hex {
  return `0x${number.toString(16)}`;
}

function tag(at: At): string {
  return at === 'latest' ? at : hex(at);
}
