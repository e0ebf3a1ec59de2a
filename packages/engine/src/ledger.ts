/** The only place that moves money. Every move has two legs. */

import { add, type Micros, mulDivFloor, subtract, toMicros, ZERO } from '@venue/protocol';
import type { Side } from './command.ts';
import type { Account, Position, State } from './state.ts';

/** Moves cash from one account to another. Cash may go negative; the sum over all accounts never changes. */
export function transfer(from: Account, to: Account, amountMicros: Micros): void {
  from.cashMicros = subtract(from.cashMicros, amountMicros);
  to.cashMicros = add(to.cashMicros, amountMicros);
}

/** Brings paper capital into being: the one leg outside the venue is what was ever paid in. */
export function fund(state: State, account: Account, amountMicros: Micros): void {
  state.fundedMicros = add(state.fundedMicros, amountMicros);
  account.cashMicros = add(account.cashMicros, amountMicros);
}

export interface PositionFill {
  readonly side: Side;
  readonly qtyMicros: Micros;
  /** What the quantity cost or brought in all, fee aside. */
  readonly valueMicros: Micros;
}

/**
 * Books a fill into a position at average cost and returns the P&L that it realised, fee aside (NUM-7).
 *
 * A fill that flips the position splits its value: the closed part is rounded down, the rest is the cost of what it
 * opens. The last close takes whatever rounding is left in the cost.
 */
export function bookFill(account: Account, position: Position, fill: PositionFill): Micros {
  const held = Math.abs(position.qtyMicros);
  const closes = fill.side === 'buy' ? position.qtyMicros < 0 : position.qtyMicros > 0;
  const closedMicros = closes ? Math.min(held, fill.qtyMicros) : 0;
  const closedValue =
    closedMicros === fill.qtyMicros
      ? fill.valueMicros
      : mulDivFloor(fill.valueMicros, closedMicros, fill.qtyMicros);
  const closedCost =
    closedMicros === held
      ? closes
        ? position.costMicros
        : ZERO
      : mulDivFloor(position.costMicros, closedMicros, held);
  const realized = toMicros(fill.side === 'sell' ? closedValue - closedCost : closedCost - closedValue);

  const longBefore = Math.max(position.qtyMicros, 0);
  const wasShort = position.qtyMicros < 0;
  position.qtyMicros = toMicros(
    position.qtyMicros + (fill.side === 'buy' ? fill.qtyMicros : -fill.qtyMicros),
  );
  position.costMicros = toMicros(position.costMicros - closedCost + (fill.valueMicros - closedValue));
  const { series } = position;
  series.openInterestMicros = toMicros(
    series.openInterestMicros + Math.max(position.qtyMicros, 0) - longBefore,
  );
  account.shortCount += Number(position.qtyMicros < 0) - Number(wasShort);
  if (!closes) return ZERO;
  position.realizedMicros = add(position.realizedMicros, realized);
  account.realizedMicros = add(account.realizedMicros, realized);
  return realized;
}
