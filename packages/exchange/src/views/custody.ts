/** Deposits, withdrawals and reserves as clients, operators and auditors see them (OWN-57). */

import { type Account, isOutstanding, type Payout, type State } from '@venue/engine';
import {
  ExactSum,
  type Held,
  type Micros,
  microsToDecimal,
  type Reserves,
  type Payout as WirePayout,
} from '@venue/protocol';

export function payoutView({ id, account, amountMicros, requestedAt, txHash }: Payout): WirePayout {
  return {
    id,
    amountUsd: microsToDecimal(amountMicros),
    state: txHash === null ? 'requested' : 'committed',
    address: account.address!,
    requestedAt,
    ...(txHash !== null && { txHash }),
  };
}

const PAYOUTS_SHOWN = 500;

/** The account's withdrawals, newest first. */
export function withdrawalsView({ payouts }: Account): WirePayout[] {
  return payouts.slice(-PAYOUTS_SHOWN).reverse().map(payoutView);
}

const PAYOUTS_PER_PAGE = 1_000;

/** A page of all accounts' payouts after the given id, oldest first. */
export function payoutsView(
  { custody }: State,
  { after, state }: { after: number; state: WirePayout['state'] | undefined },
): WirePayout[] {
  const page: WirePayout[] = [];
  for (let id = after + 1; id <= custody.payouts.length && page.length < PAYOUTS_PER_PAGE; id++) {
    const payout = custody.payouts[id - 1]!;
    const isWanted = state === undefined || isOutstanding(payout) === (state === 'requested');
    if (isWanted) page.push(payoutView(payout));
  }
  return page;
}

/** Addresses whose deposits wait for an operator, in order of arrival. */
export function heldView({ accounts }: State): Held[] {
  return accounts
    .filter(({ frozen }) => frozen)
    .map(({ address, heldMicros, heldCount }) => ({
      address: address!,
      amountUsd: microsToDecimal(heldMicros),
      deposits: heldCount,
    }));
}

/**
 * The venue's debt to its traders (RES-1): every account's positive cash, deposits held for them, and withdrawals not
 * committed yet. House, fees and maker are excluded (HOUSE-1).
 */
export function reservesView({ accounts, custody }: State): Reserves {
  const owed = new ExactSum();
  const uncollectible = new ExactSum();
  let negativeAccounts = 0;
  let nonExemptAccounts = 0;
  for (const { role, cashMicros, heldMicros } of accounts) {
    if (role !== 'trader') continue;
    nonExemptAccounts += 1;
    owed.add(heldMicros);
    if (cashMicros >= 0) owed.add(cashMicros);
    else {
      uncollectible.add(-cashMicros);
      negativeAccounts += 1;
    }
  }
  return {
    cashTotalUsd: microsToDecimal(owed.clamped()),
    pendingWithdrawalsUsd: decimalOf(custody.pendingMicros),
    committedWithdrawalsUsd: decimalOf(custody.committedMicros),
    uncollectibleUsd: microsToDecimal(uncollectible.clamped()),
    negativeAccounts,
    nonExemptAccounts,
  };
}

function decimalOf(micros: bigint): number {
  return microsToDecimal(Number(micros) as Micros);
}
