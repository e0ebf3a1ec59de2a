/** The rows of what an account traded. */

import type { Micros } from '@venue/protocol';
import type { Account } from './account.ts';
import { FILLS_KEPT } from './limits.ts';
import type { FillRecord } from './records.ts';
import type { State } from './state.ts';

export interface NewFill extends Omit<FillRecord, 'id'> {
  /** What it moved into the account, or out of it below zero, the fee aside. */
  readonly cashMicros: Micros;
}

/** Who hears of a new row. */
export interface FillListener {
  /**
   * A row was added to the account's fills, which moved `cashMicros` into the account, or out of it below zero, the fee
   * aside.
   */
  filled(account: Account, fill: FillRecord, cashMicros: Micros): void;
  /** Positions or cash changed. */
  accountChanged(account: Account): void;
}

/** Adds a row to an account's fills, of which the newest are kept, and tells of it. */
export function addFill(state: State, listener: FillListener, account: Account, fill: NewFill): void {
  state.lastFillId += 1;
  // Field by field: all rows are of one shape then, whoever made them, and a spread takes longer than all else here.
  const row: FillRecord = {
    id: state.lastFillId,
    orderId: fill.orderId,
    series: fill.series,
    side: fill.side,
    priceMicros: fill.priceMicros,
    qtyMicros: fill.qtyMicros,
    feeMicros: fill.feeMicros,
    realizedMicros: fill.realizedMicros,
    taker: fill.taker,
    ts: fill.ts,
    kind: fill.kind,
    signer: fill.signer,
  };
  account.fills.push(row);
  if (account.fills.length > FILLS_KEPT) account.fills.shift();
  listener.filled(account, row, fill.cashMicros);
  listener.accountChanged(account);
}
