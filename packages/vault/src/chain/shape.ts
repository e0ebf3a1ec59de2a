/** Type guards for values from a state file. */

import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { type Hash, parseHash } from './parse.ts';

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

/** An address in this package's form: lower case. */
export function isAddress(value: unknown): value is Address {
  return typeof value === 'string' && parseAddress(value) === value;
}

export function isHash(value: unknown): value is Hash {
  return value !== undefined && parseHash(value) === value;
}

export function isBytes(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x([0-9a-f]{2})+$/.test(value);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** An amount of wei, too large for a number, in decimal digits. */
export function isWeiText(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,30}$/.test(value);
}
