/** `venue operator exposure`: which accounts and expiries may cost most, and what waits for a second person (OPS-1). */

import type { ExposedAccount, ExposedExpiry, ExposureReport, JumpStop, OpenProposal } from '@venue/protocol';
import { environment } from '../base/config.ts';
import { type CommonOptions, publicClient } from '../connection/connection.ts';
import { operatorToken } from '../connection/operator-config.ts';
import { show } from '../terminal/output.ts';
import { type Column, type Page, table } from '../terminal/table.ts';
import { expiryText, utcSecond } from '../terminal/times.ts';

export async function runExposureCommand(options: CommonOptions): Promise<void> {
  const report = await publicClient(options).operator.exposure(operatorToken(environment()));
  show(options, report, (page) => exposureText(report, page));
}

/** Sums, not prices: less than a cent would only widen the columns. */
const CENTS = [2, 2] as const;

const ACCOUNT_COLUMNS: readonly Column<ExposedAccount>[] = [
  { title: 'account', cell: ({ address }) => address, rank: 0, shortest: 13 },
  { title: 'equity USD', cell: ({ equity }) => equity, rank: 0, places: CENTS },
  { title: 'maintenance USD', cell: ({ maintenance }) => maintenance, rank: 0, places: CENTS },
  { title: 'requirement USD', cell: ({ requirement }) => requirement, rank: 2, places: CENTS },
  { title: 'exposure USD', cell: ({ exposure }) => exposure, rank: 1, places: CENTS },
  {
    title: 'in call since (UTC)',
    cell: ({ calledSince }) => (calledSince === null ? null : utcSecond(calledSince)),
    rank: 1,
    style: ({ calledSince }) => (calledSince === null ? undefined : 'red'),
  },
  { title: 'positions', cell: ({ positions }) => positions, rank: 3, places: [0, 0] },
  { title: 'quote sets', cell: ({ quoteSets }) => quoteSets, rank: 4, places: [0, 0] },
];

const EXPIRY_COLUMNS: readonly Column<ExposedExpiry>[] = [
  { title: 'underlying', cell: ({ symbol }) => symbol, rank: 0 },
  { title: 'expiry', cell: ({ expiryTs }) => expiryText(expiryTs, Date.now()), rank: 0 },
  { title: 'open interest', cell: ({ openInterest }) => openInterest, rank: 0 },
  { title: 'gross USD', cell: ({ grossNotional }) => grossNotional, rank: 1, places: CENTS },
  { title: 'net USD', cell: ({ netNotional }) => netNotional, rank: 2, places: CENTS },
  { title: 'maker %', cell: ({ makerShare }) => makerShare * 100, rank: 3, places: [1, 1] },
  { title: 'house %', cell: ({ houseShare }) => houseShare * 100, rank: 3, places: [1, 1] },
  { title: 'worst USD', cell: ({ worst }) => worst.amount, rank: 0, places: CENTS },
  { title: 'at USD', cell: ({ worst }) => worst.at, rank: 1 },
  { title: 'uncovered calls', cell: ({ uncoveredCalls }) => uncoveredCalls, rank: 2 },
];

const PROPOSAL_COLUMNS: readonly Column<OpenProposal>[] = [
  { title: 'proposal', cell: ({ id }) => id, rank: 0, places: [0, 0] },
  { title: 'by', cell: ({ secret, by }) => by ?? `secret ${secret}`, rank: 0 },
  {
    title: 'settles',
    cell: ({ seriesId, symbol, expiryTs }) => seriesId ?? `${symbol} ${expiryTs}`,
    rank: 0,
  },
  { title: 'until (UTC)', cell: ({ expiresAt }) => utcSecond(expiresAt), rank: 0 },
];

const STOP_COLUMNS: readonly Column<JumpStop>[] = [
  { title: 'underlying', cell: ({ symbol }) => symbol, rank: 0 },
  { title: 'spot USD', cell: ({ spot }) => spot, rank: 0 },
  { title: 'median USD', cell: ({ median }) => median, rank: 0 },
  { title: 'since (UTC)', cell: ({ since }) => utcSecond(since), rank: 1 },
  { title: 'until (UTC)', cell: ({ until }) => utcSecond(until), rank: 0, style: () => 'red' },
];

/** Lines of the report, a table for each of its lists. */
export function exposureText(report: ExposureReport, page: Page): string[] {
  const { calledCount, called, heldCount, largest, expiries, stops, proposals } = report;
  return [
    ...(stops.length > 0
      ? part(`liquidation stopped by a jump: ${stops.length}`, STOP_COLUMNS, stops, page)
      : []),
    ...part(`in margin call: ${calledCount}`, ACCOUNT_COLUMNS, called, page),
    ...part(`accounts with positions: ${heldCount}`, ACCOUNT_COLUMNS, largest, page),
    ...part(`expiries with open interest: ${expiries.length}`, EXPIRY_COLUMNS, expiries, page),
    ...part(
      `settlements that wait for a second person: ${proposals.length}`,
      PROPOSAL_COLUMNS,
      proposals,
      page,
    ),
  ];
}

function part<Row>(
  title: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  page: Page,
): string[] {
  const head = page.paint(title, 'bold');
  return rows.length === 0 ? [head, ''] : [head, ...table(columns, rows, page), ''];
}
