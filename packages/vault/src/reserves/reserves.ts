/** Checks whether the vault covers the venue's debts (RES-1), with the figures. */

import type { Reserves } from '@venue/protocol';
import { microsOf, usdText } from '../chain/amounts.ts';
import type { VaultFigures } from '../events/vault.ts';

/** The venue's side of the inequality. */
export type VenueFigures = Pick<
  Reserves,
  | 'cashTotalUsd'
  | 'pendingWithdrawalsUsd'
  | 'committedWithdrawalsUsd'
  | 'paidBeforeUsd'
  | 'uncollectibleUsd'
  | 'openLiabilityUsd'
>;

export interface ReserveCheck {
  readonly holds: boolean;
  /**
   * The venue's debts not set aside in the vault, in micros: without `inFlight`, plus payouts recorded but not on
   * chain.
   */
  readonly owed: bigint;
  /** The vault's balance that is not set aside, in micros. */
  readonly free: bigint;
  /** Committed on chain and not yet recorded by the venue, in micros; never more than is pending, never below zero. */
  readonly inFlight: bigint;
  /** Committed on chain beyond everything the venue was ever asked for, in micros; above zero the check fails. */
  readonly unasked: bigint;
  /**
   * The shortfall of the surplus against the debts of house and maker on open positions, in micros: at settlement they
   * become cash of traders, and have to be in the vault by then.
   */
  readonly missingAtSettlement: bigint;
  /** The inequality for people, one line per figure. */
  readonly lines: readonly string[];
}

/**
 * Checks `cashTotal + pendingWithdrawals - inFlight <= balance - totalCommitted`. A payout is pending at the venue
 * until its commitment is confirmed, and set aside in the vault from the commitment on; `inFlight` is the amount
 * counted twice. Only pending payouts can count twice: commitments beyond them were never requested, and excuse
 * nothing. Payouts that the venue recorded as committed but the chain lacks are still owed.
 */
export function checkReserves(venue: VenueFigures, vault: VaultFigures): ReserveCheck {
  const cash = microsOf(venue.cashTotalUsd);
  const pending = microsOf(venue.pendingWithdrawalsUsd);
  const notedHere = microsOf(venue.committedWithdrawalsUsd) - microsOf(venue.paidBeforeUsd);
  const notNoted = vault.totalCommitted + vault.totalClaimed - notedHere;
  const inFlight = clamped(notNoted, pending);
  const unasked = positive(notNoted - pending);
  const missingOnChain = positive(-notNoted);
  const owed = cash + pending - inFlight + missingOnChain;
  const free = vault.balance - vault.totalCommitted;
  const isCovered = owed <= free;
  const liability = microsOf(venue.openLiabilityUsd);
  const missingAtSettlement = positive(liability - positive(free - owed));
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
    ['open liability of house and maker', liability],
    ['uncollectible, for information', microsOf(venue.uncollectibleUsd)],
  ];
  const lines = [
    ...linesOf(rows, vault.blockNumber),
    inequality('cash + pending <= balance - committed', cash + pending, free),
    inequality('the same, without what counts twice', owed, free),
    ...(missingAtSettlement > 0n
      ? [`FAIL missing at settlement, if prices stay: ${usdText(missingAtSettlement)}`]
      : []),
    ...(unasked > 0n ? [`FAIL ${unaskedText(unasked)}`] : []),
  ];
  const holds = isCovered && unasked === 0n;
  return { holds, owed, free, inFlight, unasked, missingAtSettlement, lines };
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
