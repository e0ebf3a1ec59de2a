/** The daemons' reads of a chain, and the one thing they send to it. */

import type { Address, Hex } from '@venue/protocol';
import { ChainError } from './errors.ts';
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
import type { Rpc } from './rpc.ts';

/** Topics as a filter: null matches any, a list matches any of its members. */
export type Topics = readonly (Hex | null | readonly Hex[])[];

export interface LogFilter {
  readonly address: Address;
  readonly topics: Topics;
}

/** A number names the block of that height; `latest` is the current head. */
export type At = number | 'latest';

export class Chain {
  readonly rpc: Rpc;

  constructor(rpc: Rpc) {
    this.rpc = rpc;
  }

  async chainId(): Promise<number> {
    return parseCount(await this.rpc.call('eth_chainId'), 'chain id');
  }

  /**
   * The newest block. Throws `ChainError` if a server names a head it cannot show, because it is lying or not ready.
   */
  async head(): Promise<Block> {
    const number = parseCount(await this.rpc.call('eth_blockNumber'), 'head');
    const block = await this.findBlock(number);
    if (block === null) throw new ChainError(`the head ${number} that the RPC names does not exist there`);
    return block;
  }

  /** The block of a height, or null if there is none. */
  async findBlock(number: number): Promise<Block | null> {
    const answer = await this.rpc.call('eth_getBlockByNumber', [hex(number), false]);
    if (answer === null) return null;
    const block = parseBlock(answer);
    if (block.number !== number) throw new ChainError(`block ${block.number} in place of ${number}`);
    return block;
  }

  /** Same as `findBlock`, for a block that must exist. */
  async block(number: number): Promise<Block> {
    const block = await this.findBlock(number);
    if (block === null) throw new ChainError(`the RPC does not have block ${number}`);
    return block;
  }

  /** Logs of blocks from `from` to `to`, both included. */
  logs({ address, topics }: LogFilter, from: number, to: number): Promise<ChainLog[]> {
    return this.#logs({ address, topics, fromBlock: hex(from), toBlock: hex(to) });
  }

  /** Logs of one block by its hash: a server without that block says so instead of answering with none. */
  logsOfBlock({ address, topics }: LogFilter, blockHash: Hash): Promise<ChainLog[]> {
    return this.#logs({ address, topics, blockHash });
  }

  async #logs(filter: object): Promise<ChainLog[]> {
    return parseList(await this.rpc.call('eth_getLogs', [filter]), 'logs').map(parseLog);
  }

  async code(address: Address): Promise<Hex> {
    return parseBytes(await this.rpc.call('eth_getCode', [address, 'latest']), 'code');
  }

  async call(to: Address, data: Hex, at: At = 'latest'): Promise<Hex> {
    return parseBytes(await this.rpc.call('eth_call', [{ to, data }, tag(at)]), 'result of a call');
  }

  /** The receipt of a transaction that is in a block, else null. */
  async receipt(txHash: Hash): Promise<Receipt | null> {
    const answer = await this.rpc.call('eth_getTransactionReceipt', [txHash]);
    if (answer === null) return null;
    const receipt = parseReceipt(answer);
    if (receipt.txHash !== txHash) throw new ChainError('the receipt of another transaction');
    return receipt;
  }

  /** Number of transactions that an account has sent: those in blocks, or also the pending ones. */
  async sentCount(account: Address, at: At | 'pending' = 'latest'): Promise<number> {
    const params = [account, at === 'pending' ? at : tag(at)];
    return parseCount(await this.rpc.call('eth_getTransactionCount', params), 'transaction count');
  }

  async balanceWei(account: Address): Promise<bigint> {
    return parseQuantity(await this.rpc.call('eth_getBalance', [account, 'latest']), 'balance');
  }

  /** The gas that a transaction would use; throws `RpcRefusal` with the reason if it would revert. */
  async estimateGas(transaction: { from: Address; to: Address; data: Hex }): Promise<bigint> {
    return parseQuantity(await this.rpc.call('eth_estimateGas', [transaction]), 'gas');
  }

  /** The tip that the server considers sufficient. */
  async tipWei(): Promise<bigint> {
    return parseQuantity(await this.rpc.call('eth_maxPriorityFeePerGas'), 'tip');
  }

  async send(signed: Hex): Promise<void> {
    await this.rpc.call('eth_sendRawTransaction', [signed]);
  }
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`;
}

function tag(at: At): string {
  return at === 'latest' ? at : hex(at);
}
