/** Withdrawals on their way: who acts next, and who pays the gas of it. */

import { decimalToMicros } from '@venue/protocol';
import type { Payout } from '@venue/sdk/browser';

/**
 * - `asked`: the venue has it and has put nothing on chain.
 * - `on-chain`: set aside in the vault, and not yet noted by the venue; it can be claimed.
 * - `claimable`: both know it.
 * - `claimed`: nothing of it is left in the vault.
 * - `committed`: the venue says so, and the vault was not looked at.
 */
export type PayoutStage = 'asked' | 'on-chain' | 'claimable' | 'claimed' | 'committed';

/** What the vault says. */
export interface VaultSide {
  /** What the wallet would be paid now. */
  readonly entitlementMicros: number;
  /** Of the payouts that the venue calls requested, those that are set aside already. */
  readonly committedIds: ReadonlySet<number>;
}

/**
 * The stage of every payout, by id; `vault` is null while it cannot be read. A claim pays all that is set aside, so what
 * is left is the newest of it.
 */
export function payoutStages(
  payouts: readonly Payout[],
  vault: VaultSide | null,
): ReadonlyMap<number, PayoutStage> {
  const stages = new Map<number, PayoutStage>();
  let leftMicros = vault?.entitlementMicros ?? 0;
  for (const { id, state, amountUsd } of [...payouts].sort((a, b) => b.id - a.id)) {
    const isSetAside = state === 'committed' || vault?.committedIds.has(id);
    if (!isSetAside) stages.set(id, 'asked');
    else if (vault === null) stages.set(id, 'committed');
    else if (leftMicros > 0) {
      stages.set(id, state === 'committed' ? 'claimable' : 'on-chain');
      leftMicros -= decimalToMicros(amountUsd) ?? 0;
    } else stages.set(id, 'claimed');
  }
  return stages;
}

export const STAGE_TEXTS: Readonly<Record<PayoutStage, { readonly state: string; readonly next: string }>> = {
  asked: { state: 'Requested', next: 'The venue sets it aside in the vault and pays that gas.' },
  'on-chain': { state: 'Set aside', next: 'You can claim it. You pay the gas.' },
  claimable: { state: 'Set aside', next: 'You claim it. You pay the gas.' },
  claimed: { state: 'Claimed', next: 'Nothing: it was paid to your wallet.' },
  committed: { state: 'Committed', next: 'Connect your wallet to see whether it is claimed.' },
};

/**
 * The most that can be withdrawn, in micros: buying power less what was asked for and is not committed, although that is
 * off the cash already (PAY-2).
 */
export function withdrawableMicros(buyingPowerUsd: number, payouts: readonly Payout[]): number {
  const pendingUsd = payouts.filter(({ state }) => state === 'requested');
  const pendingMicros = pendingUsd.reduce((sum, { amountUsd }) => sum + (decimalToMicros(amountUsd) ?? 0), 0);
  return Math.max(0, (decimalToMicros(buyingPowerUsd) ?? 0) - pendingMicros);
}

/** An account may have so many withdrawals that are not committed. */
export const OUTSTANDING_MAX = 16;
