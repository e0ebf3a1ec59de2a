/** QuantLib's values of options, from Debian's package, and how far ours may be from them. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { priceOption, type UndiscountedTerms } from '../src/black76.ts';
import { type Greeks, greeksOf } from '../src/greeks.ts';
import { impliedVol } from '../src/implied-vol.ts';

/** Debian's packages are for Debian's own interpreter. */
const PYTHON = '/usr/bin/python3';
const MODULE = '/usr/lib/python3/dist-packages/QuantLib/__init__.py';
const SCRIPT = fileURLToPath(new URL('quantlib.py', import.meta.url));
const OUTPUT_MAX = 64 * 1_048_576;

export interface QuantLibValues extends Greeks {
  readonly price: number;
  /** Implied by QuantLib's own price; null where its solver finds none. */
  readonly iv: number | null;
}

/** The reason to skip where QuantLib is not installed, or null. Throws where skipping is forbidden. */
export function quantlibMissing(): string | null {
  if (existsSync(MODULE)) return null;
  const line = 'needs the Debian package quantlib-python';
  if (process.env.VENUE_TEST_REQUIRE === 'all')
    throw new Error(`${line}, and VENUE_TEST_REQUIRE forbids to skip`);
  return line;
}

/** QuantLib's values of options, in their order. */
export function quantlibValues(options: readonly UndiscountedTerms[]): QuantLibValues[] {
  const input = options.map((option) => `${JSON.stringify(option)}\n`).join('');
  const { stdout, stderr, status } = spawnSync(PYTHON, [SCRIPT], {
    input,
    maxBuffer: OUTPUT_MAX,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`QuantLib ended with ${status}: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const TOLERANCE = 1e-9;

/**
 * Holds price, greeks and implied volatility of an option to QuantLib's. A greek far from the money is as small as its
 * rounding errors, so it is measured by what it is at the money. Returns whether the volatility could be compared: a price
 * tells it only where it moves with it.
 */
export function assertLikeQuantLib(option: UndiscountedTerms, expected: QuantLibValues): boolean {
  const { forward, strike, years, vol } = option;
  const size = Math.max(forward, strike);
  const found = { price: priceOption(option), ...greeksOf(option) };
  const peak = 0.4 * forward * Math.sqrt(years);
  const units = {
    price: size,
    delta: 1,
    gamma: 0.4 / (forward * vol * Math.sqrt(years)),
    vega: peak / 100,
    theta: (peak * vol) / (2 * years) / 365,
  };
  for (const name of ['price', 'delta', 'gamma', 'vega', 'theta'] as const) {
    const apart = Math.abs(found[name] - expected[name]) / units[name];
    assert.ok(apart < TOLERANCE, `${name} ${found[name]}, not ${expected[name]}: ${JSON.stringify(option)}`);
  }
  return compareVolatility(option, { expected, peak });
}

/** An error in the last place of the price is so much volatility; where that is less than the tolerance, it is told. */
function compareVolatility(
  option: UndiscountedTerms,
  { expected, peak }: { readonly expected: QuantLibValues; readonly peak: number },
): boolean {
  const size = Math.max(option.forward, option.strike);
  const isTold = expected.vega * 100 > 1e-4 * Math.max(peak, size * 1e-3);
  if (!isTold || expected.iv === null) return false;
  const iv = impliedVol({ ...option, price: expected.price });
  assert.ok(iv !== null, JSON.stringify(option));
  for (const other of [expected.iv, option.vol])
    assert.ok(Math.abs(iv / other - 1) < 1e-7, `iv ${iv}, not ${other}: ${JSON.stringify(option)}`);
  return true;
}
