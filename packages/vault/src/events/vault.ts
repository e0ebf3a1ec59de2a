/** The vault as the daemons see it: its balance and its debts. */

import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, erc20Abi } from 'viem';
import type { At, Chain } from '../chain/chain.ts';
import { ChainError, type RpcRefusal } from '../chain/errors.ts';
import type { Hash } from '../chain/parse.ts';
import { venueVaultAbi } from '../contract/abi.ts';

/** Amounts of the vault in micros, all at one block. */
export interface VaultFigures {
  readonly blockNumber: number;
  readonly balance: bigint;
  /** Committed and not claimed yet. */
  readonly totalCommitted: bigint;
  /** Claimed since the vault was deployed. */
  readonly totalClaimed: bigint;
}

/** One payout; its amount is in micros. */
export interface VaultPayout {
  readonly id: number;
  readonly account: Address;
  readonly amount: number;
}

type Getter = 'token' | 'operator' | 'totalCommitted' | 'totalClaimed';

export class Vault {
  readonly address: Address;
  readonly chain: Chain;
  #token: Address | undefined;

  constructor(chain: Chain, address: Address) {
    this.chain = chain;
    this.address = address;
  }

  async isDeployed(): Promise<boolean> {
    return (await this.chain.code(this.address)) !== '0x';
  }

  async token(): Promise<Address> {
    this.#token ??= await this.#address('token');
    return this.#token;
  }

  operator(): Promise<Address> {
    return this.#address('operator');
  }

  async tokenDecimals(): Promise<number> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' });
    const answer = await this.chain.call(await this.token(), data);
    return decoded('decimals', () =>
      decodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', data: answer }),
    );
  }

  /** The vault's balance and debts at a block. */
  async figures(blockNumber: number): Promise<VaultFigures> {
    const balanceOf = { abi: erc20Abi, functionName: 'balanceOf' } as const;
    const data = encodeFunctionData({ ...balanceOf, args: [this.address] });
    const [answer, totalCommitted, totalClaimed] = await Promise.all([
      this.chain.call(await this.token(), data, blockNumber),
      this.#amount('totalCommitted', blockNumber),
      this.#amount('totalClaimed', blockNumber),
    ]);
    const balance = decoded('balance', () => decodeFunctionResult({ ...balanceOf, data: answer }));
    return { blockNumber, balance, totalCommitted, totalClaimed };
  }

  async isBatchCommitted(batchId: Hash, at: At): Promise<boolean> {
    const of = { abi: venueVaultAbi, functionName: 'isBatchCommitted' } as const;
    const answer = await this.chain.call(this.address, encodeFunctionData({ ...of, args: [batchId] }), at);
    return decoded('batch', () => decodeFunctionResult({ ...of, data: answer }));
  }

  async isPayoutCommitted(id: number, at: At): Promise<boolean> {
    const of = { abi: venueVaultAbi, functionName: 'isPayoutCommitted' } as const;
    const answer = await this.chain.call(this.address, encodeFunctionData({ ...of, args: [BigInt(id)] }), at);
    return decoded('payout', () => decodeFunctionResult({ ...of, data: answer }));
  }

  async #address(functionName: 'token' | 'operator'): Promise<Address> {
    return parseAddress(await this.#get(functionName, 'latest')) ?? ('0x' as Address);
  }

  #amount(functionName: 'totalCommitted' | 'totalClaimed', at: At): Promise<bigint> {
    return this.#get(functionName, at).then(BigInt);
  }

  async #get(functionName: Getter, at: At): Promise<string> {
    const data = await this.chain.call(
      this.address,
      encodeFunctionData({ abi: venueVaultAbi, functionName }),
      at,
    );
    return String(
      decoded(functionName, () => decodeFunctionResult({ abi: venueVaultAbi, functionName, data })),
    );
  }
}

/** The vault's own reason for refusing a call. */
export interface VaultRefusal {
  /** Name of the contract's error. */
  readonly name: string;
  /** The error and its arguments, for people. */
  readonly text: string;
}

/** The vault's own reason in the refusal of a call, or null if there is none. */
export function vaultRefusalOf({ data }: RpcRefusal): VaultRefusal | null {
  if (data === null) return null;
  try {
    const { errorName, args = [], abiItem } = decodeErrorResult({ abi: venueVaultAbi, data });
    const values = args.map((value, i) => `${abiItem.inputs[i]?.name} ${value}`);
    return { name: errorName, text: `${errorName}(${values.join(', ')})` };
  } catch {
    return null;
  }
}

/** The call that commits a batch. */
export function commitCall(batchId: Hash, payouts: readonly VaultPayout[]): Hex {
  const rows = payouts.map(({ id, account, amount }) => ({
    id: BigInt(id),
    account,
    amount: BigInt(amount),
  }));
  return encodeFunctionData({ abi: venueVaultAbi, functionName: 'commit', args: [batchId, rows] });
}

function decoded<T>(what: string, decode: () => T): T {
  try {
    return decode();
  } catch {
    throw new ChainError(`what the RPC answered is no ${what} of this vault`);
  }
}
