/** A gate as daemons and commands see it (CUS-15). Amounts in micros, times in seconds. */

import { type Address, type Hex, parseAddress } from '@venue/protocol';
import {
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
} from 'viem';
import type { At, Chain } from '../chain/chain.ts';
import { ChainError, type RpcRefusal } from '../chain/errors.ts';
import type { Hash } from '../chain/parse.ts';
import { operatorGateAbi, venueVaultAbi } from '../contract/abi.ts';
import { gateArtifact } from '../contract/artifact.ts';
import { isCodeOf } from '../contract/artifact-checks.ts';
import { proposerIdOf } from './calls.ts';

/** The numbers that never change. */
export interface GateBounds {
  readonly freeMax: bigint;
  readonly capMax: bigint;
  readonly epoch: number;
  readonly shortDelay: number;
  readonly longDelay: number;
  readonly changeDelay: number;
  readonly sweepDelay: number;
  readonly expiry: number;
}

/** The sum committed in the last epoch, and the vault's balance that nobody may claim. */
export interface GateUsage {
  readonly free: bigint;
  readonly short: bigint;
  readonly all: bigint;
  readonly uncommitted: bigint;
}

type Getter = ContractFunctionName<typeof operatorGateAbi, 'view' | 'pure'>;
type Number_ = Exclude<keyof GateBounds, 'freeMax' | 'capMax'>;

export class Gate {
  readonly address: Address;
  readonly chain: Chain;
  #bounds: GateBounds | undefined;
  #vault: Address | undefined;
  #failsafe: Address | undefined;

  constructor(chain: Chain, address: Address) {
    this.chain = chain;
    this.address = address;
  }

  /** True if the code there is that of this release's gate; the immutables are `venue vault verify`'s to compare. */
  async isGate(): Promise<boolean> {
    return isCodeOf(await this.chain.code(this.address), gateArtifact);
  }

  /** They never change, so they are read once. */
  async bounds(): Promise<GateBounds> {
    this.#bounds ??= await this.#readBounds();
    return this.#bounds;
  }

  async #readBounds(): Promise<GateBounds> {
    const seconds = async (name: Number_) => Number(await this.#read(name, []));
    return {
      freeMax: await this.#read('freeMax', []),
      capMax: await this.#read('capMax', []),
      epoch: await seconds('epoch'),
      shortDelay: await seconds('shortDelay'),
      longDelay: await seconds('longDelay'),
      changeDelay: await seconds('changeDelay'),
      sweepDelay: await seconds('sweepDelay'),
      expiry: await seconds('expiry'),
    };
  }

  async usage(at: At = 'latest'): Promise<GateUsage> {
    const [free, short, all] = await this.#read('usage', [], at);
    return { free, short, all, uncommitted: await this.#read('uncommitted', [], at) };
  }

  async vault(): Promise<Address> {
    this.#vault ??= addressOf(await this.#read('vault', []));
    return this.#vault;
  }

  async failsafe(): Promise<Address> {
    this.#failsafe ??= addressOf(await this.#read('failsafe', []));
    return this.#failsafe;
  }

  async cold(): Promise<Address> {
    return addressOf(await this.#read('cold', []));
  }

  /** Proposers that the cold key has not removed; guardians may have vetoed some. */
  async proposers(at: At = 'latest'): Promise<readonly Address[]> {
    return (await this.#read('proposers', [], at)).map(addressOf);
  }

  /** True if this account may propose. */
  async isProposer(account: Address, at: At = 'latest'): Promise<boolean> {
    const list = await this.proposers(at);
    return list.includes(account) && !(await this.isVetoed(proposerIdOf(account), at));
  }

  async guardians(at: At = 'latest'): Promise<readonly Address[]> {
    return (await this.#read('guardians', [], at)).map(addressOf);
  }

  /** The number of votes that are a veto of anything but guardians. */
  async vetoes(at: At = 'latest'): Promise<number> {
    return Number(await this.#read('vetoes', [], at));
  }

  async votesAgainst(id: Hash, at: At = 'latest'): Promise<number> {
    return Number(await this.#read('votesAgainst', [id], at));
  }

  isVetoed(id: Hash, at: At = 'latest'): Promise<boolean> {
    return this.#read('isVetoed', [id], at);
  }

  /** The last second of a pause; in the past or zero if there is none. */
  async pausedUntil(at: At = 'latest'): Promise<number> {
    return Number(await this.#read('pausedUntil', [], at));
  }

  /** Who proposed a batch and when, or null. */
  async proposalOf(id: Hash, at: At = 'latest'): Promise<{ proposer: Address; proposedAt: number } | null> {
    const [proposer, proposedAt] = await this.#read('proposalOf', [id], at);
    return proposedAt === 0 ? null : { proposer: addressOf(proposer), proposedAt };
  }

  /** The proposer that the cold key has announced, or null. */
  async announcedProposer(at: At = 'latest'): Promise<{ account: Address; readyAt: number } | null> {
    const [account, readyAt] = await this.#read('announcedProposer', [], at);
    return readyAt === 0n ? null : { account: addressOf(account), readyAt: Number(readyAt) };
  }

  /** The id of announced guardians, or null. */
  async announcedGuardians(at: At = 'latest'): Promise<{ id: Hash; readyAt: number } | null> {
    const [id, readyAt] = await this.#read('announcedGuardians', [], at);
    return readyAt === 0n ? null : { id: id as Hash, readyAt: Number(readyAt) };
  }

  async #read<N extends Getter>(
    functionName: N,
    args: ContractFunctionArgs<typeof operatorGateAbi, 'view' | 'pure', N>,
    at: At = 'latest',
  ): Promise<ContractFunctionReturnType<typeof operatorGateAbi, 'view' | 'pure', N>> {
    const call = { abi: operatorGateAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0];
    const data = await this.chain.call(this.address, encodeFunctionData(call), at);
    try {
      return decodeFunctionResult({ abi: operatorGateAbi, functionName, data } as Parameters<
        typeof decodeFunctionResult
      >[0]) as ContractFunctionReturnType<typeof operatorGateAbi, 'view' | 'pure', N>;
    } catch {
      throw new ChainError(`what the RPC answered is no ${functionName} of this gate`);
    }
  }
}

function addressOf(text: Hex): Address {
  return parseAddress(text)!;
}

/** The reason of the gate, or of the vault behind it, for refusing a call; null if the refusal has none. */
export function gateRefusalOf({ data }: RpcRefusal): { readonly name: string; readonly text: string } | null {
  if (data === null) return null;
  try {
    const { errorName, args, abiItem } = decodeErrorResult({
      abi: [...operatorGateAbi, ...venueVaultAbi],
      data,
    });
    const values = (args ?? []).map((value, i) => `${abiItem.inputs[i]?.name} ${value}`);
    return { name: errorName, text: `${errorName}(${values.join(', ')})` };
  } catch {
    return null;
  }
}
