/** Invariants of real money after every entry: every sum is recomputed, and no promise is taken back. */

import assert from 'node:assert/strict';
import type { Account, Payout } from '../src/state/account.ts';
import { isOutstanding } from '../src/state/custody.ts';
import { WITHDRAWALS_OUTSTANDING_MAX } from '../src/state/limits.ts';
import type { State } from '../src/state/state.ts';
import type { CustodyDescription } from './description.ts';
import { difference } from './difference.ts';

/** Deposits, held deposits, payouts and their sums. */
export function assertCustody(state: State): void {
  assertPaidIn(state);
  assertPayouts(state);
  for (const account of state.accounts) {
    assertHeld(state, account);
    if (account.frozen) assertUntouched(state, account);
  }
}

/**
 * Deposits never change, except that an operator takes one back that was held in doubt (CUS-4). A payout keeps its terms,
 * and is committed or voided once (PAY-3).
 */
export function assertCustodyProgress(before: CustodyDescription, after: CustodyDescription): void {
  const { payouts } = after;
  const kept = before.deposits.filter((one) => after.deposits.some((other) => keyOf(other) === keyOf(one)));
  assert.deepEqual(difference(after.deposits.slice(0, kept.length), kept), [], 'deposits');
  const gone = before.deposits.filter((one) => !kept.includes(one)).map(keyOf);
  for (const key of gone) assert.ok(before.doubted.includes(key), `deposit ${key} was not held in doubt`);
  assert.ok(after.epoch >= before.epoch, 'the epoch never falls');
  for (const payout of before.payouts) {
    const { txHash, voidedAt, waits, approvals } = payouts[payout.id - 1]!;
    const isOpen = payout.txHash === null && payout.voidedAt === null;
    const expected = isOpen ? { ...payout, txHash, voidedAt, waits, approvals } : payout;
    assert.deepEqual(difference(payouts[payout.id - 1]!, expected), [], `payout ${payout.id}`);
  }
}

function keyOf({ txHash, logIndex }: { readonly txHash: string; readonly logIndex: number }): string {
  return `${txHash}:${logIndex}`;
}

/** Deposits, each counted once, minus requested withdrawals equal the amount paid in (DEP-1). */
function assertPaidIn(state: State): void {
  const { deposits, payouts } = state.custody;
  if (state.parameters?.fundingMode !== 'deposits') {
    assert.equal(deposits.size + payouts.length, 0, 'no custody of paper cash');
    return;
  }
  const logs = [...deposits.values()];
  const names = new Set(logs.map(({ txHash, logIndex }) => `${txHash} ${logIndex}`));
  assert.equal(names.size, logs.length, 'each log of the vault once');
  const withdrawn = payouts.filter(({ voidedAt }) => voidedAt === null);
  const expected = total(logs.map(({ amountMicros }) => amountMicros)) - amountOf(withdrawn);
  assert.equal(BigInt(state.fundedMicros), expected, 'deposits less withdrawals are what was paid in');
}

/** All deposits to a frozen account are held, and those in doubt, and no others (DEP-2, CUS-4). */
function assertHeld({ custody }: State, { index, address, frozen, heldMicros, heldCount }: Account): void {
  const own = [...custody.deposits].filter(([, one]) => one.address === address && !one.isOfHouse);
  const held = own.filter(([key]) => frozen || custody.doubted.has(key));
  assert.equal(
    BigInt(heldMicros),
    total(held.map(([, one]) => one.amountMicros)),
    `held for account ${index}`,
  );
  assert.equal(heldCount, held.length, `deposits held for account ${index}`);
}

/** A frozen account has no cash, and neither trades nor withdraws (FINE-12). */
function assertUntouched({ orders }: State, account: Account): void {
  const { index, cashMicros, positions, fills, payouts } = account;
  assert.equal(cashMicros, 0, `cash of frozen account ${index}`);
  assert.equal(orders.firstOf(index), null, `orders of frozen account ${index}`);
  assert.equal(fills.size + positions.size, 0, `trades of frozen account ${index}`);
  assert.equal(payouts.length, 0, `payouts of frozen account ${index}`);
}

function assertPayouts({ accounts, custody }: State): void {
  const { payouts, pendingMicros, committedMicros } = custody;
  payouts.forEach(({ id, amountMicros, account }, place) => {
    assert.equal(id, place + 1, 'payouts are counted without a gap');
    assert.ok(amountMicros > 0, `amount of payout ${id}`);
    assert.ok(account.role === 'trader' && account.address !== null, `owner of payout ${id}`);
  });
  const outstanding = payouts.filter(isOutstanding);
  assert.equal(pendingMicros, amountOf(outstanding), 'pending');
  const committed = payouts.filter(({ txHash }) => txHash !== null);
  assert.equal(committedMicros, amountOf(committed), 'committed');
  const standing = payouts.filter(({ voidedAt }) => voidedAt === null);
  assert.equal(
    new Set(standing.map(({ payoutId }) => payoutId)).size,
    standing.length,
    'numbers in the vault',
  );
  for (const account of accounts) {
    const own = payouts.filter((payout) => payout.account === account);
    assert.ok(
      own.length === account.payouts.length && own.every((payout, i) => payout === account.payouts[i]),
      `payouts of account ${account.index}`,
    );
    const pending = own.filter(isOutstanding);
    assert.ok(pending.length <= WITHDRAWALS_OUTSTANDING_MAX, `outstanding of account ${account.index}`);
  }
}

function amountOf(payouts: readonly Payout[]): bigint {
  return total(payouts.map(({ amountMicros }) => amountMicros));
}

function total(amounts: readonly number[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
