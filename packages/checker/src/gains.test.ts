import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountRole } from '@venue/engine';
import type { Micros } from '@venue/protocol';
import { overdrawnMicros } from './gains.ts';

const of = (...rows: readonly [AccountRole, number][]) =>
  overdrawnMicros({ accounts: rows.map(([role, cash]) => ({ role, cashMicros: cash as Micros })) });

test('CUS-8, CUS-18: what an account owes is lost to the house, and offsets nothing that another is owed', () => {
  // Paid in: 100 for the house, 50 by a trader. Owed to traders: 50, and what the other has won.
  assert.equal(of(['maker', 100], ['trader', 50], ['trader', 0]), 0n);
  assert.equal(of(['maker', 100], ['trader', -100], ['trader', 150]), 0n, 'the house covers it');
  assert.equal(of(['maker', 100], ['trader', -101], ['trader', 151]), 1n);
  assert.equal(of(['maker', 100], ['trader', -90], ['trader', -90], ['trader', 230]), 80n);
});

test('CUS-18: house, maker and fees are one purse, and what traders have fills it with nothing', () => {
  assert.equal(of(['house', -30], ['fees', 10], ['maker', 20], ['trader', 1_000]), 0n);
  assert.equal(of(['house', -30], ['fees', 10], ['maker', 19], ['trader', 1_000]), 1n);
});
