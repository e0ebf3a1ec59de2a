/**
 * Builds the envelope of each signed write from the values that the command will carry, so that a signature cannot be
 * spent on anything else. A value that no envelope can hold refuses the request, because no signature can cover it
 * (FINE-8).
 */

import {
  type CancelOrderRequest,
  type CancelRequest,
  cancelEnvelope,
  cancelOrderEnvelope,
  decimalToMicros,
  type EnvelopeFields,
  type ErrorName,
  type Hex,
  type MarginRequest,
  type Micros,
  malformed,
  marginEnvelope,
  type OrderRequest,
  orderEnvelope,
  upperSymbol,
  type WithdrawRequest,
  withdrawEnvelope,
} from '@venue/protocol';
import { HttpError, refuse } from './errors.ts';

export type EnvelopeText = (fields: EnvelopeFields) => string;

export function orderText({ seriesId, side, qty, price }: OrderRequest): EnvelopeText {
  return (fields) =>
    orderEnvelope({
      ...fields,
      seriesId,
      side,
      qtyMicros: exactMicros(qty, 'badQty'),
      priceMicros: price === undefined ? 'market' : exactMicros(price, 'badPrice'),
    });
}

export function cancelText(body: CancelRequest): EnvelopeText {
  return (fields) => cancelEnvelope({ ...fields, symbols: symbolsOf(body) ?? 'all' });
}

export function cancelOrderText({ orderId }: CancelOrderRequest): EnvelopeText {
  return (fields) => cancelOrderEnvelope({ ...fields, orderId: exactInteger('orderId', orderId) });
}

export function marginText({ enabled }: MarginRequest): EnvelopeText {
  return (fields) => marginEnvelope({ ...fields, enabled });
}

export function withdrawText({ amountUsd }: WithdrawRequest): EnvelopeText {
  return (fields) =>
    withdrawEnvelope({ ...fields, amountMicros: exactMicros(amountUsd, 'amountNotPositive') });
}

/** The symbols that a cancel names, in upper case, or null for all; both fields together are malformed (ORD-9). */
export function symbolsOf({ symbol, symbols }: CancelRequest): string[] | null {
  if (symbol !== undefined && symbols !== undefined) refuse('symbolAndSymbols');
  const named = symbols ?? (symbol === undefined ? null : [symbol]);
  if (named === null) return null;
  if (named.includes('')) throw new HttpError(malformed(symbols === undefined ? 'symbol' : 'symbols'));
  const upper = named.map(upperSymbol);
  if (upper.includes('ALL')) refuse('symbolReserved');
  if (upper.some((name) => name.includes(','))) refuse('symbolComma');
  return upper;
}

/** An integer in the exact range; a schema's integer may lie outside it. */
export function exactInteger(field: string, value: number): number {
  if (!Number.isSafeInteger(value)) throw new HttpError(malformed(field));
  return value;
}

/** Hashes and signatures are compared as text, so each needs one spelling. */
export function lowerHex(hex: string): Hex {
  return hex.toLowerCase() as Hex;
}

function exactMicros(decimal: number, fault: ErrorName): Micros {
  return decimalToMicros(decimal) ?? refuse(fault);
}
