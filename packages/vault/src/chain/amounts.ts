/** Amounts on chain, as whole micros in bigint, and their conversion from and to the venue's decimals. */

import { MICROS_PER_UNIT } from '@venue/protocol';

const UNIT = BigInt(MICROS_PER_UNIT);

/**
 * An amount for people, to the micro and without trailing zeros beyond cents.
 *
 * @example usdText(1_250_000n) // '1.25'
 */
export function usdText(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const fraction = (size % UNIT)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${micros < 0n ? '-' : ''}${size / UNIT}.${fraction}`;
}

/**
 * The whole micros nearest to a decimal of the venue: exact below 2^32 dollars, above that as near as a decimal can
 * be.
 */
export function microsOf(usd: number): bigint {
  return BigInt(Math.round(usd * MICROS_PER_UNIT));
}
