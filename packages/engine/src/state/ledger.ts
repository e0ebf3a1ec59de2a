/** Cash and holdings change here and nowhere else; what one account pays, another receives. */

import { add, clampMicros, type Micros, mulDivFloor, subtract, toMicros, ZERO } from '@venue/protocol';
import type { Account } from './account.ts';
import type { Position } from './positions.ts';
import type { Side } from './series.ts';
import type { State } from './state.ts';

/** Pays an amount out of one account into another; all cash together stays what it was. The payer may go below zero. */
export function transfer(from: Account, to: Account, amountMicros: Micros): void {
  from.cashMicros = subtract(from.cashMicros, amountMicros);
  to.cashMicros = add(to.cashMicros, amountMicros);
}

/** Paper capital or a deposit comes in: the one leg outside the venue is what is paid in. */
export function payIn(state: State, account: Account, amountMicros: Micros): void {
  state.fundedMicros = add(state.fundedMicros, amountMicros);
  account.cashMicros = add(account.cashMicros, amountMicros);
}

/** A withdrawal goes out. */
export function payOut(state: State, account: Account, amountMicros: Micros): void {
  account.cashMicros = subtract(account.cashMicros, amountMicros);
  state.fundedMicros = subtract(state.fundedMicros, amountMicros);
}

/** A deposit comes in that its account cannot reach yet (OWN-55). */
export function hold(state: State, account: Account, amountMicros: Micros): void {
  state.fundedMicros = add(state.fundedMicros, amountMicros);
  account.heldMicros = add(account.heldMicros, amountMicros);
  account.heldCount += 1;
}

/** Makes cash of all that is held for the account, and returns how much that is. */
export function release(account: Account): Micros {
  const amountMicros = account.heldMicros;
  account.heldMicros = ZERO;
  account.heldCount = 0;
  account.cashMicros = add(account.cashMicros, amountMicros);
  return amountMicros;
}

export interface PositionFill {
  readonly side: Side;
  readonly qtyMicros: Micros;
  /** What the quantity cost or brought in all, fee aside. */
  readonly valueMicros: Micros;
}

/**
 * Books a fill into a position at average cost and returns the P&L that it realised, fee aside (NUM-7, OWN-37).
 *
 * A fill that flips the position splits its value: the closed part is rounded down, the rest is the cost of what it
 * opens. A close that empties the position clears its cost, roundings included.
 */
export function bookFill(account: Account, position: Position, fill: PositionFill): Micros {
  const closing = closingPart(position, fill);
  const gain = closing.valueMicros - closing.costMicros;
  const realized = toMicros(fill.side === 'sell' ? gain : -gain);
  const opened = fill.valueMicros - closing.valueMicros;
  position.costMicros = clampMicros(position.costMicros - closing.costMicros + opened);
  move(account, position, fill.side === 'buy' ? fill.qtyMicros : -fill.qtyMicros);
  position.realizedMicros = clampMicros(position.realizedMicros + realized);
  account.realizedMicros = clampMicros(account.realizedMicros + realized);
  return realized;
}

/** What one account gets of a settlement; negative for one that pays. */
export interface SettlementLeg {
  readonly account: Account;
  readonly position: Position;
  readonly payMicros: Micros;
}

/**
 * Pays all positions of a series out at once and returns what each realised. The legs sum to exactly zero, and any that
 * do not are a broken invariant.
 */
export function paySettlement(legs: readonly SettlementLeg[]): Micros[] {
  const sum = legs.reduce((total, { payMicros }) => total + BigInt(payMicros), 0n);
  if (sum !== 0n) throw new Error(`a settlement would make ${sum} micros`);
  return legs.map(({ account, position, payMicros }) => {
    account.cashMicros = add(account.cashMicros, payMicros);
    const isLong = position.qtyMicros > 0;
    return bookFill(account, position, {
      side: isLong ? 'sell' : 'buy',
      qtyMicros: toMicros(Math.abs(position.qtyMicros)),
      valueMicros: toMicros(isLong ? payMicros : 0 - payMicros),
    });
  });
}

/** What a fill closes of a position (OWN-3): its share of the fill's value, and of the position's cost. */
function closingPart(position: Position, fill: PositionFill): { valueMicros: Micros; costMicros: Micros } {
  const held = Math.abs(position.qtyMicros);
  const closes = fill.side === 'buy' ? position.qtyMicros < 0 : position.qtyMicros > 0;
  if (!closes) return { valueMicros: ZERO, costMicros: ZERO };
  const qty = Math.min(held, fill.qtyMicros);
  return {
    valueMicros:
      qty === fill.qtyMicros ? fill.valueMicros : mulDivFloor(fill.valueMicros, qty, fill.qtyMicros),
    costMicros: qty === held ? position.costMicros : mulDivFloor(position.costMicros, qty, held),
  };
}

/** Changes the quantity of a position, and what is counted over positions with it. */
function move(account: Account, position: Position, changeMicros: number): void {
  const { series, qtyMicros: before } = position;
  const after = toMicros(before + changeMicros);
  position.qtyMicros = after;
  series.openInterestMicros = toMicros(series.openInterestMicros + Math.max(after, 0) - Math.max(before, 0));
  account.shortCount += Number(after < 0) - Number(before < 0);
}
