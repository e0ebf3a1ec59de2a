/** Cash and positions change only here; what one account pays, another receives. */

import { add, clampMicros, type Micros, mulDivFloor, subtract, toMicros, ZERO } from '@venue/protocol';
import type { Account } from './account.ts';
import type { Position } from './positions.ts';
import type { Side } from './series.ts';
import type { State } from './state.ts';

/** Moves an amount from one account to another; total cash is unchanged. The payer may go below zero. */
export function transfer(from: Account, to: Account, amountMicros: Micros): void {
  from.cashMicros = subtract(from.cashMicros, amountMicros);
  to.cashMicros = add(to.cashMicros, amountMicros);
}

/** Credits paper capital or a deposit; the other leg, outside the venue, is the amount paid in. */
export function payIn(state: State, account: Account, amountMicros: Micros): void {
  state.fundedMicros = add(state.fundedMicros, amountMicros);
  account.cashMicros = add(account.cashMicros, amountMicros);
}

/** Debits a withdrawal. */
export function payOut(state: State, account: Account, amountMicros: Micros): void {
  account.cashMicros = subtract(account.cashMicros, amountMicros);
  state.fundedMicros = subtract(state.fundedMicros, amountMicros);
}

/** Holds a deposit that its owner cannot reach yet (OWN-55). */
export function hold(state: State, account: Account, amountMicros: Micros): void {
  state.fundedMicros = add(state.fundedMicros, amountMicros);
  account.heldMicros = add(account.heldMicros, amountMicros);
  account.heldCount += 1;
}

/** Moves cash of a credited deposit out of its owner's reach (CUS-4). */
export function holdCash(account: Account, amountMicros: Micros): void {
  account.cashMicros = subtract(account.cashMicros, amountMicros);
  account.heldMicros = add(account.heldMicros, amountMicros);
  account.heldCount += 1;
}

/** Debits a held deposit that was never there (CUS-4). */
export function takeBackHeld(state: State, account: Account, amountMicros: Micros): void {
  state.fundedMicros = subtract(state.fundedMicros, amountMicros);
  account.heldMicros = subtract(account.heldMicros, amountMicros);
  account.heldCount -= 1;
}

/** Turns all held deposits into cash, and returns the amount. */
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
  /** The total cost or proceeds of the quantity, without the fee. */
  readonly valueMicros: Micros;
}

/**
 * Books a fill into a position at average cost and returns the realised P&L, without the fee (NUM-7, OWN-37).
 *
 * A fill that flips the position splits its value: the closed part is rounded down, the rest is the cost of the opened
 * part. A close that empties the position clears its cost, including roundings.
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

/** One account's share of a settlement; negative if it pays. */
export interface SettlementLeg {
  readonly account: Account;
  readonly position: Position;
  readonly payMicros: Micros;
}

/**
 * Pays out all positions of a series together and returns the P&L each realised. The legs must sum to exactly zero;
 * otherwise an invariant is broken.
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

/** The part of a position that a fill closes (OWN-3): its share of the fill's value, and of the position's cost. */
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

/** Changes the quantity of a position, and the counts derived from positions. */
function move(account: Account, position: Position, changeMicros: number): void {
  const { series, qtyMicros: before } = position;
  const after = toMicros(before + changeMicros);
  position.qtyMicros = after;
  series.openInterestMicros = toMicros(series.openInterestMicros + Math.max(after, 0) - Math.max(before, 0));
  account.shortCount += Number(after < 0) - Number(before < 0);
}
