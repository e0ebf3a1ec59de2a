/** The local chain of a demonstration: who is who on it, and calls that are waited for. */

import { decimalToMicros } from '@venue/protocol';
import { type Abi, encodeFunctionData, type Hex } from 'viem';
import type { LocalAccount, LocalChain } from '../packages/vault/test/chain.ts';
import { say } from './demo-text.ts';

/** The chain's accounts, by role. */
export function rolesOf({ accounts }: LocalChain) {
  const [deployer, trader, failsafe, proposer, spare, guardian, person, house, cold, thief] = accounts;
  return {
    ...{ deployer: deployer!, trader: trader!, failsafe: failsafe!, proposer: proposer!, spare: spare! },
    ...{ guardian: guardian!, person: person!, house: house!, cold: cold!, thief: thief! },
  };
}

export interface Call {
  readonly address: Hex;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** Sends a call and waits until it is mined; throws when it failed. */
export async function send(chain: LocalChain, from: LocalAccount, call: Call): Promise<void> {
  const data = encodeFunctionData(call);
  const hash = await chain.wallet(from).sendTransaction({ to: call.address, data });
  const { status, blockNumber } = await chain.client.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`${call.functionName} failed in block ${blockNumber}`);
  say(`${call.functionName}: block ${blockNumber}`);
}

/** Dollars in the smallest units of the stablecoin. */
export function units(usdAmount: number): bigint {
  return BigInt(decimalToMicros(usdAmount)!);
}
