import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vectorTerms } from '../../packages/protocol/test/black76-vectors.ts';
import {
  assertLikeQuantLib,
  quantlibMissing,
  quantlibValues,
} from '../../packages/protocol/test/quantlib.ts';

const COUNT = 10_000;

test('HIS-3 greeks and implied volatilities of 10,000 options are QuantLib’s', {
  skip: quantlibMissing() ?? false,
}, () => {
  const options = vectorTerms(COUNT).map(({ minutes: _, ...option }) => option);
  const values = quantlibValues(options);
  assert.equal(values.length, COUNT);
  let told = 0;
  for (const [i, option] of options.entries()) told += Number(assertLikeQuantLib(option, values[i]!));
  assert.ok(told > COUNT / 3, `${told} volatilities`);
});
