/** Formats withdrawals for people. */

import type { Payout } from '@venue/protocol';
import { decimalText } from '../terminal/numbers.ts';
import { type Column, type Page, table } from '../terminal/table.ts';
import { utcSecond } from '../terminal/times.ts';

/** Withdrawals as a table. */
export function payoutsText(payouts: readonly Payout[], page: Page): string[] {
  if (payouts.length === 0) return ['no payouts'];
  return table(PAYOUT_COLUMNS, payouts, page);
}

export const PAYOUT_COLUMNS: readonly Column<Payout>[] = [
  { title: 'id', cell: ({ id }) => id, places: [0, 0], rank: 0 },
  { title: 'requested (UTC)', cell: ({ requestedAt }) => utcSecond(requestedAt), rank: 2 },
  { title: 'address', cell: ({ address }) => address, rank: 1, shortest: 13 },
  // All six places, because this money is compared with a chain.
  { title: 'amount USD', cell: ({ amountUsd }) => amountUsd, places: [6, 6], rank: 0 },
  { title: 'state', cell: ({ state }) => state, rank: 0 },
  { title: 'transaction', cell: ({ txHash }) => txHash ?? '', rank: 3, shortest: 13 },
];

/** An amount with all its places. */
export function exactUsd(amount: number): string {
  return `${decimalText(amount, [6, 6])} USD`;
}
