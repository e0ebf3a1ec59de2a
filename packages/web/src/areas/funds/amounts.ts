/** Formats on-chain amounts. */

import { formatExact } from '../../basics/numbers.ts';

/** @example amountText(1_500_000n, 'USDC') // '1.50 USDC' */
export function amountText(micros: bigint, symbol: string): string {
  return `${formatExact(Number(micros) / 1e6)} ${symbol}`;
}

const COIN_UNITS = 1e18;

const POLYGON = 137;

/**
 * Formats an amount of the chain's native coin, given in its smallest unit; three digits are enough for the price of
 * gas.
 *
 * @example coinText(160_000_000_000_000n, 1) // '0.00016 ETH'
 */
export function coinText(units: bigint, chainId: number): string {
  const coins = Number(units) / COIN_UNITS;
  const digits =
    coins >= 1 ? coins.toFixed(3) : Number(coins.toPrecision(3)).toFixed(DECIMALS).replace(/0+$/, '');
  return `${coins === 0 ? '0' : digits.replace(/\.$/, '')} ${chainId === POLYGON ? 'POL' : 'ETH'}`;
}

const DECIMALS = 9;
