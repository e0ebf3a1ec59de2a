/** A payoff chart: loss areas, lines at expiry and today, and break-evens. */

import { type ReactNode, useId } from 'react';
import { formatPnl, formatPrice, UNKNOWN } from '../core/numbers.ts';
import type { Payoff, PayoffPoint } from '../core/ticket/payoff.ts';
import { pathOf, type Range, type Scale } from './plot-scale.ts';
import type { RowColumn } from './Rows.tsx';
import { pnlClass } from './tones.ts';
import './PayoffLines.css';

/** Space above and below the lines, as a share of their height. */
const ROOM = 0.06;

/** Ranges of prices and results the picture must include; zero is always among them. */
export function payoffRanges({ points }: Payoff): { readonly x: Range; readonly y: Range } {
  const results = points.flatMap(({ atExpiry, today }) => [atExpiry, today ?? atExpiry]);
  const [bottom, top] = [Math.min(0, ...results), Math.max(0, ...results)];
  const room = (top - bottom || 1) * ROOM;
  return {
    x: { low: points[0]!.spot, high: points.at(-1)!.spot },
    y: { low: bottom - room, high: top + room },
  };
}

export interface PayoffLinesProps {
  readonly payoff: Payoff;
  readonly scale: Scale;
}

export function PayoffLines({ payoff: { points, breakEvens }, scale }: PayoffLinesProps): ReactNode {
  const x = ({ spot }: PayoffPoint) => scale.x(spot);
  const known = points.filter(({ today }) => today !== null);
  return (
    <>
      <LossArea points={points} scale={scale} />
      <line className="payoff-zero" x1={scale.left} x2={scale.right} y1={scale.y(0)} y2={scale.y(0)} />
      <polyline className="payoff-today" points={pathOf(known, x, ({ today }) => scale.y(today!))} />
      <polyline className="payoff-expiry" points={pathOf(points, x, ({ atExpiry }) => scale.y(atExpiry))} />
      {breakEvens.map((at) => (
        <circle key={at} className="payoff-break-even" cx={scale.x(at)} cy={scale.y(0)} r="4">
          <title>Break-even {formatPrice(at)}</title>
        </circle>
      ))}
    </>
  );
}

interface LossAreaProps {
  readonly points: readonly PayoffPoint[];
  readonly scale: Scale;
}

/** The area between the line and zero where it loses, hatched so that it does not depend on colour. */
function LossArea({ points, scale }: LossAreaProps): ReactNode {
  const id = useId();
  const [first, last] = [points[0]!, points.at(-1)!];
  const line = pathOf(
    points,
    ({ spot }) => scale.x(spot),
    ({ atExpiry }) => scale.y(Math.min(0, atExpiry)),
  );
  return (
    <>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line className="payoff-hatch" x1="0" x2="0" y1="0" y2="6" />
      </pattern>
      <polygon
        fill={`url(#${id})`}
        points={`${scale.x(first.spot)},${scale.y(0)} ${line} ${scale.x(last.spot)},${scale.y(0)}`}
      />
    </>
  );
}

/** The same as a table. */
export function payoffColumns(symbol: string): readonly RowColumn<PayoffPoint>[] {
  return [
    { head: `${symbol}, $`, cell: ({ spot }) => formatPrice(spot) },
    {
      head: 'At expiry, $',
      cell: ({ atExpiry }) => formatPnl(atExpiry),
      className: ({ atExpiry }) => pnlClass(atExpiry),
    },
    { head: 'Today, $', cell: ({ today }) => (today === null ? UNKNOWN : formatPnl(today)) },
  ];
}
