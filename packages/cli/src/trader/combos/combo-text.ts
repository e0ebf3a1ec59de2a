/** Formats combos for people: what one costs, what it can lose, and what became of it. */

import {
  type Account,
  type ComboActionWire,
  type ComboFill,
  parseSeriesId,
  underlyingOf,
} from '@venue/protocol';
import type { ComboResult } from '@venue/sdk';
import type { Outcome } from '@venue/sdk/spreads';
import { contracts, decimalText, EXACT_USD, usd } from '../../terminal/numbers.ts';
import { plain } from '../../terminal/plain.ts';
import { type Page, pairs } from '../../terminal/table.ts';
import { comboText } from '../orders/order-text.ts';
import type { ComboEffect, Contracts, Foreseen } from './combo-effect.ts';

/** The effect of a combo. */
export function comboPreviewText(
  action: ComboActionWire,
  foreseen: Foreseen,
  { title, page }: { readonly title: string; readonly page: Page },
): string[] {
  const { status, reason, fills, filledQty, cost, fee, before, after } = foreseen.preview;
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
      ['at expiry', expiryText(foreseen, action)],
    ],
    page,
  );
}

/** Null if nothing would trade. */
function expiryText({ effect, isEstimate }: Foreseen, { legs }: ComboActionWire): string | null {
  if (effect === null) return null;
  const estimate = isEstimate ? 'at the best prices now and without fees, ' : '';
  return `${estimate}${effectText(effect, underlyingOf(legs[0]!.seriesId))}`;
}

/**
 * Names the positions that it closes, says the loss and gain at expiry of those that it opens, and warns if the rest of the
 * account then lacks a bound.
 *
 * @example `it can lose at most 473.00 USD, it can gain at most 527.00 USD; it breaks even at 92473`
 * @example `it closes 1 BTC-…, and opens nothing`
 */
export function effectText({ closes, opens, outcome, isBoundLost }: ComboEffect, symbol: string): string {
  const closed = closes.map(({ seriesId, qty }) => `${contracts(Math.abs(qty))} ${seriesId}`).join(' and ');
  const subject = closes.length === 0 ? 'it' : 'what it opens';
  return [
    ...(outcome === null
      ? [`it closes ${closed}, and opens nothing`]
      : [...(closed === '' ? [] : [`it closes ${closed}`]), ...outcomeTexts(subject, outcome, opens)]),
    ...(isBoundLost && outcome?.greatestLoss !== null
      ? [`without what it closes, your other positions in ${symbol} can lose without limit`]
      : []),
  ].join('; ');
}

function outcomeTexts(
  subject: string,
  { greatestLoss, greatestGain, breakEvens }: Outcome,
  opens: readonly Contracts[],
): string[] {
  const loss = amountText(`${subject} can`, 'lose', greatestLoss);
  const gain = amountText('it can', 'gain', greatestGain);
  const expiries = new Set(opens.map(({ seriesId }) => parseSeriesId(seriesId)?.expiryTs));
  const even = breakEvens.map((price) => decimalText(price, [0, 6])).join(' and ');
  return [
    `${loss}, ${gain}`,
    ...(even === '' ? [] : [`it breaks even at ${even}`]),
    ...(expiries.size > 1 ? ['its expiries settle at prices of their own'] : []),
  ];
}

/** `it can lose at most 473.00 USD`, `it cannot lose`. */
function amountText(subject: string, verb: string, most: number | null): string {
  if (most === null) return `${subject} ${verb} without limit`;
  return most <= 0 ? `${subject}not ${verb}` : `${subject} ${verb} at most ${usd(most)}`;
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
