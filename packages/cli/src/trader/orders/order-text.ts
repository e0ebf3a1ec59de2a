/** Formats orders for people: the terms of one, its cost, and its outcome. */

import type { Account, ComboActionWire, OrderPreviewAnswer, PlaceActionWire } from '@venue/protocol';
import type { PlaceResult } from '@venue/sdk';
import { contracts, decimalText, EXACT_USD, usd } from '../../terminal/numbers.ts';
import { plain } from '../../terminal/plain.ts';
import { type Page, pairs } from '../../terminal/table.ts';
import { utcSecond } from '../../terminal/times.ts';

/** `buy 0.1 BTC-… at no more than 500.00 USD, ioc`. */
export function termsText(action: PlaceActionWire): string {
  const { side, qty, seriesId, price, clientId } = action;
  const limit = side === 'buy' ? 'no more' : 'no less';
  const at = price === undefined ? 'at the market' : `at ${limit} than ${usd(price)}`;
  const id = clientId === undefined ? [] : [`as ${clientId}`];
  return [`${side} ${contracts(qty)} ${seriesId} ${at}`, ...flagWords(action), ...id].join(', ');
}

/** `combo of 0.1: buy 1 BTC-…, sell 2 BTC-… at no more than 50.00 USD net, fok`. */
export function comboText({ legs, qty, net, tif, clientId }: ComboActionWire): string {
  const at = net === undefined ? 'at the market' : `at no more than ${usd(net)} net`;
  const terms = [...(tif === 'fok' ? [tif] : []), ...(clientId === undefined ? [] : [`as ${clientId}`])];
  return [`combo of ${contracts(qty)}: ${legsText(legs)} ${at}`, ...terms].join(', ');
}

/** `buy 1 BTC-…, sell 2 BTC-…`. */
export function legsText(legs: ComboActionWire['legs']): string {
  return legs.map(({ side, ratio, seriesId }) => `${side} ${ratio} ${seriesId}`).join(', ');
}

function flagWords({ price, tif, expiresAt, postOnly, reduceOnly, stp }: PlaceActionWire): string[] {
  const standard = price === undefined ? 'ioc' : 'gtc';
  return [
    ...(tif === undefined || tif === standard || tif === 'gtd' ? [] : [tif]),
    ...(expiresAt === undefined ? [] : [`until ${utcSecond(expiresAt)} UTC`]),
    ...(postOnly ? ['post-only'] : []),
    ...(reduceOnly ? ['reduce-only'] : []),
    ...(stp === undefined || stp === 'taker' ? [] : [`stp ${stp}`]),
  ];
}

/** The effect of an order. */
export function previewText(action: PlaceActionWire, preview: OrderPreviewAnswer, page: Page): string[] {
  const { status, reason, fills, restedQty, qty, cost, fee, before, after } = preview;
  const isBuy = action.side === 'buy';
  return pairs(
    [
      ['order', termsText(action)],
      ['would be', reason === undefined ? status : `${status}: ${plain(reason)}`],
      ['cut to', qty === undefined || qty === action.qty ? null : contracts(qty)],
      ['fills', fills.length === 0 ? 'none' : fillsText(fills)],
      ['rests', restedQty > 0 ? contracts(restedQty) : null],
      [isBuy ? 'premium paid' : 'premium received', usd(cost)],
      ['fee', usd(fee)],
      [isBuy ? 'cash out' : 'cash in', usd(isBuy ? cost + fee : cost - fee)],
      ['locked', change(before.locked, after.locked)],
      ['buying power', change(before.buyingPower, after.buyingPower)],
    ],
    page,
  );
}

function change(before: number, after: number): string {
  return before === after ? usd(before) : `${usd(before)} -> ${usd(after)}`;
}

export interface Asked {
  /** For people. */
  readonly words: string;
  readonly qty?: number;
}

/** The outcome of an order or of an amend, which was not rejected. */
export function resultText(
  { words, qty: asked }: Asked,
  result: PlaceResult,
  account: Account,
  page: Page,
): string[] {
  if (result.status === 'rejected') return [];
  const { status, orderId, fills, restedQty, qty, reason } = result;
  return pairs(
    [
      ['order', `${orderId}: ${words}`],
      ['status', reason === undefined ? statusText(result) : `${status}: ${plain(reason)}`],
      ['cut to', qty === undefined || qty === asked ? null : contracts(qty)],
      ['fills', fills.length === 0 ? 'none' : fillsText(fills)],
      ['rests', restedQty > 0 ? `${contracts(restedQty)}; "venue cancel ${orderId}" takes it back` : null],
      ['cash', usd(account.cash)],
      ['buying power', usd(account.buyingPower)],
    ],
    page,
  );
}

function statusText({ status, orderId }: PlaceResult): string {
  return status === 'duplicate'
    ? `duplicate: its client id is known, and nothing new was placed; "venue order ${orderId}" shows the first`
    : status;
}

/** `0.1 at 450.50, 0.2 at 451.00 USD`. */
export function fillsText(fills: readonly { readonly price: number; readonly qty: number }[]): string {
  const shown = fills
    .slice(0, 5)
    .map(({ price, qty }) => `${contracts(qty)} at ${decimalText(price, EXACT_USD)}`);
  const more = fills.length > shown.length ? `, and ${fills.length - shown.length} more` : '';
  return `${shown.join(', ')} USD${more}`;
}
