/** A key on another machine, behind the JSON-RPC calls `eth_signTransaction` and `eth_sign`, which Web3Signer serves. */

import { type Address, type Hex, recoverPersonal } from '@venue/protocol';
import {
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  stringToHex,
  type TransactionSerializedEIP1559,
} from 'viem';
import { AlarmError } from '../chain/alarm.ts';
import { ChainError } from '../chain/errors.ts';
import { parseBytes } from '../chain/parse.ts';
import { Rpc } from '../chain/rpc.ts';
import type { TransactionKey, UnsignedTransaction } from './transaction-key.ts';

/**
 * The signer's answer is checked in full: a transaction with another content, or another's signature, is an
 * alarm, because it could pay anybody.
 */
export function openRemoteKey(
  { url, address }: { readonly url: string; readonly address: Address },
  signal?: AbortSignal,
): TransactionKey {
  const server = new Rpc({ url, ...(signal !== undefined && { signal }) });
  return {
    address,
    sign: async (transaction) => {
      const answer = await server.call('eth_signTransaction', [requestOf(address, transaction)]);
      const signed = signedOf(answer);
      if (!(await isExactly(signed, address, transaction)))
        throw new AlarmError(`the signer at ${server.host} signed something else than it was asked to`);
      return signed;
    },
    signText: async (text) => {
      const signature = parseBytes(await server.call('eth_sign', [address, stringToHex(text)]), 'signature');
      if (recoverPersonal(text, signature) !== address)
        throw new AlarmError(`the signer at ${server.host} signed something else than it was asked to`);
      return signature;
    },
  };
}

function requestOf(from: Address, { chainId, to, nonce, gas, data, ...fees }: UnsignedTransaction): object {
  return {
    from,
    to,
    value: '0x0',
    data,
    gas: numberToHex(gas),
    nonce: numberToHex(nonce),
    chainId: numberToHex(chainId),
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
  };
}

/** Some signers answer with the bytes, some with them and the transaction in words. */
function signedOf(answer: unknown): Hex {
  const raw = typeof answer === 'object' && answer !== null && 'raw' in answer ? answer.raw : answer;
  return parseBytes(raw, 'signed transaction');
}

async function isExactly(signed: Hex, address: Address, wanted: UnsignedTransaction): Promise<boolean> {
  try {
    const found = parseTransaction(signed);
    const isWanted =
      found.type === 'eip1559' &&
      found.chainId === wanted.chainId &&
      found.to?.toLowerCase() === wanted.to &&
      found.nonce === wanted.nonce &&
      found.gas === wanted.gas &&
      (found.value ?? 0n) === 0n &&
      (found.accessList ?? []).length === 0 &&
      found.data === wanted.data &&
      found.maxFeePerGas === wanted.maxFeePerGas &&
      (found.maxPriorityFeePerGas ?? 0n) === wanted.maxPriorityFeePerGas;
    if (!isWanted) return false;
    const signer = await recoverTransactionAddress({
      serializedTransaction: signed as TransactionSerializedEIP1559,
    });
    return signer.toLowerCase() === address;
  } catch {
    throw new ChainError('eth_signTransaction: the answer is no signed transaction');
  }
}
