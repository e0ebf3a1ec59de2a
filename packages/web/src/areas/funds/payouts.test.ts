import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Payout } from '@venue/sdk/browser';
import { payoutStages, withdrawableMicros } from './payouts.ts';

const payout = (id: number, amountUsd: number, state: Payout['state']): Payout => ({
  id,
  amountUsd,
  state,
  address: `0x${'11'.repeat(20)}`,
  requestedAt: id,
});
const LIST = [
  payout(9, 5, 'requested'),
  payout(7, 3, 'requested'),
  payout(4, 2, 'committed'),
  payout(2, 8, 'committed'),
];

describe('withdrawals on their way', () => {
  it("PAY-3: the vault's remainder belongs to the newest payouts", () => {
    const stages = payoutStages(LIST, { entitlementMicros: 5_000_000, committedIds: new Set([7, 4, 2]) });
    assert.deepEqual(
      [...stages],
      [
        [9, 'asked'],
        [7, 'on-chain'],
        [4, 'claimable'],
        [2, 'claimed'],
      ],
    );
  });

  it('payouts are claimed when nothing is left in the vault, and unknown while it is not read', () => {
    const none = { entitlementMicros: 0, committedIds: new Set([4, 2]) };
    assert.deepEqual([...payoutStages(LIST, none).values()], ['asked', 'asked', 'claimed', 'claimed']);
    assert.deepEqual([...payoutStages(LIST, null).values()], ['asked', 'asked', 'committed', 'committed']);
  });

  it('CUS-5: what the venue says is committed is believed only with the event of the vault', () => {
    const claimed = { entitlementMicros: 0, committedIds: new Set([2]) };
    assert.deepEqual([...payoutStages(LIST, claimed).values()], ['asked', 'asked', 'unseen', 'claimed']);
    const stages = payoutStages([payout(1, 3, 'voided')], claimed);
    assert.deepEqual([...stages.values()], ['voided']);
  });

  it('PAY-2: a requested withdrawal counts against buying power a second time', () => {
    assert.equal(withdrawableMicros(20.5, LIST), 12_500_000);
    assert.equal(withdrawableMicros(7, LIST), 0);
    assert.equal(withdrawableMicros(-1, []), 0);
  });
});
