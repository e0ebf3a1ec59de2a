/** Blocks that a state file remembers by their hashes. */

import type { Hash } from './parse.ts';
import { isCount, isHash, isObject } from './shape.ts';

export interface SeenBlock {
  readonly number: number;
  readonly hash: Hash;
}

export function isSeenBlock(value: unknown): value is SeenBlock {
  return isObject(value) && isCount(value.number) && isHash(value.hash);
}
