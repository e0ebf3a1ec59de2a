/** `venue volatility|equity`: what the venue samples by the hour. */

import type { EquityRow, VolatilityRow } from '@venue/protocol';
import { timesOf } from '../../connection/arguments.ts';
import { type CommonOptions, readingClient, signedIn } from '../../connection/connection.ts';
import { csv } from '../../terminal/csv.ts';
import { decimalText, type Places } from '../../terminal/numbers.ts';
import { show, write } from '../../terminal/output.ts';
import { progressCount } from '../../terminal/progress-count.ts';
import type { Column } from '../../terminal/table.ts';
import { utcSecond } from '../../terminal/times.ts';
import { listed, oneFormat } from './market-history.ts';

export interface HoursOptions extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
  readonly csv?: true;
}

const EXACT: Places = [0, 6];
const DAY_MS = 86_400_000;

/** Shows the volatility index now, and by the hour of the last day or since `--from`. */
export async function runVolatilityCommand(symbol: string, options: HoursOptions): Promise<void> {
  oneFormat(options);
  const { market } = readingClient(options);
  const span = timesOf(options);
  const { index, symbol: name } = await market.volatility(symbol, { from: Date.now() });
  const all = market.allVolatility(symbol, { from: Date.now() - DAY_MS, ...span });
  const rows = await Array.fromAsync(progressCount('volatility', 'rows', all));
  if (options.csv)
    write(
      hoursCsv(
        'index',
        rows.map(({ t, index: value }) => [t, value]),
      ),
    );
  else
    show(options, { symbol: name, index, rows }, (page) => [
      page.paint(
        `${name} ${index === null ? 'has no index now' : `at ${decimalText(index, [2, 2])} % now`}`,
        'bold',
      ),
      '',
      ...listed(VOLATILITY_COLUMNS, rows, page),
    ]);
}

/** Lists the account's equity, oldest first: the last that one answer holds, or with `--from` all since then. */
export async function runEquityCommand(options: HoursOptions): Promise<void> {
  oneFormat(options);
  const span = timesOf(options);
  const { account } = await signedIn(options);
  const { from } = span;
  const found: AsyncIterable<EquityRow> | EquityRow[] =
    from === undefined ? await account.equity(span) : account.allEquity({ ...span, from });
  const rows = await Array.fromAsync(progressCount('equity', 'rows', found));
  if (options.csv)
    write(
      hoursCsv(
        'equity',
        rows.map(({ t, equity }) => [t, equity]),
      ),
    );
  else show(options, rows, (page) => listed(EQUITY_COLUMNS, rows, page));
}

const VOLATILITY_COLUMNS: readonly Column<VolatilityRow>[] = [
  { title: 'hour (UTC)', cell: ({ t }) => utcSecond(t), rank: 0 },
  { title: 'index %', cell: ({ index }) => index, places: [2, 2], rank: 0 },
];

const EQUITY_COLUMNS: readonly Column<EquityRow>[] = [
  { title: 'hour (UTC)', cell: ({ t }) => utcSecond(t), rank: 0 },
  { title: 'equity USD', cell: ({ equity }) => equity, rank: 0 },
];

/** Samples as CSV: plain decimals, times as ISO 8601 in UTC and in unix ms. */
export function hoursCsv(name: string, rows: readonly (readonly [t: number, value: number])[]): string {
  return csv(
    ['time', 't', name],
    rows.map(([t, value]) => [new Date(t).toISOString(), String(t), decimalText(value, EXACT)]),
  );
}
