import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  distance,
  exp as exactExp,
  ln as exactLn,
  fixed,
  referencePrice,
} from '../test/black76-reference.ts';
import { bitsOf, digestOfVectors, vectorTerms } from '../test/black76-vectors.ts';
import { priceOption, valueOption } from './black76.ts';
import { exp, ln } from './exp-ln.ts';

interface Vectors {
  readonly rows: readonly { readonly terms: Parameters<typeof bitsOf>[0]; readonly bits: string }[];
  readonly count: number;
  readonly digest: string;
}

const VECTORS: Vectors = JSON.parse(
  readFileSync(new URL('../vectors/black76.json', import.meta.url), 'utf8'),
);
/** The bound that the documentation promises; over 200,000 terms 1.95e-16 was the most. */
const ERROR_MAX = 2 ** -52;

test('RSK-2 the formula has the bits of the committed vectors', () => {
  assert.ok(VECTORS.rows.length >= 60);
  for (const { terms, bits } of VECTORS.rows) assert.equal(bitsOf(terms), bits, JSON.stringify(terms));
  assert.equal(digestOfVectors(VECTORS.count), VECTORS.digest);
});

test('RSK-2 the price is the exact one to 2^-52 of the larger of forward and strike', () => {
  let most = 0;
  for (const { years: _, ...terms } of vectorTerms(4_000)) {
    const price = priceOption({ ...terms, years: terms.minutes / 525_600 });
    const error = distance(price, referencePrice(terms), Math.max(terms.forward, terms.strike));
    assert.ok(error < ERROR_MAX, `${error} at ${JSON.stringify(terms)}`);
    most = Math.max(most, error);
  }
  assert.ok(most > 1e-17, 'the reference tells doubles apart');
});

test('RSK-2 exponential and logarithm are within one unit in the last place', () => {
  for (const { forward, strike, vol } of vectorTerms(2_000)) {
    const x = -forward / 400;
    if (exp(x) > 1e-250) near(exp(x), exactExp(fixed(x)), `exp ${x}`);
    near(exp(vol), exactExp(fixed(vol)), `exp ${vol}`);
    near(ln(forward / strike), exactLn(fixed(forward / strike)), `ln ${forward / strike}`);
  }
});

/** To 2^-52 of the value, where the reference has digits enough to tell. */
function near(found: number, exact: bigint, what: string): void {
  if (Math.abs(found) < 1e-60) return;
  const error = distance(found, exact, Math.abs(found));
  assert.ok(error <= 2 ** -52, `${what}: ${error}`);
}

test('exponential and logarithm at the ends of the doubles', () => {
  assert.deepEqual(
    [exp(0), exp(-746), exp(710), exp(Number.NaN)],
    [1, 0, Number.POSITIVE_INFINITY, Number.NaN],
  );
  assert.deepEqual([exp(-745.1), exp(-Infinity)], [Number.MIN_VALUE, 0]);
  assert.deepEqual([ln(1), ln(0), ln(-1), ln(Number.NaN)], [0, -Infinity, Number.NaN, Number.NaN]);
  assert.deepEqual(
    [ln(Infinity), ln(Number.MIN_VALUE) < -744, ln(Number.MAX_VALUE) > 709],
    [Infinity, true, true],
  );
});

test('the price alone is the price beside the greeks', () => {
  for (const terms of vectorTerms(1_000)) assert.equal(priceOption(terms), valueOption(terms).price);
});
