/** The rows of what an account traded. */

import type { Address } from '@venue/protocol';
import type { Effects } from './effects.ts';
import { FILLS_KEPT } from './limits.ts';
import type { Account, FillRecord, State } from './state.ts';

export type NewFill = Omit<FillRecord, 'id' | 'signer'> & { readonly signer: Address | undefined };

/** Adds a row to an account's fills, of which the newest are kept, and tells of it. */
export function addFill(state: State, effects: Effects, account: Account, fill: NewFill): void {
  const { signer, ...rest } = fill;
  state.lastFillId += 1;
  const row: FillRecord = { id: state.lastFillId, ...rest, ...(signer === undefined ? {} : { signer }) };
  account.fills.push(row);
  if (account.fills.length > FILLS_KEPT) account.fills.shift();
  effects.filled(account, row);
  effects.accountChanged(account);
}
