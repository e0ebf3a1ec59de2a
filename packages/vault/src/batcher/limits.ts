/** How much may leave the vault without a second secret (CUS-16). */

import type { Address } from '@venue/protocol';
import type { Limits } from '../daemon/config.ts';

/** One committed payout: its amount is in micros, its time that of its block in unix seconds. */
export interface Commit {
  readonly account: Address;
  readonly amount: bigint;
  readonly atSec: number;
}

const HOUR_SEC = 3_600;
/** The longest window that is counted. */
export const DAY_SEC = 24 * HOUR_SEC;

export function isLimited(limits: Limits): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}

/** The rest of the limits after what the chain shows as committed, and what was counted since. */
export class Allowance {
  readonly #limits: Limits;
  readonly #dayMicros = new Map<Address, bigint>();
  #hourMicros = 0n;

  constructor(limits: Limits, commits: readonly Commit[], nowSec: number) {
    this.#limits = limits;
    for (const { account, amount, atSec } of commits) {
      if (atSec > nowSec - DAY_SEC) this.#dayMicros.set(account, this.#dayOf(account) + amount);
      if (atSec > nowSec - HOUR_SEC) this.#hourMicros += amount;
    }
  }

  /** Why a payout has to wait, or null. The texts hold no figures, so that they change only when the reason does. */
  refusal({ account, amount }: { readonly account: Address; readonly amount: number }): string | null {
    const { payoutMaxMicros, accountDayMaxMicros, hourMaxMicros } = this.#limits;
    if (isAbove(BigInt(amount), payoutMaxMicros))
      return 'above VENUE_PAYOUT_MAX: an approver has to sign for it';
    if (isAbove(BigInt(amount) + this.#dayOf(account), accountDayMaxMicros))
      return 'above VENUE_PAYOUT_ACCOUNT_DAY_MAX: it waits for the day to pass, or for an approver';
    if (isAbove(BigInt(amount) + this.#hourMicros, hourMaxMicros))
      return 'above VENUE_PAYOUT_HOUR_MAX: it waits for the hour to pass, or for an approver';
    return null;
  }

  count({ account, amount }: { readonly account: Address; readonly amount: number }): void {
    this.#dayMicros.set(account, this.#dayOf(account) + BigInt(amount));
    this.#hourMicros += BigInt(amount);
  }

  #dayOf(account: Address): bigint {
    return this.#dayMicros.get(account) ?? 0n;
  }
}

function isAbove(amount: bigint, max: number | null): boolean {
  return max !== null && amount > BigInt(max);
}
