/**
 * The exchange's figures against the vault's events (CUS-20): whether each commitment was asked for, and each deposit
 * made. With the operators' lists every one is compared, without them their sums.
 */

import type { OperatorPayout, Reserves } from '@venue/protocol';
import { decimalToMicros, parseAddress } from '@venue/protocol';
import { microsOf, usdText } from '../chain/amounts.ts';
import type { VaultFigures } from '../events/vault.ts';
import type { Flows } from '../events/vault-flows.ts';
import type { Commitment } from '../events/vault-logs.ts';
import {
  balanceFault,
  balanceGapMicros,
  type DepositRow,
  depositDifferences,
  depositsText,
} from './reconcile.ts';

/** The exchange's lists, which only operators get. */
export interface OperatorLists {
  readonly payouts: readonly OperatorPayout[];
  readonly deposits: readonly DepositRow[];
}

export interface AuditParts {
  readonly venue: Reserves;
  readonly figures: VaultFigures;
  /** Deposits and sweeps up to the block of the figures. */
  readonly flows: Flows;
  /** The part of the deposits that any exchange has had the time to credit, and all of them. */
  readonly deposits: { readonly settled: readonly DepositRow[]; readonly all: readonly DepositRow[] };
  readonly commitments: readonly Commitment[];
  /** The sum of the commitments so old that the exchange has had the time to note them, in micros. */
  readonly oldCommittedMicros: bigint;
  /** Committed and not noted yet, in micros. */
  readonly inFlight: bigint;
  readonly lists: OperatorLists | null;
  readonly giftsMicros: number;
  readonly skip: ReadonlySet<string>;
}

/** For people: a line that begins with FAIL is a fault, one with NOT KNOWN a question that is left open. */
export function auditReserves(parts: AuditParts): string[] {
  return [...depositLines(parts), ...balanceLines(parts), ...commitmentLines(parts)];
}

function depositLines({ venue, flows, deposits, lists, skip }: AuditParts): string[] {
  const credited = microsOf(venue.depositedUsd);
  const sums = `deposits: ${usdText(flows.depositedMicros)} by the vault's events, ${usdText(credited)} by the ledger`;
  if (lists !== null) return [sums, ...listedDepositLines(lists, deposits, skip)];
  const settled = deposits.settled.reduce((sum, { amount }) => sum + amount, 0n);
  if (credited > flows.depositedMicros)
    return [sums, `FAIL credited and never deposited: ${usdText(credited - flows.depositedMicros)}`];
  if (credited < settled)
    return [sums, `FAIL deposited over an hour ago and not credited: ${usdText(settled - credited)}`];
  return [sums];
}

function listedDepositLines(
  lists: OperatorLists,
  deposits: AuditParts['deposits'],
  skip: ReadonlySet<string>,
): string[] {
  const { invented, missing } = depositDifferences(lists.deposits, deposits, skip);
  return [
    ...(invented.length > 0 ? [`FAIL credited and not on the chain: ${depositsText(invented)}`] : []),
    ...(missing.length > 0 ? [`FAIL on the chain and not credited: ${depositsText(missing)}`] : []),
  ];
}

/** A stranger cannot know which transfers were gifts, so more than is explained is a fault for operators only. */
function balanceLines({ figures, flows, lists, giftsMicros }: AuditParts): string[] {
  const gapMicros = balanceGapMicros(figures, flows);
  const fault = balanceFault(gapMicros, giftsMicros);
  const lines = gapMicros > 0n ? [`sent to the vault and not deposited: ${usdText(gapMicros)}`] : [];
  return fault === null || (gapMicros > 0n && lists === null) ? lines : [...lines, `FAIL ${fault}`];
}

function commitmentLines({ venue, commitments, oldCommittedMicros, inFlight, lists }: AuditParts): string[] {
  if (lists !== null) {
    const rows = new Map(lists.payouts.map((payout) => [BigInt(payout.payoutId), payout]));
    const faults = commitments.map((one) => commitmentFault(one, rows.get(one.payoutId)));
    const found = faults.filter((fault) => fault !== null);
    return [
      `commitments: ${commitments.length}, each compared with the exchange's list`,
      ...found.slice(0, SHOWN_MAX).map((fault) => `FAIL ${fault}`),
      ...(found.length > SHOWN_MAX ? [`FAIL and ${found.length - SHOWN_MAX} more`] : []),
    ];
  }
  const noted = microsOf(venue.committedWithdrawalsUsd) - microsOf(venue.paidBeforeUsd);
  const line = `commitments: ${commitments.length}, by their sum`;
  if (oldCommittedMicros > noted)
    return [line, `FAIL committed over an hour ago and not noted: ${usdText(oldCommittedMicros - noted)}`];
  if (inFlight === 0n) return [line];
  return [
    line,
    `NOT KNOWN whether ${usdText(inFlight)} that is committed and not noted yet was asked for: the operators' secret shows it`,
  ];
}

const SHOWN_MAX = 5;

function commitmentFault(
  { payoutId, account, amount, txHash }: Commitment,
  payout: OperatorPayout | undefined,
): string | null {
  const what = `${usdText(amount)} to ${account} in ${txHash}`;
  if (payout === undefined)
    return `committed under the number ${payoutId}, which the ledger never gave: ${what}`;
  if (payout.state === 'voided') return `committed under the number ${payoutId}, which is voided: ${what}`;
  const isSame =
    parseAddress(payout.address) === account && BigInt(decimalToMicros(payout.amountUsd) ?? -1) === amount;
  return isSame ? null : `payout ${payoutId} is for ${payout.address}, and committed was ${what}`;
}
