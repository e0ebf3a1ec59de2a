/** Opening of accounts. */

import type { Address, ErrorName, Micros } from '@venue/protocol';
import type { Effects } from '../entry/effects.ts';
import type { Account } from '../state/account.ts';
import { payIn } from '../state/ledger.ts';
import { FUNDED_MAX_MICROS } from '../state/limits.ts';
import type { VenueParameters } from '../state/parameters.ts';
import { addAccount, parametersOf, type State } from '../state/state.ts';

/** Why no account can be opened for a new address, or null if one can (OWN-14). */
export function checkOpening(state: State, address: Address): ErrorName | null {
  const parameters = parametersOf(state);
  if (state.accountByAddress.has(address) || parameters.fundingMode !== 'paper') return null;
  return state.fundedMicros + paperCashMicros(parameters, address) <= FUNDED_MAX_MICROS
    ? null
    : 'tooManyAccounts';
}

/** Paper capital of a new account: that of a mark maker is larger, because quotes in every series have to be margined. */
function paperCashMicros(parameters: VenueParameters, address: Address): Micros {
  const { paperCashMicros, paperMakerCashMicros, markMakers } = parameters;
  return markMakers.includes(address) ? paperMakerCashMicros : paperCashMicros;
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
    const cashMicros = paperCashMicros(parameters, address);
    payIn(state, account, cashMicros);
    effects.cashMoved(account, { kind: 'funding', cashMicros });
  }
  effects.accountChanged(account);
  return { account, opened: true };
}
