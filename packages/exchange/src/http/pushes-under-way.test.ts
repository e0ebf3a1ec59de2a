import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@venue/protocol';
import { PushesUnderWay } from './pushes-under-way.ts';

test('OWN-53: a push is alone if none to the same set of the same account waits for the log', () => {
  const underWay = new PushesUnderWay();
  const begin = (address: string, number: number) => underWay.begin({ address: address as Address, number });
  const first = begin('0xa', 1);
  const second = begin('0xa', 1);
  const others = [begin('0xa', 2), begin('0xb', 1)];
  assert.deepEqual(
    [first, second, ...others].map(({ isAlone }) => isAlone),
    [true, false, true, true],
  );
  first[Symbol.dispose]();
  using third = begin('0xa', 1);
  assert.equal(third.isAlone, false);
  second[Symbol.dispose]();
  third[Symbol.dispose]();
  assert.equal(begin('0xa', 1).isAlone, true);
});
