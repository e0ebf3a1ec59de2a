/** Fills as the history and the stream show them. */

import type { FillRecord } from '@venue/engine';
import { microsToDecimal, type StreamFill, toMicros, type FillRecord as WireFill } from '@venue/protocol';
import type { Movement } from '../history/reads.ts';

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

/** The same row for a fill that the history stores. */
export function storedFillView(fill: Movement): WireFill {
  return {
    id: fill.fillId!,
    orderId: fill.reference!,
    seriesId: fill.seriesId!,
    symbol: fill.symbol!,
    side: fill.side!,
    price: decimal(fill.price),
    qty: decimal(fill.qty),
    fee: decimal(fill.fee),
    realized: decimal(fill.realized),
    taker: fill.taker === 1,
    ts: fill.ts,
    kind: fill.kind as WireFill['kind'],
    ...(fill.text !== null && { signer: fill.text }),
  };
}

function decimal(micros: number | null): number {
  return microsToDecimal(toMicros(micros!));
}

/** The body of a `fill` frame: exactly the fields of the contract. */
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
