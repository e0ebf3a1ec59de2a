/** The model's exact arithmetic: BigInt micros, rounded only where a rule says so. */

export const MILLION = 1_000_000n;
/** The largest amount the exchange can represent (NUM-1). */
export const MOST = BigInt(Number.MAX_SAFE_INTEGER);

/** a / b rounded towards minus infinity; b is positive. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** a / b rounded towards plus infinity; b is positive. */
export function ceilDiv(a: bigint, b: bigint): bigint {
  return -floorDiv(-a, b);
}

export function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Clamps to the exact range: no account has as much. */
export function clamp(amount: bigint): bigint {
  return most(least(amount, MOST), -MOST);
}

export function positive(a: bigint): bigint {
  return most(a, 0n);
}

export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

/** The middle amount; with an even count, the mean of the middle two, rounded down (FEED-2, FINE-6). */
export function median(amounts: readonly bigint[]): bigint {
  const sorted = [...amounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upper = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[upper]!;
  return floorDiv(sorted[upper - 1]! + sorted[upper]!, 2n);
}
