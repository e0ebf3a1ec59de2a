/** Checks that the account panel's tables add up as they are written. */

import assert from 'node:assert/strict';
import type { Simulation } from '@venue/protocol';
import { groupWords } from '../src/areas/account/core/group-words.ts';
import { type Lock, locksOf } from '../src/areas/account/core/locks.ts';
import { moneySums } from '../src/areas/account/core/money-lines.ts';
import { formatPrice, formatUsd } from '../src/basics/numbers.ts';

/** Whole cents of a text such as `−$1,234.50`. */
const centsOf = (text: string) => Math.round(Number(text.replace('−', '-').replaceAll(/[$,]/g, '')) * 100);
const sumOf = (cents: readonly number[]) => cents.reduce((sum, one) => sum + one, 0);

/** The lines of what is locked, to the cent of their heading and to the micro, and the sums of the account's money. */
export function assertAddsUp({ margin, account }: Pick<Simulation, 'margin' | 'account'>): readonly Lock[] {
  const locks = locksOf(margin);
  const shown = locks.map((lock) => centsOf(formatPrice(lock.shown, 2)));
  assert.equal(sumOf(shown), centsOf(formatUsd(margin.locked)));
  const exact = sumOf(locks.map(({ amount }) => Math.round(amount * 1e6)));
  assert.equal(exact, Math.round(margin.locked * 1e6));
  for (const lines of moneySums(account)) {
    const written = lines.map(({ amount }) => centsOf(formatUsd(amount)));
    assert.equal(sumOf(written.slice(0, -1)), written.at(-1));
  }
  for (const lock of locks) {
    if (lock.kind !== 'group') continue;
    const { sum } = groupWords(lock.group, lock.shown);
    const parts = sum.split(' + ').map((part) => centsOf(/[\d,]+\.\d\d(?= \(|$)/.exec(part)![0]));
    assert.equal(sumOf(parts), centsOf(formatPrice(lock.shown, 2)), sum);
  }
  return locks;
}
