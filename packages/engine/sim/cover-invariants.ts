/** Invariants of accounts in defined-risk mode whose shorts are all covered and paid for, whatever anybody does (DRM-2). */

import assert from 'node:assert/strict';
import { intrinsicMicros } from '@venue/protocol/margin';
import { coverageOf, type GroupCoverage } from '../src/risk/coverage.ts';
import { riskOf } from '../src/risk/margin.ts';
import { forgetGroups } from '../src/risk/memos.ts';
import type { Account } from '../src/state/account.ts';
import type { State } from '../src/state/state.ts';

const MILLION = 1_000_000n;

/** No mark calls it; and its margin is no more than that of its shorts one by one. */
export function assertCalledForCause(state: State, account: Account): void {
  const { isCalled, lockedMicros } = riskOf(state, account);
  if (isPaidFor(state, account)) assert.ok(!isCalled, `account ${account.index} is covered and called`);
  assert.ok(lockedMicros >= account.reservedMicros, `account ${account.index} locks less than it reserves`);
  forgetGroups(state, account);
  assert.deepEqual(riskOf(state, account).lockedMicros, lockedMicros, `memo of account ${account.index}`);
  assert.equal(riskOf(state, account).isCalled, isCalled, `memo of account ${account.index}`);
}

/** An account whose groups are all covered in full by cash, and what its resting sells promised at that time. */
export interface Paid {
  readonly account: Account;
  readonly promisedMicros: number;
}

export function paidFor(state: State): Paid[] {
  return state.accounts
    .filter((account) => account.marginMode === 'defined-risk' && isPaidFor(state, account))
    .map((account) => ({ account, promisedMicros: promisedBy(account) }));
}

/**
 * The house never loses by them: none owes more than its decided groups still receive, whatever the entry was, as a short
 * may pay before its long does; and while their shorts stay covered they stay paid for, as no cash that a pair may lose can
 * be spent. Only a sell that has rested since its short needed a unit may fill when the greatest loss of the group, which
 * counts as cover, is more than there is.
 */
export function assertStillPaid(state: State, paid: readonly Paid[]): void {
  for (const { account, promisedMicros } of paid) {
    const { index, cashMicros, marginMode } = account;
    const where = `account ${index} was covered and`;
    const owed = -BigInt(cashMicros) - receivable(state, account);
    assert.ok(owed <= 0n, `${where} owes ${owed} after entry ${state.seq}`);
    if (promisedBy(account) < promisedMicros) continue;
    if (marginMode === 'defined-risk' && isCovered(state, account))
      assert.ok(isPaidFor(state, account), `${where} is no longer paid for after entry ${state.seq}`);
  }
}

/** Micros of all its resting sells. */
function promisedBy({ positions }: Account): number {
  return [...positions].reduce((sum, { restingSellMicros }) => sum + restingSellMicros, 0);
}

/** The sum that its groups with a price have yet to receive, less what they have yet to pay. */
function receivable(state: State, account: Account): bigint {
  return coverageOf(state, account, ({ qtyMicros }) => qtyMicros)
    .map((group) => dueOf(group) ?? 0n)
    .reduce((sum, due) => sum - due, 0n);
}

function isCovered(state: State, account: Account): boolean {
  return coverageOf(state, account, ({ qtyMicros }) => qtyMicros).every(
    ({ uncovered }) => uncovered.length === 0,
  );
}

function isPaidFor(state: State, account: Account): boolean {
  const groups = coverageOf(state, account, ({ qtyMicros }) => qtyMicros);
  if (groups.some(({ uncovered }) => uncovered.length > 0)) return false;
  const needs = groups.map(needOf);
  const sum = needs.reduce((total, need) => total + need, BigInt(account.reservedMicros));
  return BigInt(account.cashMicros) >= sum;
}

/** The most that the positions can lose, with a micro for the rounding of each; once there is a price, the loss at it. */
function needOf(group: GroupCoverage): bigint {
  const { held, loss, rule, pairs } = group;
  const due = dueOf(group);
  if (due !== null) return due;
  if (rule === 'none') return 0n;
  const widths = pairs.reduce(
    (sum, { qtyMicros, eachMicros }) => sum + BigInt(qtyMicros) * BigInt(eachMicros),
    0n,
  );
  const need = rule === 'B' ? BigInt(loss.amountMicros) : (widths + MILLION - 1n) / MILLION;
  return need + BigInt(held.length);
}

/** The sum that a group has yet to pay at its price, each position rounded against the account; null before it has one. */
function dueOf({ held, instrument, expiryTs }: GroupCoverage): bigint | null {
  const price = instrument.decisions.get(expiryTs)?.priceMicros ?? null;
  if (price === null) return null;
  return held.reduce((sum, { series, qtyMicros }) => {
    const product = BigInt(qtyMicros) * BigInt(intrinsicMicros(series, price));
    return sum - (product - (((product % MILLION) + MILLION) % MILLION)) / MILLION;
  }, 0n);
}
