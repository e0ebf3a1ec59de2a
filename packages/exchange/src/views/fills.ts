/** Fills as the history and the stream show them. */

import type { FillRecord } from '@venue/engine';
import { microsToDecimal, type StreamFill, type FillRecord as WireFill } from '@venue/protocol';

/** One row of the history (ACC-4). */
export function fillView(fill: FillRecord): WireFill {
  const { series, signer } = fill;
  return {
    id: fill.id,
    orderId: fill.orderId,
    seriesId: series.seriesId,
    symbol: series.instrument.symbol,
    side: fill.side,
    price: microsToDecimal(fill.priceMicros),
    qty: microsToDecimal(fill.qtyMicros),
    fee: microsToDecimal(fill.feeMicros),
    realized: microsToDecimal(fill.realizedMicros),
    taker: fill.taker,
    ts: fill.ts,
    kind: fill.kind,
    ...(signer !== undefined && { signer }),
  };
}

/** What a `fill` frame carries: exactly the fields of the contract. */
export function streamFillView(fill: FillRecord): StreamFill {
  const { series, side, taker, ts, signer } = fill;
  return {
    seriesId: series.seriesId,
    side,
    price: microsToDecimal(fill.priceMicros),
    qty: microsToDecimal(fill.qtyMicros),
    ts,
    taker,
    ...(signer !== undefined && { signer }),
  };
}
