/** Bodies of the writes that a session key signs. Sends nothing. */

import {
  type CancelOrderRequest,
  type CancelRequest,
  cancelEnvelope,
  cancelOrderEnvelope,
  type MarginRequest,
  marginEnvelope,
  type OrderRequest,
  orderEnvelope,
  type WithdrawRequest,
  withdrawEnvelope,
} from '@venue/protocol';
import { signPersonal } from '@venue/protocol/signing';
import { exactMicros } from '../net/checks.ts';
import type { Session } from './wallet.ts';

export interface OrderTerms {
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  /** Contracts, a decimal exact in micros. */
  readonly qty: number;
  /** Limit price in US dollars per contract, a decimal exact in micros; a market order has none. */
  readonly price?: number;
}

/**
 * The body of a signed order. The nonce is in unix milliseconds. Throws `TypeError` for an amount that is not a
 * number and `RangeError` for one that is not exact in micros (NUM-2).
 *
 * @example signOrder(session, { seriesId, side: 'buy', qty: 1.5, price: 12.25 }, Date.now()).nonce
 */
export function signOrder(session: Session, terms: OrderTerms, nonce: number): OrderRequest {
  const { seriesId, side, qty, price } = terms;
  const qtyMicros = exactMicros('qty', qty);
  const priceMicros = price === undefined ? 'market' : exactMicros('price', price);
  const { account } = session;
  const text = orderEnvelope({ account, seriesId, side, qtyMicros, priceMicros, nonce });
  return { ...terms, ...signature(session, text, nonce) };
}

/**
 * The body of a signed cancel; without symbols it covers every symbol.
 *
 * @example signCancel(session, { symbols: ['BTC'] }, Date.now()).symbols // ['BTC']
 */
export function signCancel(session: Session, scope: { symbols?: string[] }, nonce: number): CancelRequest {
  const text = cancelEnvelope({ account: session.account, symbols: scope.symbols ?? 'all', nonce });
  return { ...scope, ...signature(session, text, nonce) };
}

/**
 * The body of a signed cancel of one order (ORD-12).
 *
 * @example signCancelOrder(session, { orderId: 7 }, Date.now()).orderId // 7
 */
export function signCancelOrder(
  session: Session,
  { orderId }: { orderId: number },
  nonce: number,
): CancelOrderRequest {
  const text = cancelOrderEnvelope({ account: session.account, orderId, nonce });
  return { orderId, ...signature(session, text, nonce) };
}

/**
 * The body of a signed switch of margin (ACC-3).
 *
 * @example signMargin(session, { enabled: true }, Date.now()).enabled // true
 */
export function signMargin(
  session: Session,
  { enabled }: { enabled: boolean },
  nonce: number,
): MarginRequest {
  const text = marginEnvelope({ account: session.account, enabled, nonce });
  return { enabled, ...signature(session, text, nonce) };
}

/**
 * The body of a signed withdrawal, in US dollars (SIG-3). Throws `RangeError` for an amount that is not exact in micros.
 *
 * @example signWithdraw(session, { amountUsd: 250.5 }, Date.now()).amountUsd // 250.5
 */
export function signWithdraw(
  session: Session,
  { amountUsd }: { amountUsd: number },
  nonce: number,
): WithdrawRequest {
  const amountMicros = exactMicros('amountUsd', amountUsd);
  const text = withdrawEnvelope({ account: session.account, amountMicros, nonce });
  return { amountUsd, ...signature(session, text, nonce) };
}

/** The signing fields of a body. */
export function signature(
  { privateKey, sessionKey }: Session,
  text: string,
  nonce: number,
): Pick<Required<OrderRequest>, 'sessionKey' | 'nonce' | 'signature'> {
  return { sessionKey, nonce, signature: signPersonal(text, privateKey) };
}
