/** The geometry of a payoff's picture: what it shows, its lines, and labels that stand on none of them. */

import type { Payoff } from '../areas/order/core/payoff/payoff.ts';
import { type Box, type LabelPlace, type Point, placeLabels } from '../basics/label-places.ts';
import type { Range, Scale } from './plot-scale.ts';

/** Space above and below the lines, as a share of their height. */
const ROOM = 0.06;

/** Ranges of prices and results the picture must include; zero is always among them. */
export function payoffRanges({ points }: Pick<Payoff, 'points'>): { readonly x: Range; readonly y: Range } {
  const results = points.flatMap(({ atExpiry, today }) => [atExpiry, today ?? atExpiry]);
  const [bottom, top] = [Math.min(0, ...results), Math.max(0, ...results)];
  const room = (top - bottom || 1) * ROOM;
  return {
    x: { low: points[0]!.spot, high: points.at(-1)!.spot },
    y: { low: bottom - room, high: top + room },
  };
}

/** The lines in pixels; today's is empty if no leg has a volatility. */
export function payoffPaths({ points }: Pick<Payoff, 'points'>, scale: Scale) {
  const known = points.filter(({ today }) => today !== null);
  return {
    expiry: points.map(({ spot, atExpiry }): Point => [scale.x(spot), scale.y(atExpiry)]),
    today: known.map(({ spot, today }): Point => [scale.x(spot), scale.y(today!)]),
    zero: [
      [scale.left, scale.y(0)],
      [scale.right, scale.y(0)],
    ] as readonly Point[],
  };
}

/** The line of the underlying's price now; none where it is unknown, or outside the picture. */
export function spotPath(spot: number, scale: Scale): readonly Point[] {
  const x = scale.x(spot);
  if (!(x >= scale.left && x <= scale.right)) return [];
  return [
    [x, scale.top],
    [x, scale.bottom],
  ];
}

/** Between an amount of the y axis and the plot, and between it and the picture's edge. */
const AMOUNT_GAP_PX = 4;

/** The plot beside a strip for the amounts of its y axis: no line runs through them, whatever its shape. */
export function plotBeside(amounts: readonly string[], picture: Box, widthOf: (text: string) => number): Box {
  const widest = Math.max(0, ...amounts.map(widthOf));
  return { ...picture, left: picture.left + widest + 2 * AMOUNT_GAP_PX };
}

/** The place of an amount at its height in the strip; the text ends at the right of the box. */
export function amountBox(y: number, plot: Box, { width, height }: { width: number; height: number }): Box {
  const right = plot.left - AMOUNT_GAP_PX;
  return { left: right - width, right, top: y - height / 2, bottom: y + height / 2 };
}

export interface PayoffLabelsOptions {
  readonly scale: Scale;
  /** Dollars, NaN while unknown. */
  readonly spot: number;
  readonly now: string;
  /** The price that the expiry settles near, in dollars; absent but in its last half hour. */
  readonly estimate?: number | undefined;
  /** The text of a break-even; null where the picture names none. */
  readonly breakEven: ((at: number) => string) | null;
  /** Where labels may stand; by default where the lines may. */
  readonly room?: Box;
  readonly taken?: readonly Box[];
  readonly widthOf: (text: string) => number;
  readonly heightPx: number;
}

export interface PayoffLabel {
  readonly text: string;
  readonly kind: 'break-even' | 'now' | 'estimate';
  readonly place: LabelPlace;
}

/** Around the mark of a break-even. */
const MARK_PX = 5;

/** Break-evens and the price now in words, as far as there is room for them clear of every line and mark. */
export function payoffLabels(
  payoff: Pick<Payoff, 'points' | 'breakEvens'>,
  { scale, spot, now, estimate, breakEven, room = scale, taken = [], widthOf, heightPx }: PayoffLabelsOptions,
): PayoffLabel[] {
  const { expiry, today, zero } = payoffPaths(payoff, scale);
  const spotLine = spotPath(spot, scale);
  const estimateLine = spotPath(estimate ?? Number.NaN, scale);
  const y = scale.y(0);
  const crossings = payoff.breakEvens
    .map((at) => ({ at, x: scale.x(at) }))
    .filter(({ x }) => x >= scale.left && x <= scale.right);
  const marks = crossings.map(({ x }) => {
    return { left: x - MARK_PX, right: x + MARK_PX, top: y - MARK_PX, bottom: y + MARK_PX };
  });
  const asked = [
    ...(breakEven === null
      ? []
      : crossings.map(({ at, x }) => {
          return { text: breakEven(at), kind: 'break-even', at: [x, y] } as const;
        })),
    ...spotLine.slice(0, 1).map((at) => ({ text: now, kind: 'now', at }) as const),
    ...estimateLine.slice(0, 1).map((at) => ({ text: 'settles near', kind: 'estimate', at }) as const),
  ];
  const places = placeLabels(
    asked.map(({ text, at }) => ({ at, width: widthOf(text), height: heightPx })),
    { room, lines: [expiry, today, zero, spotLine, estimateLine], taken: [...taken, ...marks] },
  );
  return asked.flatMap(({ text, kind }, i) => {
    const place = places[i]!;
    return place === null ? [] : [{ text, kind, place }];
  });
}
