/** Where the label of a break-even stands clear of the lines of its payoff. */

import type { Payoff, PayoffPoint } from './payoff.ts';

export interface BreakEvenPlace {
  readonly at: number;
  /** The label is above or below the line of zero … */
  readonly isAbove: boolean;
  /** … and left or right of the break-even. */
  readonly isLeft: boolean;
}

/**
 * The line at expiry crosses zero there, so on the side of losses there is room above zero, and on that of gains below.
 * The line of today passes beside: above zero it leaves the room below, and below zero that above.
 */
export function breakEvenPlaces({
  points,
  breakEvens,
}: Pick<Payoff, 'points' | 'breakEvens'>): BreakEvenPlace[] {
  return breakEvens.map((at) => {
    const after = points.find(({ spot }) => spot > at);
    const gainsAfter = (after?.atExpiry ?? 0) > 0;
    const isAbove = (nearestPoint(points, at).today ?? 0) < 0;
    return { at, isAbove, isLeft: isAbove === gainsAfter };
  });
}

/** The point of a payoff, of at least one, that is nearest to a price. */
export function nearestPoint(points: readonly PayoffPoint[], at: number): PayoffPoint {
  const away = ({ spot }: PayoffPoint) => Math.abs(spot - at);
  return points.reduce((best, point) => (away(point) < away(best) ? point : best));
}
