/** Stages of withdrawals: who acts next, and who pays the gas. */

import { decimalToMicros } from '@venue/protocol';
import type { Payout } from '@venue/sdk/browser';

/**
 * - `asked`: the venue has accepted it and committed nothing on chain.
 * - `on-chain`: set aside in the vault, not yet recorded by the venue; it can be claimed.
 * - `claimable`: set aside in the vault and recorded by the venue.
 * - `claimed`: paid out by the vault in full.
 * - `committed`: committed by the venue's record; the vault was not read.
 * - `unseen`: committed by the venue's record, and the chain does not show it.
 * - `voided`: taken back by an operator, with the cash.
 */
export type PayoutStage = 'asked' | 'on-chain' | 'claimable' | 'claimed' | 'committed' | 'unseen' | 'voided';

/** The vault's data. */
export interface VaultSide {
  /** The sum that a claim by the wallet would pay now. */
  readonly entitlementMicros: number;
  /** Payouts that the vault's own events show as set aside, whatever the venue says of them. */
  readonly committedIds: ReadonlySet<number>;
}

/**
 * The stage of every payout, by id; `vault` is null while it cannot be read. A claim pays everything set aside, so any
 * remainder belongs to the newest payouts.
 */
export function payoutStages(
  payouts: readonly Payout[],
  vault: VaultSide | null,
): ReadonlyMap<number, PayoutStage> {
  const stages = new Map<number, PayoutStage>();
  let leftMicros = vault?.entitlementMicros ?? 0;
  for (const { id, state, amountUsd } of [...payouts].sort((a, b) => b.id - a.id)) {
    if (state === 'voided') stages.set(id, 'voided');
    else if (vault === null) stages.set(id, state === 'committed' ? 'committed' : 'asked');
    else if (!vault.committedIds.has(id)) stages.set(id, state === 'committed' ? 'unseen' : 'asked');
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
  committed: {
    state: 'Committed, says the venue',
    next: 'Connect your wallet to see whether the chain says so too.',
  },
  unseen: {
    state: 'Not on the chain',
    next: 'The venue says that it was set aside, and the vault does not show it. Ask the operator.',
  },
  voided: { state: 'Voided', next: 'Nothing: the cash is back in your account.' },
};

/**
 * The maximum withdrawal, in micros: buying power less the requested and uncommitted amounts, although these have
 * already left the cash (PAY-2).
 */
export function withdrawableMicros(buyingPowerUsd: number, payouts: readonly Payout[]): number {
  const pendingUsd = payouts.filter(({ state }) => state === 'requested');
  const pendingMicros = pendingUsd.reduce((sum, { amountUsd }) => sum + (decimalToMicros(amountUsd) ?? 0), 0);
  return Math.max(0, (decimalToMicros(buyingPowerUsd) ?? 0) - pendingMicros);
}

/** Withdrawals that the page shows, newest first. */
export const PAYOUTS_SHOWN = 50;

/** The maximum of uncommitted withdrawals per account. */
export const OUTSTANDING_MAX = 16;
