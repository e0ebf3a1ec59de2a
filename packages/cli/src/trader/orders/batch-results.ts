/** The rows of a batch's answer, one for each action, and what they say for the exit code. */

import type { ActionWire } from '@venue/protocol';
import type { ActionResult } from '@venue/sdk';
import { decimalText, EXACT_USD } from '../../terminal/numbers.ts';
import { type Column, type Page, table } from '../../terminal/table.ts';
import { actionText } from './action-text.ts';

interface Row {
  readonly number: number;
  readonly action: ActionWire;
  readonly result: ActionResult;
}

/** Requests and their results, side by side. */
export function resultsText(
  actions: readonly ActionWire[],
  results: readonly ActionResult[],
  page: Page,
): string[] {
  const rows = results.map((result, i) => ({ number: i + 1, action: actions[i]!, result }));
  return table(COLUMNS, rows, page);
}

const COLUMNS: readonly Column<Row>[] = [
  { title: '#', cell: ({ number }) => number, places: [0, 0], rank: 3 },
  { title: 'action', cell: ({ action }) => actionText(action), rank: 2, shortest: 24 },
  {
    title: 'outcome',
    cell: outcomeOf,
    rank: 0,
    style: ({ result }) => (isDeclined(result) ? 'red' : undefined),
  },
  { title: 'order', cell: ({ result }) => orderOf(result), places: [0, 0], rank: 0 },
  { title: 'filled', cell: (row) => filledOf(row)?.qty ?? null, places: [0, 6], rank: 1 },
  { title: 'at USD', cell: (row) => filledOf(row)?.price ?? null, rank: 4 },
  { title: 'rests', cell: ({ result }) => restOf(result), places: [0, 6], rank: 1 },
];

function outcomeOf({ action, result }: Row): string {
  switch (result.type) {
    case 'place':
    case 'amend':
    case 'combo':
      return !('reason' in result) || result.reason === undefined
        ? result.status
        : `${result.status}: ${result.reason}`;
    case 'cancel':
      return result.ok ? 'cancelled' : 'nothing to cancel';
    case 'cancel-all':
      return result.ok ? pulledText(result.pulled) : 'nothing to cancel';
    case 'guard':
      return action.type === 'guard' && action.ms === 0 ? 'removed' : 'set';
    default:
      return result.reason ?? 'done';
  }
}

/** After a lost answer it may be unknown how many there were. */
function pulledText(pulled: number | null): string {
  return pulled === null ? 'none rests any more' : `${pulled} cancelled`;
}

function orderOf(result: ActionResult): number | null {
  return 'orderId' in result && result.orderId > 0 ? result.orderId : null;
}

interface Filled {
  readonly qty: number;
  readonly price: number;
}

/** All that traded, at its average price; of a combo the units, at what one cost, negative where it brought in. */
function filledOf({ action, result }: Row): Filled | null {
  if (!('fills' in result)) return null;
  if (result.type !== 'combo') return averageOf(result.fills, sizeOf(result.fills));
  const [leg] = action.type === 'combo' ? action.legs : [];
  const first = result.fills.filter(({ seriesId }) => seriesId === leg?.seriesId);
  const signed = result.fills.map(({ side, price, qty }) => ({
    price: side === 'buy' ? price : -price,
    qty,
  }));
  return averageOf(signed, sizeOf(first) / (leg?.ratio ?? 1));
}

function averageOf(fills: readonly Filled[], qty: number): Filled | null {
  if (qty === 0) return null;
  const price = fills.reduce((sum, fill) => sum + fill.price * fill.qty, 0) / qty;
  return { qty, price: Number(decimalText(price, EXACT_USD)) };
}

function sizeOf(fills: readonly { readonly qty: number }[]): number {
  return fills.reduce((sum, { qty }) => sum + qty, 0);
}

function restOf(result: ActionResult): number | null {
  return 'restedQty' in result && result.restedQty ? result.restedQty : null;
}

/** True for an action that the venue declined; a cancel that found nothing is idle. */
export function isDeclined(result: ActionResult): boolean {
  return 'status' in result ? result.status === 'rejected' : !result.ok && !isIdle(result);
}

/** True for a cancel that found nothing. */
export function isIdle(result: ActionResult): boolean {
  return (result.type === 'cancel' || result.type === 'cancel-all') && !result.ok;
}
