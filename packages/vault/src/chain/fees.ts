/** Fees offered by a transaction, in wei per gas. */

import type { Chain } from './chain.ts';
import { ChainError } from './errors.ts';
import type { Block } from './parse.ts';

export interface Fees {
  /** The most to pay, tip included. */
  readonly feeWei: bigint;
  readonly tipWei: bigint;
}

/** The chain's current fees. */
export interface FeeMarket {
  readonly baseFeeWei: bigint;
  readonly tipWei: bigint;
}

/** The chain's current fees; throws `ChainError` on a chain without EIP-1559. */
export async function feeMarket(chain: Chain, { baseFeeWei }: Block): Promise<FeeMarket> {
  if (baseFeeWei === null) throw new ChainError('this chain has no base fee (EIP-1559)');
  return { baseFeeWei, tipWei: await chain.tipWei() };
}

/** Nodes accept a replacement that offers at least a tenth more; this is an eighth. */
const BUMP_NUMERATOR = 9n;
const BUMP_DENOMINATOR = 8n;

/**
 * Room for the base fee to double, under the cap; null while even the base fee is above it.
 *
 * @example firstFees({ baseFeeWei: 10n, tipWei: 2n }, 100n) // { feeWei: 22n, tipWei: 2n }
 */
export function firstFees({ baseFeeWei, tipWei }: FeeMarket, capWei: bigint): Fees | null {
  if (baseFeeWei >= capWei) return null;
  const feeWei = min(2n * baseFeeWei + tipWei, capWei);
  return { feeWei, tipWei: min(tipWei, feeWei) };
}

/** At least an eighth more than before, and at least the market price; null if the cap leaves no room for that. */
export function bumpedFees(before: Fees, { baseFeeWei, tipWei }: FeeMarket, capWei: bigint): Fees | null {
  const feeWei = max(raised(before.feeWei), 2n * baseFeeWei + tipWei);
  const bumped = { feeWei: min(feeWei, capWei), tipWei: max(raised(before.tipWei), tipWei) };
  const isEnough = bumped.feeWei >= raised(before.feeWei) && bumped.tipWei <= bumped.feeWei;
  return isEnough ? bumped : null;
}

function raised(wei: bigint): bigint {
  return (wei * BUMP_NUMERATOR + BUMP_DENOMINATOR - 1n) / BUMP_DENOMINATOR;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
