/** `venue account|positions`: the account's cash, positions and, as they change, resting orders. */

import type { Account, OpenOrder, Position } from '@venue/protocol';
import { type CommonOptions, signedIn } from '../../connection/connection.ts';
import { decimalText, ROUGH_USD, usd } from '../../terminal/numbers.ts';
import { show } from '../../terminal/output.ts';
import { gainStyle, sideStyle } from '../../terminal/style.ts';
import { type Column, type Page, pairs, table } from '../../terminal/table.ts';
import { timeLeft, utcSecond } from '../../terminal/times.ts';

/** Shows cash, equity, margin. */
export async function runAccountCommand(options: CommonOptions): Promise<void> {
  const account = await (await signedIn(options)).account.me();
  show(options, account, (page) => accountText(account, page));
}

/** The account in a few lines. */
export function accountText(account: Account, page: Page): string[] {
  const rough = (value: number) => `${decimalText(value, ROUGH_USD)} USD`;
  const gain = (value: number) => page.paint(rough(value), gainStyle(value));
  const call = account.marginCall
    ? page.paint(' MARGIN CALL: only buying back shorts is possible', 'red')
    : '';
  return pairs(
    [
      ['address', account.address],
      ['cash', usd(account.cash)],
      ['equity', rough(account.equity)],
      ['buying power', usd(account.buyingPower)],
      ['locked', usd(account.locked)],
      ['realized P&L', gain(account.realizedPnl)],
      ['unrealized P&L', gain(account.unrealizedPnl)],
      ['margin', account.marginEnabled ? 'on' : 'off'],
      ['maintenance margin', `${rough(account.maintenanceMargin)}${call}`],
      ['orders', String(account.openOrderCount)],
      ['guard', guardText(account.guardAt ?? null)],
      ['positions', String(account.positions.length)],
      ['held', account.held === undefined ? null : `${usd(account.held)}, until an operator releases it`],
    ],
    page,
  );
}

function guardText(guardAt: number | null): string | null {
  if (guardAt === null) return null;
  return `all orders leave at ${utcSecond(guardAt)} UTC, in ${timeLeft(guardAt - Date.now())}`;
}

/** Lists the account's positions. */
export async function runPositionsCommand(options: CommonOptions): Promise<void> {
  const { positions } = await (await signedIn(options)).account.me();
  show(options, positions, (page) => positionsText(positions, page));
}

/** Positions as a table. */
export function positionsText(positions: readonly Position[], page: Page): string[] {
  if (positions.length === 0) return ['no positions'];
  const nowMs = Date.now();
  const columns: Column<Position>[] = [
    { title: 'series', cell: ({ seriesId }) => seriesId, rank: 0 },
    { title: 'qty', cell: ({ qty }) => qty, places: [0, 6], rank: 0, style: ({ qty }) => gainStyle(qty) },
    { title: 'average USD', cell: ({ avgPrice }) => avgPrice, places: [2, 4], rank: 3 },
    { title: 'mark USD', cell: ({ mark }) => mark, places: [2, 4], rank: 2 },
    {
      title: 'unrealized USD',
      cell: ({ unrealized }) => unrealized,
      places: ROUGH_USD,
      rank: 1,
      style: ({ unrealized }) => gainStyle(unrealized),
    },
    { title: 'realized USD', cell: ({ realized }) => realized, places: ROUGH_USD, rank: 4 },
    { title: 'left', cell: ({ expiryTs }) => timeLeft(expiryTs * 1_000 - nowMs), rank: 5 },
  ];
  return table(columns, positions, page);
}

/** Resting orders as a table. */
export function ordersText(
  orders: readonly (Pick<OpenOrder, 'id' | 'seriesId' | 'side' | 'price' | 'remaining'> &
    Partial<OpenOrder>)[],
  page: Page,
): string[] {
  if (orders.length === 0) return ['no orders rest'];
  const columns: Column<(typeof orders)[number]>[] = [
    { title: 'id', cell: ({ id }) => id, places: [0, 0], rank: 0 },
    { title: 'series', cell: ({ seriesId }) => seriesId, rank: 0 },
    { title: 'side', cell: ({ side }) => side, rank: 0, style: ({ side }) => sideStyle(side) },
    { title: 'price USD', cell: ({ price }) => price, rank: 1 },
    { title: 'left', cell: ({ remaining }) => remaining, places: [0, 6], rank: 1 },
  ];
  const sizes: Column<(typeof orders)[number]>[] = [
    { title: 'of', cell: ({ qty }) => qty ?? null, places: [0, 6], rank: 2 },
    { title: 'since (UTC)', cell: ({ ts }) => (ts === undefined ? null : utcSecond(ts)), rank: 3 },
  ];
  return table(orders[0]?.ts === undefined ? columns : [...columns, ...sizes], orders, page);
}
