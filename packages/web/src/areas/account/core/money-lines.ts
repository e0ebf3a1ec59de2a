/** The account's money in groups of lines, each of which adds up to its last line (RSK-1). */

import type { Account } from '@venue/protocol';
import { inCents } from '../../../basics/adding-up.ts';

export interface MoneyLine {
  readonly label: string;
  /** Dollars in whole cents, so that lines add up as they are written. */
  readonly amount: number;
  /** True for the sum of the lines above it in its group. */
  readonly isTotal?: boolean;
}

/** Two groups: what the account is worth, and how much of its cash is free. */
export function moneySums({
  cash,
  equity,
  buyingPower,
}: Pick<Account, 'cash' | 'equity' | 'buyingPower'>): readonly (readonly MoneyLine[])[] {
  const [ofCash, ofEquity, free] = [inCents(cash), inCents(equity), inCents(buyingPower)];
  return [
    [
      { label: 'Cash', amount: ofCash },
      { label: 'Positions at mark', amount: ofEquity - ofCash },
      { label: 'Equity', amount: ofEquity, isTotal: true },
    ],
    [
      { label: 'Cash', amount: ofCash },
      { label: 'Locked', amount: free - ofCash },
      { label: 'Buying power', amount: free, isTotal: true },
    ],
  ];
}

/** The same as one strip: cash once, and what is locked of it as an amount. */
export function moneyStrip(account: Pick<Account, 'cash' | 'equity' | 'buyingPower'>): readonly MoneyLine[] {
  const [worth, free] = moneySums(account) as [readonly MoneyLine[], readonly MoneyLine[]];
  const locked = free
    .slice(1)
    .map((line) => (line.label === 'Locked' ? { ...line, amount: 0 - line.amount } : line));
  return [...worth, ...locked];
}
