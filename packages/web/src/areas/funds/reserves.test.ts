import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Reserves } from '@venue/sdk/browser';
import { reserveSums } from './reserves.ts';

const VENUE: Reserves = {
  cashTotalUsd: 700.5,
  pendingWithdrawalsUsd: 100,
  committedWithdrawalsUsd: 50,
  uncollectibleUsd: 0,
  negativeAccounts: 0,
  nonExemptAccounts: 3,
  ...{ chainId: null, vault: null, paidBeforeUsd: 0, depositedBeforeUsd: 0, depositedUsd: 850.5, epoch: 0 },
  ...{ payoutsHalted: null, openLiabilityUsd: 0, houseCashUsd: 0, smallestPayoutUsd: 0 },
};
const usd = (amount: number) => BigInt(Math.round(amount * 1e6));
const vault = (balance: number, totalCommitted: number, totalClaimed: number) => ({
  balance: usd(balance),
  totalCommitted: usd(totalCommitted),
  totalClaimed: usd(totalClaimed),
});

it('RES-1: the reserves hold to the micro, and fail one micro beyond', () => {
  const { owed, free, holds } = reserveSums(VENUE, vault(800.5, 0, 50));
  assert.deepEqual([owed, free, holds], [800.5, 800.5, true]);
  assert.equal(reserveSums(VENUE, vault(800.499999, 0, 50)).holds, false);
});

it('RES-1: a payout not yet recorded by the venue counts once', () => {
  const { inFlight, owed, free, holds } = reserveSums(VENUE, vault(800.5, 100, 50));
  assert.deepEqual([inFlight, owed, free, holds], [100, 700.5, 700.5, true]);
});

it('RES-1: a payout that was never requested fails whatever the surplus, and one missing on chain is owed', () => {
  const unasked = reserveSums(VENUE, vault(10_000, 151, 50));
  assert.deepEqual([unasked.unasked, unasked.holds], [51, false]);
  const missing = reserveSums(VENUE, vault(850.5, 0, 0));
  assert.deepEqual([missing.notOnChain, missing.owed, missing.holds], [50, 850.5, true]);
});
