/** Open interest and volume of a chain's rows, as bars behind their strikes. */

import type { ChainShape, Leg } from '../../../market/market.ts';

export const INTERESTS = ['oi', 'volume'] as const;
export type Interest = (typeof INTERESTS)[number];

/** By column: of the largest of the chain, call and put, 0 to 1 in twentieths: what is drawn again is what is seen. */
export type RowInterest = Readonly<Record<Interest, readonly [call: number, put: number]>>;

const STEPS = 20;

/** In the order of the shape's rows. */
export function interestOf(
  { rows, legs }: Pick<ChainShape, 'rows' | 'legs'>,
  value: (leg: Leg, column: Interest) => number,
): RowInterest[] {
  const mostOf = (column: Interest) => Math.max(0, ...legs.map((leg) => known(value(leg, column))));
  const most = { oi: mostOf('oi'), volume: mostOf('volume') };
  const share = (leg: Leg | null, column: Interest) => {
    const amount = leg === null || most[column] === 0 ? 0 : known(value(leg, column)) / most[column];
    // The least of anything is seen.
    return Math.ceil(amount * STEPS) / STEPS;
  };
  return rows.map(({ call, put }) => ({
    oi: [share(call, 'oi'), share(put, 'oi')],
    volume: [share(call, 'volume'), share(put, 'volume')],
  }));
}

/** The contracts of a chain with the largest volume of the day, those without any left out. */
export function mostTraded(
  legs: readonly Leg[],
  volumeOf: (leg: Leg) => number,
  count: number,
): readonly Leg[] {
  return legs
    .filter((leg) => known(volumeOf(leg)) > 0)
    .sort((a, b) => volumeOf(b) - volumeOf(a))
    .slice(0, count);
}

function known(amount: number): number {
  return Number.isNaN(amount) ? 0 : amount;
}
