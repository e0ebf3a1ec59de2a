/** A block's hash, computed from its header: no server can change a field of a header and keep its hash (CUS-12). */

import type { Hex } from '@venue/protocol';
import { keccak256, toHex, toRlp } from 'viem';
import { ChainError } from './errors.ts';
import { type Block, objectOf, parseBytes, parseQuantity } from './parse.ts';

/** The fields of a header in the order of its encoding; later forks have appended to them. */
const FIELDS: readonly (readonly [name: string, kind: 'bytes' | 'quantity'])[] = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
];

/** Throws `ChainError` if the header in a server's answer does not have the hash that the answer names. */
export function assertHashed(answer: unknown, { hash, number }: Block): void {
  if (headerHash(answer) === hash) return;
  throw new ChainError(
    `the header of block ${number} does not have the hash ${hash}: the RPC changed it, or the chain has forked and this ` +
      `release does not know its headers yet`,
  );
}

/** The hash of the header in an answer; throws `ChainError` for a malformed field. */
export function headerHash(answer: unknown): Hex {
  const fields = objectOf(answer, 'block');
  const encoded = FIELDS.filter(([name]) => fields[name] != null).map(([name, kind]) =>
    kind === 'bytes' ? parseBytes(fields[name], name) : encodedQuantity(parseQuantity(fields[name], name)),
  );
  return keccak256(toRlp(encoded));
}

/** A number as RLP takes it: without leading zeros, and zero as nothing. */
export function encodedQuantity(value: bigint): Hex {
  return value === 0n ? '0x' : toHex(value);
}
