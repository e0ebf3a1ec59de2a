/** The rows of what an account traded. */

import type { Effects } from './effects.ts';
import { FILLS_KEPT } from './limits.ts';
import type { Account, FillRecord, State } from './state.ts';

export type NewFill = Omit<FillRecord, 'id'>;

/** Adds a row to an account's fills, of which the newest are kept, and tells of it. */
export function addFill(state: State, effects: Effects, account: Account, fill: NewFill): void {
  state.lastFillId += 1;
  // By name, so that all rows are of one shape, whoever made them.
  const {
    orderId,
    series,
    side,
    priceMicros,
    qtyMicros,
    feeMicros,
    realizedMicros,
    taker,
    ts,
    kind,
    signer,
  } = fill;
  const id = state.lastFillId;
  const amounts = { priceMicros, qtyMicros, feeMicros, realizedMicros };
  const row: FillRecord = { id, orderId, series, side, ...amounts, taker, ts, kind, signer };
  account.fills.push(row);
  if (account.fills.length > FILLS_KEPT) account.fills.shift();
  effects.filled(account, row);
  effects.accountChanged(account);
}
