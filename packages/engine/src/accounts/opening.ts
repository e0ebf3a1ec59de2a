/** Opening of accounts. */

import type { Address, ErrorName } from '@venue/protocol';
import type { Effects } from '../entry/effects.ts';
import type { Account } from '../state/account.ts';
import { payIn } from '../state/ledger.ts';
import { FUNDED_MAX_MICROS } from '../state/limits.ts';
import { addAccount, parametersOf, type State } from '../state/state.ts';

/** Why no account can be opened for a new address, or null if one can (OWN-14). */
export function checkOpening(state: State, address: Address): ErrorName | null {
  const parameters = parametersOf(state);
  if (state.accountByAddress.has(address) || parameters.fundingMode !== 'paper') return null;
  return state.fundedMicros + parameters.paperCashMicros <= FUNDED_MAX_MICROS ? null : 'tooManyAccounts';
}

/**
 * Returns the account of an address, opening it if necessary: with paper capital in paper mode, empty in deposits mode.
 */
export function openAccount(
  state: State,
  effects: Effects,
  address: Address,
): { account: Account; opened: boolean } {
  const existing = state.accountByAddress.get(address);
  if (existing !== undefined) return { account: existing, opened: false };
  const account = addAccount(state, 'trader', address);
  const parameters = parametersOf(state);
  if (parameters.fundingMode === 'paper') {
    payIn(state, account, parameters.paperCashMicros);
    effects.cashMoved(account, { kind: 'funding', cashMicros: parameters.paperCashMicros });
  }
  effects.accountChanged(account);
  return { account, opened: true };
}
