/** Splits a combo into the positions that it closes and those that it opens, with the loss and gain of the latter. */

import {
  type ComboFill,
  type ComboPreviewAnswer,
  decimalToMicros,
  type Micros,
  microsToDecimal,
  parseSeriesId,
  toMicros,
} from '@venue/protocol';
import { type Outcome, outcomeOf, type PayoffLine } from '@venue/sdk/spreads';
import { CONTRACTS, decimalText } from '../../terminal/numbers.ts';

/** Legs that traded, or would. */
export interface Traded {
  /** Leg by leg, in the order in which they trade. */
  readonly fills: readonly ComboFill[];
  /** Premium paid less premium received, before fees. */
  readonly cost: number;
  readonly fee: number;
}

/** A series and a signed quantity of contracts, negative when sold. */
export interface Contracts extends PayoffLine {
  readonly qty: number;
}

export interface ComboEffect {
  readonly closes: readonly Contracts[];
  readonly opens: readonly Contracts[];
  /** The outcome of `opens` alone, whatever else the account holds, with all fees; null if it opens nothing. */
  readonly outcome: Outcome | null;
  /** True if it closes what bounds the loss of the other positions in the underlying. */
  readonly isBoundLost: boolean;
}

/** A preview of a combo, with its effect on the positions. */
export interface Foreseen {
  readonly preview: ComboPreviewAnswer;
  /** Null if nothing would trade. */
  readonly effect: ComboEffect | null;
  /** True for a combo that would be declined: the effect is that of the best prices now, without fees. */
  readonly isEstimate: boolean;
}

/** Each leg closes what is held against it first; the rest of it opens. */
export function comboEffect({ fills, cost, fee }: Traded, positions: readonly Contracts[]): ComboEffect {
  const held = new Map(positions.map(({ seriesId, qty }) => [seriesId, micros(qty)]));
  const [closes, opens] = [new Map<string, number>(), new Map<string, number>()];
  let closingCost = 0;
  for (const fill of fills) {
    const { seriesId, price } = fill;
    const traded = micros(signedQty(fill));
    const before = held.get(seriesId) ?? 0;
    const closed = before * traded < 0 ? Math.sign(traded) * Math.min(Math.abs(traded), Math.abs(before)) : 0;
    held.set(seriesId, toMicros(before + traded));
    if (closed !== 0) closes.set(seriesId, (closes.get(seriesId) ?? 0) + closed);
    if (closed !== traded) opens.set(seriesId, (opens.get(seriesId) ?? 0) + traded - closed);
    closingCost += price * decimal(closed);
  }
  const opened = linesOf(opens);
  const outcome =
    opened.length === 0 ? null : outcomeOf(opened, decimalText(cost + fee - closingCost, CONTRACTS));
  return { closes: linesOf(closes), opens: opened, outcome, isBoundLost: isBoundLost(fills, positions) };
}

function isBoundLost(fills: readonly ComboFill[], positions: readonly Contracts[]): boolean {
  const symbol = fills[0] && symbolOf(fills[0]);
  const before = positions.filter((position) => symbolOf(position) === symbol);
  const after = [...before, ...fills.map((fill) => ({ seriesId: fill.seriesId, qty: signedQty(fill) }))];
  return hasBound(before) && !hasBound(after);
}

function hasBound(lines: readonly Contracts[]): boolean {
  return outcomeOf(lines).greatestLoss !== null;
}

function symbolOf({ seriesId }: { readonly seriesId: string }): string | undefined {
  return parseSeriesId(seriesId)?.symbol;
}

function signedQty({ side, qty }: ComboFill): number {
  return side === 'buy' ? qty : 0 - qty;
}

function linesOf(quantities: ReadonlyMap<string, number>): Contracts[] {
  return [...quantities].map(([seriesId, qty]) => ({ seriesId, qty: decimal(qty) }));
}

function micros(qty: number): Micros {
  return decimalToMicros(qty)!;
}

function decimal(qty: number): number {
  return microsToDecimal(toMicros(qty));
}
