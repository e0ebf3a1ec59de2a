/** Whether the vault covers what the venue owes (RES-1), with the numbers. */

import type { Reserves } from '@venue/protocol';
import { microsOf, usdText } from './amounts.ts';
import type { VaultFigures } from './chain/vault.ts';

/** The venue's side of the inequality. */
export type VenueFigures = Pick<
  Reserves,
  'cashTotalUsd' | 'pendingWithdrawalsUsd' | 'committedWithdrawalsUsd' | 'uncollectibleUsd'
>;

export interface ReserveCheck {
  readonly holds: boolean;
  /** What the venue owes that the vault has not set aside, in micros. */
  readonly owed: bigint;
  /** What the vault holds and has not set aside, in micros. */
  readonly free: bigint;
  /** Committed on chain and not yet noted by the venue, in micros; below zero if the venue noted what is not there. */
  readonly inFlight: bigint;
  /** The inequality for people, a line a figure. */
  readonly lines: readonly string[];
}

/**
 * Checks `cashTotal + pendingWithdrawals - inFlight <= balance - totalCommitted`. A payout is pending at the venue until
 * its commitment is confirmed, and set aside in the vault from the commitment on; `inFlight` is what would count twice.
 */
export function checkReserves(venue: VenueFigures, vault: VaultFigures): ReserveCheck {
  const cash = microsOf(venue.cashTotalUsd);
  const pending = microsOf(venue.pendingWithdrawalsUsd);
  const inFlight = vault.totalCommitted + vault.totalClaimed - microsOf(venue.committedWithdrawalsUsd);
  const owed = cash + pending - inFlight;
  const free = vault.balance - vault.totalCommitted;
  const holds = owed <= free;
  const rows: [string, bigint][] = [
    ['cash of all accounts', cash],
    ['withdrawals pending at the exchange', pending],
    ['of these already committed on chain', inFlight],
    ['owed', owed],
    ['vault balance', vault.balance],
    ['of this committed and unclaimed', vault.totalCommitted],
    ['free in the vault', free],
    [holds ? 'surplus' : 'MISSING', holds ? free - owed : owed - free],
    ['uncollectible, for information', microsOf(venue.uncollectibleUsd)],
  ];
  return { holds, owed, free, inFlight, lines: linesOf(rows, vault.blockNumber) };
}

/** The inequality in one line, for logs. */
export function reserveLine({ holds, owed, free, inFlight }: ReserveCheck): string {
  return `owed ${usdText(owed)} ${holds ? '<=' : '>'} free ${usdText(free)} (committed, not yet noted: ${usdText(inFlight)})`;
}

function linesOf(rows: readonly (readonly [string, bigint])[], blockNumber: number): string[] {
  const texts = rows.map(([name, amount]) => [name, usdText(amount)] as const);
  const nameWidth = Math.max(...texts.map(([name]) => name.length));
  const amountWidth = Math.max(...texts.map(([, amount]) => amount.length));
  return [
    `reserves at block ${blockNumber}, in dollars`,
    ...texts.map(([name, amount]) => `${name.padEnd(nameWidth)}  ${amount.padStart(amountWidth)}`),
  ];
}
