/** A strategy that is held as one row: its name, its size in units, prices of one unit, and what its legs add up to. */

import { MICROS_PER_UNIT } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';
import type { HeldGreeks, PositionRow } from './position-row.ts';
import type { Strategy } from './strategies.ts';

/** Prices, of one unit, and figures are NaN where a leg has none. */
export interface StrategyRow extends Pick<Strategy, 'key' | 'name'> {
  readonly kind: 'strategy';
  readonly legs: readonly [PositionRow, ...PositionRow[]];
  /** Units, negative for a strategy that the trade calls sold. */
  readonly qty: number;
  readonly avgPrice: number;
  readonly mark: number;
  readonly value: number;
  readonly unrealized: number;
  readonly realized: number;
  readonly greeks: HeldGreeks;
}

/** @param rows those of its legs, in their order */
export function strategyRow(strategy: Strategy, rows: readonly PositionRow[]): StrategyRow {
  const { key, name, unitsMicros } = strategy;
  const sum = (figure: (row: PositionRow, i: number) => number) =>
    rows.reduce((total, row, i) => total + figure(row, i), 0);
  // In whole micros, so that a net of nothing is zero.
  const net = (price: 'avgPrice' | 'mark') =>
    sum(({ position }, i) => (strategy.legs[i]!.qtyMicros / unitsMicros) * microsOf(position[price]));
  const greek = (one: keyof HeldGreeks) => sum(({ greeks }) => greeks[one]);
  return {
    ...{ kind: 'strategy', key, name, legs: rows as StrategyRow['legs'] },
    qty: unitsMicros / MICROS_PER_UNIT,
    avgPrice: net('avgPrice') / MICROS_PER_UNIT,
    mark: net('mark') / MICROS_PER_UNIT,
    value: sum(({ position }) => position.qty * position.mark),
    unrealized: sum(({ position }) => position.unrealized),
    realized: sum(({ position }) => position.realized),
    greeks: {
      ...{ delta: greek('delta'), gamma: greek('gamma'), theta: greek('theta'), vega: greek('vega') },
      iv: Number.NaN,
    },
  };
}
