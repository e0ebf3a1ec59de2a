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
  /** What the venue owes that the vault has not set aside, in micros: `inFlight` is off, what is noted in vain is on. */
  readonly owed: bigint;
  /** What the vault holds and has not set aside, in micros. */
  readonly free: bigint;
  /** Committed on chain and not yet noted by the venue, in micros; never more than is pending, never below zero. */
  readonly inFlight: bigint;
  /** Committed on chain beyond all that the venue was ever asked for, in micros; above zero nothing holds. */
  readonly unasked: bigint;
  /** The inequality for people, a line a figure. */
  readonly lines: readonly string[];
}

/**
 * Checks `cashTotal + pendingWithdrawals - inFlight <= balance - totalCommitted`. A payout is pending at the venue until
 * its commitment is confirmed, and set aside in the vault from the commitment on; `inFlight` is what would count twice.
 * Only what is pending can count twice: a commitment beyond that was never asked for, and excuses nothing. What the
 * venue noted as committed and the chain does not have is owed still.
 */
export function checkReserves(venue: VenueFigures, vault: VaultFigures): ReserveCheck {
  const cash = microsOf(venue.cashTotalUsd);
  const pending = microsOf(venue.pendingWithdrawalsUsd);
  const notNoted = vault.totalCommitted + vault.totalClaimed - microsOf(venue.committedWithdrawalsUsd);
  const inFlight = clamped(notNoted, pending);
  const unasked = positive(notNoted - pending);
  const missingOnChain = positive(-notNoted);
  const owed = cash + pending - inFlight + missingOnChain;
  const free = vault.balance - vault.totalCommitted;
  const isCovered = owed <= free;
  const rows: Row[] = [
    ['cash of all accounts', cash],
    ['withdrawals pending at the exchange', pending],
    ['of these already committed on chain', inFlight],
    ...rowIf(missingOnChain, 'noted as committed and not on chain'),
    ['owed', owed],
    ['vault balance', vault.balance],
    ['of this committed and unclaimed', vault.totalCommitted],
    ['free in the vault', free],
    [isCovered ? 'surplus' : 'MISSING', isCovered ? free - owed : owed - free],
    ['uncollectible, for information', microsOf(venue.uncollectibleUsd)],
  ];
  const lines = [
    ...linesOf(rows, vault.blockNumber),
    inequality('cash + pending <= balance - committed', cash + pending, free),
    inequality('the same, without what counts twice', owed, free),
    ...(unasked > 0n ? [`FAIL ${unaskedText(unasked)}`] : []),
  ];
  return { holds: isCovered && unasked === 0n, owed, free, inFlight, unasked, lines };
}

/** Why the reserves hold or do not, in one line, for logs. */
export function reserveLine({ owed, free, inFlight, unasked }: ReserveCheck): string {
  if (unasked > 0n) return unaskedText(unasked);
  return `owed ${usdText(owed)} ${owed <= free ? '<=' : '>'} free ${usdText(free)} (committed, not yet noted: ${usdText(inFlight)})`;
}

function unaskedText(unasked: bigint): string {
  return `committed on chain and never asked for at the exchange: ${usdText(unasked)}`;
}

function inequality(name: string, owed: bigint, free: bigint): string {
  const verdict = owed <= free ? 'holds' : 'does not hold';
  return `${name}: ${usdText(owed)} <= ${usdText(free)} ${verdict}`;
}

function clamped(amount: bigint, max: bigint): bigint {
  return amount > max ? max : positive(amount);
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

type Row = readonly [name: string, amount: bigint];

function rowIf(amount: bigint, name: string): Row[] {
  return amount > 0n ? [[name, amount]] : [];
}

function linesOf(rows: readonly Row[], blockNumber: number): string[] {
  const texts = rows.map(([name, amount]) => [name, usdText(amount)] as const);
  const nameWidth = Math.max(...texts.map(([name]) => name.length));
  const amountWidth = Math.max(...texts.map(([, amount]) => amount.length));
  return [
    `reserves at block ${blockNumber}, in dollars`,
    ...texts.map(([name, amount]) => `${name.padEnd(nameWidth)}  ${amount.padStart(amountWidth)}`),
  ];
}
