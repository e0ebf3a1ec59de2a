/** A position, or a part of one, as a row: with the greeks of all its contracts. */

import type { Position } from '@venue/protocol';

/** Greeks of all contracts of a position, NaN where unknown; the volatility is that of one. */
export interface HeldGreeks {
  readonly delta: number;
  readonly gamma: number;
  readonly theta: number;
  readonly vega: number;
  readonly iv: number;
}

/** The greeks of one contract; null while they are unknown. */
export type EachGreeks = (seriesId: string) => HeldGreeks | null;

export interface PositionRow {
  /** A leg is shown under its strategy. */
  readonly kind: 'position' | 'leg';
  readonly key: string;
  /** A part of the position where the rest of it belongs to a strategy. */
  readonly position: Position;
  /** All that is held of the series. */
  readonly heldQty: number;
  readonly greeks: HeldGreeks;
}

export interface RowOptions extends Pick<PositionRow, 'key' | 'heldQty'> {
  readonly greeksOf: EachGreeks;
}

export function positionRow(position: Position, { greeksOf, ...of }: RowOptions): PositionRow {
  const each = greeksOf(position.seriesId);
  if (each === null) return { kind: 'position', ...of, position, greeks: UNKNOWN };
  const { qty } = position;
  const { delta, gamma, theta, vega, iv } = each;
  const greeks = { delta: qty * delta, gamma: qty * gamma, theta: qty * theta, vega: qty * vega, iv };
  return { kind: 'position', ...of, position, greeks };
}

const UNKNOWN: HeldGreeks = {
  delta: Number.NaN,
  gamma: Number.NaN,
  theta: Number.NaN,
  vega: Number.NaN,
  iv: Number.NaN,
};
