/** A payoff chart: loss areas, lines at expiry and today, and break-evens. */

import { type ReactNode, useId } from 'react';
import type { Payoff, PayoffPoint } from '../areas/order/core/payoff/payoff.ts';
import { formatPnl, formatPrice, UNKNOWN } from '../basics/numbers.ts';
import { type PayoffLabel, payoffPaths, spotPath } from './payoff-picture.ts';
import { pathOf, type Scale } from './plot-scale.ts';
import type { RowColumn } from './Rows.tsx';
import { pnlClass } from './tones.ts';
import './PayoffLines.css';

export interface PayoffLinesProps {
  readonly payoff: Payoff;
  readonly scale: Scale;
}

export function PayoffLines({ payoff, scale }: PayoffLinesProps): ReactNode {
  const { expiry, today } = payoffPaths(payoff, scale);
  return (
    <>
      <LossArea points={payoff.points} scale={scale} />
      <line className="payoff-zero" x1={scale.left} x2={scale.right} y1={scale.y(0)} y2={scale.y(0)} />
      <polyline className="payoff-today" points={today.join(' ')} />
      <polyline className="payoff-expiry" points={expiry.join(' ')} />
      {payoff.breakEvens.map((at) => (
        <circle key={at} className="payoff-break-even" cx={scale.x(at)} cy={scale.y(0)} r="4">
          <title>Break-even {formatPrice(at)}</title>
        </circle>
      ))}
    </>
  );
}

interface SpotLineProps {
  readonly spot: number;
  readonly scale: Scale;
  /** True for the line of what the expiry settles near. */
  readonly isEstimate?: boolean;
}

export function SpotLine({ spot, scale, isEstimate = false }: SpotLineProps): ReactNode {
  const [from, to] = spotPath(spot, scale);
  if (from === undefined || to === undefined) return null;
  const kind = isEstimate ? 'estimate-line' : 'spot-line';
  return <line className={kind} x1={from[0]} x2={to[0]} y1={from[1]} y2={to[1]} />;
}

/** The part of a label's height under the feet of its letters. */
const DESCENT = 0.2;

export function PayoffLabels({ labels }: { readonly labels: readonly PayoffLabel[] }): ReactNode {
  return labels.map(({ text, kind, place: { x, anchor, box } }) => (
    <text
      key={text}
      className="payoff-label"
      data-kind={kind}
      x={x}
      y={box.bottom - DESCENT * (box.bottom - box.top)}
      textAnchor={anchor}
    >
      {text}
    </text>
  ));
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
