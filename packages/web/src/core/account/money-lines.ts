/** The account's money in groups of lines, each of which adds up to its last line (RSK-1). */

import type { Account } from '@venue/protocol';

export interface MoneyLine {
  readonly label: string;
  /** Dollars. */
  readonly amount: number;
  /** True for the sum of the lines above it in its group. */
  readonly isTotal?: boolean;
}

/** Two groups: what the account is worth, and how much of its cash is free. */
export function moneySums({
  cash,
  equity,
  locked,
  buyingPower,
}: Pick<Account, 'cash' | 'equity' | 'locked' | 'buyingPower'>): readonly (readonly MoneyLine[])[] {
  return [
    [
      { label: 'Cash', amount: cash },
      { label: 'Positions at mark', amount: equity - cash },
      { label: 'Equity', amount: equity, isTotal: true },
    ],
    [
      { label: 'Cash', amount: cash },
      { label: 'Locked', amount: -locked },
      { label: 'Buying power', amount: buyingPower, isTotal: true },
    ],
  ];
}
