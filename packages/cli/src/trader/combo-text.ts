/** Formats combos for people: what one costs, what it can lose, and what became of it. */

import type { Account, ComboActionWire, ComboFill, ComboPreviewAnswer } from '@venue/protocol';
import type { ComboResult } from '@venue/sdk';
import { type Outcome, outcomeOf } from '@venue/sdk/spreads';
import { contracts, decimalText, EXACT_USD, usd } from '../terminal/numbers.ts';
import { plain } from '../terminal/plain.ts';
import { type Page, pairs } from '../terminal/table.ts';
import { comboText } from './order-text.ts';

/** What traded legs can come to at expiry, after what was paid for them. */
export function outcomeOfFills(
  fills: readonly ComboFill[],
  { cost, fee }: { readonly cost: number; readonly fee: number },
): Outcome {
  const lines = fills.map(({ seriesId, side, qty }) => ({ seriesId, qty: side === 'buy' ? qty : 0 - qty }));
  return outcomeOf(lines, decimalText(cost + fee, [0, 6]));
}

/** The effect of a combo. */
export function comboPreviewText(
  action: ComboActionWire,
  preview: ComboPreviewAnswer,
  { title, page }: { readonly title: string; readonly page: Page },
): string[] {
  const { status, reason, fills, filledQty, cost, fee, before, after } = preview;
  const cash = cost + fee;
  return pairs(
    [
      [title, comboText(action)],
      ['would be', reason === undefined ? status : `${status}: ${plain(reason)}`],
      ['units', filledQty === action.qty ? null : `${contracts(filledQty)} of ${contracts(action.qty)}`],
      ['fills', fills.length === 0 ? 'none' : legFillsText(fills)],
      [cost < 0 ? 'premium received' : 'premium paid', usd(Math.abs(cost))],
      ['fee', usd(fee)],
      [cash < 0 ? 'cash in' : 'cash out', usd(Math.abs(cash))],
      ['locked', change(before.locked, after.locked)],
      ['buying power', change(before.buyingPower, after.buyingPower)],
      ['at expiry', fills.length === 0 ? null : lossText(outcomeOfFills(fills, { cost, fee }), fills)],
    ],
    page,
  );
}

/**
 * What it can lose, in a sentence: by itself, whatever else the account holds.
 *
 * @example `it can lose at most 473.00 USD and gain at most 527.00 USD; it breaks even at 92473`
 */
export function lossText(
  { greatestLoss, greatestGain, breakEvens }: Outcome,
  fills: readonly ComboFill[],
): string {
  const loss =
    greatestLoss === null
      ? 'what it can lose has no bound'
      : greatestLoss <= 0
        ? 'it cannot lose'
        : `it can lose at most ${usd(greatestLoss)}`;
  const gain =
    greatestGain === null
      ? 'what it can gain has no bound'
      : greatestGain <= 0
        ? 'it cannot gain'
        : `it can gain at most ${usd(greatestGain)}`;
  const expiries = new Set(fills.map(({ seriesId }) => seriesId.split('-')[1]));
  const even = breakEvens.map((price) => decimalText(price, [0, 6])).join(' and ');
  return [
    `${loss}, ${gain}`,
    ...(even === '' ? [] : [`it breaks even at ${even}`]),
    ...(expiries.size > 1 ? ['its expiries settle at prices of their own'] : []),
  ].join('; ');
}

/** The outcome of a combo that was not rejected. */
export function comboResultText(
  words: string,
  result: ComboResult,
  { account, page }: { readonly account: Account; readonly page: Page },
): string[] {
  if (result.status === 'rejected') return [];
  const { status, orderId, fills } = result;
  return pairs(
    [
      ['order', `${orderId}: ${words}`],
      [
        'status',
        status === 'duplicate' ? `duplicate: its client id is known, and nothing new was placed` : status,
      ],
      ['fills', fills.length === 0 ? 'none' : legFillsText(fills)],
      ['cash', usd(account.cash)],
      ['buying power', usd(account.buyingPower)],
    ],
    page,
  );
}

/** `buy 0.1 BTC-… at 450.50, sell 0.1 BTC-… at 220.00 USD`. */
function legFillsText(fills: readonly ComboFill[]): string {
  const shown = fills
    .slice(0, SHOWN_MAX)
    .map(
      ({ seriesId, side, price, qty }) =>
        `${side} ${contracts(qty)} ${seriesId} at ${decimalText(price, EXACT_USD)}`,
    );
  const more = fills.length > shown.length ? `, and ${fills.length - shown.length} more` : '';
  return `${shown.join(', ')} USD${more}`;
}

const SHOWN_MAX = 8;

function change(before: number, after: number): string {
  return before === after ? usd(before) : `${usd(before)} -> ${usd(after)}`;
}
