/** The result of an action as clients see it (BAT-3, DET-2). */

import type { ActionResult, LegTrade, Trade } from '@venue/engine';
import {
  type ComboFill,
  type Declined,
  declined,
  microsToDecimal,
  type OrderFill,
  type RejectReason,
  type ActionResult as WireResult,
} from '@venue/protocol';

/** Why something was declined: for people, and for programs (ERR-1). */
export function reasonView(reason: RejectReason): { reason: RejectReason } & Declined;
export function reasonView(reason: RejectReason | undefined): Partial<{ reason: RejectReason } & Declined>;
export function reasonView(reason: RejectReason | undefined): object {
  return reason === undefined ? {} : { reason, ...declined(reason) };
}

export function actionResultView(result: ActionResult): WireResult {
  switch (result.type) {
    case 'place':
    case 'amend':
      return placeResultView(result);
    case 'combo':
      return comboResultView(result);
    case 'cancel':
    case 'cancel-all':
    case 'guard':
      return result;
    default: {
      const { type, ok, reason } = result;
      return { type, ok, ...reasonView(reason) };
    }
  }
}

function placeResultView(result: Extract<ActionResult, { readonly type: 'place' | 'amend' }>): WireResult {
  const { type, clientId } = result;
  const named = clientId !== undefined && { clientId };
  switch (result.status) {
    case 'rejected':
      return { type, status: result.status, orderId: 0, ...named, fills: [], ...reasonView(result.reason) };
    case 'duplicate':
      return { type, status: result.status, orderId: result.orderId, ...named, fills: [], restedQty: 0 };
    default: {
      const { orderId, trades, restedMicros, qtyMicros, reason } = result;
      return {
        type,
        status: result.status,
        orderId,
        ...named,
        fills: trades.map(fillView),
        restedQty: microsToDecimal(restedMicros),
        ...(qtyMicros !== undefined && { qty: microsToDecimal(qtyMicros) }),
        ...reasonView(reason),
      };
    }
  }
}

function comboResultView({
  type,
  clientId,
  ...result
}: Extract<ActionResult, { readonly type: 'combo' }>): WireResult {
  const { status } = result;
  const named = clientId !== undefined && { clientId };
  if (status === 'rejected')
    return { type, status, orderId: 0, ...named, fills: [], ...reasonView(result.reason) };
  const fills = status === 'duplicate' ? [] : result.trades.map(legFillView);
  return { type, status, orderId: result.orderId, ...named, fills, restedQty: 0 };
}

export function legFillView({ series, side, ...trade }: LegTrade): ComboFill {
  return { seriesId: series.seriesId, side, ...fillView(trade) };
}

function fillView({ priceMicros, qtyMicros }: Trade): OrderFill {
  return { price: microsToDecimal(priceMicros), qty: microsToDecimal(qtyMicros) };
}
