/** Sends one transaction to a gate for a person, and waits for it (CUS-15). */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '@venue/protocol';
import { keccak256 } from 'viem';
import { ChainError } from '../chain/errors.ts';
import { feeMarket, firstFees } from '../chain/fees.ts';
import type { Hash, Receipt } from '../chain/parse.ts';
import type { TransactionKey } from '../keys/transaction-key.ts';
import { estimatedGas } from './estimate.ts';
import type { Gate } from './gate.ts';

const POLL_MS = 500;
const WAIT_MS_MAX = 300_000;

export interface SendOptions {
  readonly key: TransactionKey;
  /** The most to offer per gas, in wei. */
  readonly feeMaxWei: bigint;
  /** Called with the hash once the transaction is sent. */
  readonly onSent: (txHash: Hash) => void;
}

/**
 * Signs a call of the gate and sends it. Throws `ChainError` if the gate refuses it, nothing being sent then; if the fees
 * are above the limit; if it is not in a block after five minutes; and if it reverts there.
 */
export async function sendToGate(
  gate: Gate,
  data: Hex,
  { key, feeMaxWei, onSent }: SendOptions,
): Promise<Receipt> {
  const { chain, address: to } = gate;
  const gas = await estimatedGas(gate, data, key.address);
  const fees = firstFees(await feeMarket(chain, await chain.head()), feeMaxWei);
  if (fees === null) throw new ChainError('the base fee is above VENUE_MAX_FEE_GWEI: nothing was sent');
  const signed = await key.sign({
    chainId: await chain.chainId(),
    to,
    nonce: await chain.sentOrPendingCount(key.address),
    gas,
    data,
    maxFeePerGas: fees.feeWei,
    maxPriorityFeePerGas: fees.tipWei,
  });
  const txHash = keccak256(signed) as Hash;
  await chain.send(signed);
  onSent(txHash);
  const receipt = await mined(gate, txHash);
  if (!receipt.succeeded) throw new ChainError(`${txHash} reverted in block ${receipt.blockNumber}`);
  return receipt;
}

async function mined({ chain }: Gate, txHash: Hash): Promise<Receipt> {
  const from = performance.now();
  while (performance.now() - from < WAIT_MS_MAX) {
    const receipt = await chain.receipt(txHash);
    if (receipt !== null) return receipt;
    await sleep(POLL_MS);
  }
  throw new ChainError(`${txHash} is not in a block after five minutes: look it up before you send it again`);
}
