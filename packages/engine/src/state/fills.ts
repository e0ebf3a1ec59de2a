/** The fill history of accounts. */

import type { Micros } from '@venue/protocol';
import type { Account } from './account.ts';
import type { SessionHandle } from './ids.ts';
import type { FillRecord } from './records.ts';
import type { State } from './state.ts';

export interface NewFill extends Omit<FillRecord, 'id' | 'signer'> {
  /** The session that signed the originating order. */
  readonly signer: SessionHandle | null;
  /** Cash into the account, negative if out of it, without the fee. */
  readonly cashMicros: Micros;
}

/** Receives new rows. */
export interface FillListener {
  /**
   * A row was added to the account's fills; `cashMicros` moved into the account, negative if out of it, without the
   * fee.
   */
  filled(account: Account, fill: FillRecord, cashMicros: Micros): void;
  /** Positions, cash or the reserve of a quote set changed. */
  accountChanged(account: Account): void;
}

/** Adds a row to an account's fills and notifies the listener. */
export function addFill(state: State, listener: FillListener, account: Account, fill: NewFill): void {
  state.lastFillId += 1;
  // Field by field, so that all rows have one shape; a spread would cost more than everything else here.
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
    signer: fill.signer === null ? undefined : state.sessions.key(fill.signer),
  };
  account.fills.add(row, fill.signer);
  listener.filled(account, row, fill.cashMicros);
  listener.accountChanged(account);
}
