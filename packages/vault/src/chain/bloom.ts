/** The bloom filter in a block's header, which tells which logs the block may hold. It has no false negatives. */

import type { Hex } from '@venue/protocol';
import { hexToBytes, keccak256 } from 'viem';
import type { LogFilter } from './chain.ts';

const BITS = 2048;
/** Each value sets three bits, each named by a pair of bytes of its hash. */
const PAIRS = [0, 2, 4];

/** False only if the block has no log of that address with the filter's first topic. */
export function mayHold(logsBloom: Hex, { address, topics }: LogFilter): boolean {
  const bloom = hexToBytes(logsBloom);
  const first = topics[0];
  return [address, ...(typeof first === 'string' ? [first] : [])].every((value) => hasBits(bloom, value));
}

function hasBits(bloom: Uint8Array, value: Hex): boolean {
  const hash = keccak256(value, 'bytes');
  return PAIRS.every((at) => {
    const bit = ((hash[at]! << 8) | hash[at + 1]!) % BITS;
    return ((bloom[bloom.length - 1 - (bit >> 3)]! >> (bit & 7)) & 1) === 1;
  });
}
