/** Cuts a position into parts whose quantities and profits add up to it, to the micro. */

import { MICROS_PER_UNIT, mulDivFloor, type Position } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';

export interface Cut {
  /** The size that earlier cuts have left of the position; negative for a short. */
  readonly fromMicros: number;
  /** The size of this part: where lots meet on opposite sides, larger than what is left, or of the other sign. */
  readonly qtyMicros: number;
}

/** The position itself where the part is all of it. Prices are those of a contract, so every part has the same. */
export function partOf(position: Position, { fromMicros, qtyMicros }: Cut): Position {
  const wholeMicros = microsOf(position.qty);
  if (qtyMicros === wholeMicros) return position;
  // Both ends of the part are rounded down, not the part: the next begins where this one ends.
  const share = (figure: number) => {
    if (Number.isNaN(figure)) return figure;
    const upTo = (leftMicros: number) => {
      const taken = (wholeMicros - leftMicros) * Math.sign(wholeMicros);
      return Math.sign(taken) * mulDivFloor(microsOf(figure), Math.abs(taken), Math.abs(wholeMicros));
    };
    return (upTo(fromMicros - qtyMicros) - upTo(fromMicros)) / MICROS_PER_UNIT;
  };
  return {
    ...position,
    qty: qtyMicros / MICROS_PER_UNIT,
    unrealized: share(position.unrealized),
    realized: share(position.realized),
  };
}
