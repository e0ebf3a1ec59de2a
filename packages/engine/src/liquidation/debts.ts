/** How far liquidation may take accounts below zero (OWN-34): the venue's loss has an end, and no cash leaves the exact range. */

import { clampMicros, type Micros } from '@venue/protocol';
import type { Account } from '../state/account.ts';
import { LIQUIDATION_DEBT_MAX_MICROS } from '../state/limits.ts';
import type { State } from '../state/state.ts';

/** What traders owe in all, summed when somebody first needs it and kept in step from then on. */
export class Debts {
  readonly #state: State;
  #total: number | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /** What an account can be made to pay: its cash, and as much on top as all traders' debts have room for. */
  roomMicros(account: Account): Micros {
    const others = this.#sum() - debtOf(account);
    const beyond = LIQUIDATION_DEBT_MAX_MICROS - others + account.cashMicros;
    return clampMicros(Math.max(0, account.cashMicros, beyond));
  }

  /** Runs a change of the cash of some accounts and keeps the total in step with it. */
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
