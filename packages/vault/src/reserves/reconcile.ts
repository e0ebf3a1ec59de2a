/** Compares what the ledger was told of deposits with the vault's own events and its balance (CUS-14). */

import type { Address } from '@venue/protocol';
import { usdText } from '../chain/amounts.ts';
import { logKey } from '../chain/parse.ts';
import type { VaultFigures } from '../events/vault.ts';
import type { Flows } from '../events/vault-flows.ts';

/** One deposit, as the ledger or the chain has it; the amount is in micros. */
export interface DepositRow {
  readonly txHash: string;
  readonly logIndex: number;
  readonly address: Address;
  readonly amount: bigint;
}

export interface DepositDifferences {
  /** Credited, and not on the chain, or there with other content. */
  readonly invented: readonly DepositRow[];
  /** On the chain, and not credited. */
  readonly missing: readonly DepositRow[];
}

/**
 * Compares two lists of deposits, log by log. `settled` is what the ledger has to know, `all` what it may know; logs
 * named in `excused` were dealt with by hand.
 */
export function depositDifferences(
  ledger: readonly DepositRow[],
  chain: { readonly settled: readonly DepositRow[]; readonly all: readonly DepositRow[] },
  excused: ReadonlySet<string>,
): DepositDifferences {
  const onChain = new Set(chain.all.map(textOf));
  const credited = new Set(ledger.map(textOf));
  const isOpen = (row: DepositRow) => !excused.has(logKey(row));
  return {
    invented: ledger.filter((row) => isOpen(row) && !onChain.has(textOf(row))),
    missing: chain.settled.filter((row) => isOpen(row) && !credited.has(textOf(row))),
  };
}

/** The ledger's deposits of its present vault: those of earlier ones come first, and are no part of the sum. */
export function ofThisVault(rows: readonly DepositRow[], creditedMicros: bigint): DepositRow[] {
  let before = rows.reduce((sum, { amount }) => sum + amount, 0n) - creditedMicros;
  const first = rows.findIndex(({ amount }) => {
    if (before <= 0n) return true;
    before -= amount;
    return false;
  });
  return first < 0 ? [] : rows.slice(first);
}

function textOf(row: DepositRow): string {
  return `${logKey(row)} ${row.address} ${row.amount}`;
}

/** A list of deposits for people, cut off after some. */
export function depositsText(rows: readonly DepositRow[]): string {
  const shown = rows
    .slice(0, SHOWN_MAX)
    .map((row) => `${logKey(row)} (${usdText(row.amount)} of ${row.address})`);
  return [...shown, ...(rows.length > SHOWN_MAX ? [`and ${rows.length - SHOWN_MAX} more`] : [])].join(', ');
}

const SHOWN_MAX = 5;

/**
 * The vault's balance beyond what its events account for, in micros; below zero if it holds less. Tokens that were
 * sent to it and not deposited are the one honest reason for more.
 */
export function balanceGapMicros({ balance, totalClaimed }: VaultFigures, flows: Flows): bigint {
  return balance + totalClaimed + flows.sweptMicros - flows.depositedMicros;
}

/** Why the balance is not what the events account for, or null. `giftsMicros` came by plain transfers. */
export function balanceFault(gapMicros: bigint, giftsMicros: number): string | null {
  if (gapMicros < 0n) return `the vault holds ${usdText(-gapMicros)} less than its events account for`;
  const unexplained = gapMicros - BigInt(giftsMicros);
  if (unexplained <= 0n) return null;
  return (
    `the vault holds ${usdText(unexplained)} more than its deposits and VENUE_VAULT_GIFTS account for: a deposit that no ` +
    'event shows, or a plain transfer'
  );
}
