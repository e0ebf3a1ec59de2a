/**
 * How far liquidation may take accounts below zero (OWN-34): it bounds the venue's loss and keeps all cash in the exact
 * range.
 */

import { clampMicros, type Micros } from '@venue/protocol';
import type { Account } from '../state/account.ts';
import { LIQUIDATION_DEBT_MAX_MICROS } from '../state/limits.ts';
import type { State } from '../state/state.ts';

/** The total debt of all traders, computed on first use and updated from then on. */
export class Debts {
  readonly #state: State;
  #total: number | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /** The most an account can be made to pay: its cash, plus the room left for all traders' debts. */
  roomMicros(account: Account): Micros {
    const others = this.#sum() - debtOf(account);
    const beyond = LIQUIDATION_DEBT_MAX_MICROS - others + account.cashMicros;
    return clampMicros(Math.max(0, account.cashMicros, beyond));
  }

  /** Runs a change of some accounts' cash and updates the total. */
  across(accounts: readonly Account[], change: () => void): void {
    const before = sumOf(accounts);
    change();
    if (this.#total !== null) this.#total += sumOf(accounts) - before;
  }

  #sum(): number {
    this.#total ??= sumOf(this.#state.accounts);
    return this.#total;
  }
}

function sumOf(accounts: readonly Account[]): number {
  let total = 0;
  for (const account of accounts) total += debtOf(account);
  return total;
}

function debtOf({ role, cashMicros }: Account): number {
  return role === 'trader' && cashMicros < 0 ? -cashMicros : 0;
}
