/** Tells for every field of what a preview copies whether it must be copied. */

import type { Account } from '../state/account.ts';
import type { Position } from '../state/positions.ts';
import type { QuoteSet } from '../state/quote-sets.ts';

/** Copies a position to an account, where it is opened if necessary. */
export function copyPosition(position: Position, owner: Account): void {
  const { sid } = position;
  copyFields(position, owner.positions.get(sid) ?? owner.positions.open(sid), IS_COPIED_OF_POSITION);
}

/** For every field, whether it must be copied. The compiler rejects a list with a missing field. */
type IsCopied<T> = Readonly<Record<keyof T, boolean>>;

export const IS_COPIED_OF_ACCOUNT: IsCopied<Account> = {
  cashMicros: true,
  realizedMicros: true,
  reservedMicros: true,
  marginEnabled: true,
  marginMode: true,
  frozen: true,
  shortCount: true,
  // Set when the copy is created: its own index, its own positions.
  ...{ index: false, role: false, address: false, positions: false },
  // Fields that no order's result depends on: about signing, past actions and real money.
  ...{ lastSession: false, sessions: false, fills: false, payouts: false },
  ...{ wasCalled: false, calledSince: false, quarters: false, heldMicros: false, heldCount: false },
};

const IS_COPIED_OF_POSITION: IsCopied<Position> = {
  qtyMicros: true,
  costMicros: true,
  realizedMicros: true,
  restingBuyMicros: true,
  restingSellMicros: true,
  // Its identity, which the copy already has.
  ...{ sid: false, series: false },
};

export const IS_COPIED_OF_SET: IsCopied<QuoteSet> = {
  shown: true,
  usedMicros: true,
  usedDelta: true,
  firstFillTs: true,
  freeze: true,
  reserveMicros: true,
  deltaBoundMicros: true,
  countedMicros: true,
  // Set when the copy is created; its rows are copied one by one.
  ...{ slot: false, account: false, number: false, symbol: false, protection: false },
  ...{ lastPushTs: false, rows: false },
};

/** Copies the fields that a list names. */
export function copyFields<T extends object>(from: T, to: T, isCopied: IsCopied<T>): void {
  for (const field in isCopied) if (isCopied[field]) to[field] = from[field];
}
