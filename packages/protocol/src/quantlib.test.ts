import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { vectorTerms } from '../test/black76-vectors.ts';
import { assertLikeQuantLib, type QuantLibValues } from '../test/quantlib.ts';

test('HIS-3 greeks and implied volatilities are those that QuantLib gave once', () => {
  const file = new URL('../vectors/quantlib.json', import.meta.url);
  const vectors: readonly QuantLibValues[] = JSON.parse(readFileSync(file, 'utf8'));
  let told = 0;
  for (const [i, { minutes: _, ...option }] of vectorTerms(vectors.length).entries())
    told += Number(assertLikeQuantLib(option, vectors[i]!));
  assert.ok(vectors.length >= 300 && told > vectors.length / 3, `${told} of ${vectors.length}`);
});
