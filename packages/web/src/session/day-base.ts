/** The account's result today: its equity now, less that of the day's beginning and what was paid in since. */

import type { Account } from '@venue/protocol';

const DAY_MS = 86_400_000;

/** The base of a day's result, in dollars. */
export interface DayBase {
  /** When it was so, in unix ms. */
  readonly sinceMs: number;
  readonly equity: number;
  /** Paid in since, less what was paid out. */
  readonly paidIn: number;
}

/** 00:00 UTC of a day. */
export function dayStartMs(nowMs: number): number {
  return nowMs - (nowMs % DAY_MS);
}

interface Day {
  readonly account: Pick<Account, 'equity'> | null;
  readonly dayBase: DayBase | null;
}

/** In dollars, fees included; null while it is unknown. */
export function dayResult({ account, dayBase: base }: Day): number | null {
  return account === null || base === null ? null : account.equity - base.equity - base.paidIn;
}

/**
 * @param timeOf an instant (unix ms) in the reader's time
 * @example sinceWords(base, momentLabel) // 'since 00:00 UTC'
 */
export function sinceWords({ sinceMs }: DayBase, timeOf: (ms: number) => string): string {
  return `since ${sinceMs === dayStartMs(sinceMs) ? '00:00 UTC' : timeOf(sinceMs)}`;
}
