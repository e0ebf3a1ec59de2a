/** Axes with units, a grid and a readout under the pointer, around lines that the caller draws. */

import { type PointerEvent, type ReactNode, useState } from 'react';
import type { Box } from '../../basics/label-places.ts';
import { ticksOf } from '../../basics/ticks.ts';
import { type PlotBox, type Range, type Scale, scaleOf } from '../../kit/plot-scale.ts';
import styles from './Charts.module.css';
import type { Size } from './use-size.ts';

export interface Axis extends Range {
  /** Quantity and unit: `price of BTC, $`. */
  readonly unit: string;
  readonly format: (value: number, decimals: number) => string;
}

export interface PlotProps {
  readonly label: string;
  readonly size: Size;
  readonly x: Axis;
  readonly y: Axis;
  /** Lines of text for a position on the x axis. */
  readonly readout?: (x: number) => readonly string[];
  readonly children: (scale: Scale) => ReactNode;
}

const MARGIN = { left: 58, right: 28, top: 20, bottom: 34 };
/** Position of the y axis's unit. */
const UNIT = { left: 4, bottom: 11 };
const TICK_PX = { x: 90, y: 34 };

export function Plot({ label, size, x, y, readout, children }: PlotProps): ReactNode {
  const [under, setUnder] = useState<number | null>(null);
  const scale = scaleOf(boxIn(size), { x, y });
  const track = (event: PointerEvent<SVGSVGElement>) => {
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const share = (px - scale.left) / (scale.right - scale.left);
    setUnder(share < 0 || share > 1 ? null : x.low + share * (x.high - x.low));
  };
  return (
    <>
      <svg
        className={styles.plot}
        width={size.width}
        height={size.height}
        role="img"
        aria-label={label}
        onPointerMove={readout && track}
        onPointerLeave={() => setUnder(null)}
      >
        <Grid x={x} y={y} scale={scale} />
        {children(scale)}
        {under !== null && (
          <line
            className={styles.under}
            x1={scale.x(under)}
            x2={scale.x(under)}
            y1={scale.top}
            y2={scale.bottom}
          />
        )}
      </svg>
      {under !== null && readout !== undefined && (
        <p
          className={styles.readout}
          aria-hidden="true"
          data-side={scale.x(under) > size.width / 2 ? 'left' : 'right'}
        >
          {readout(under).map((line) => (
            <span key={line}>{line}</span>
          ))}
        </p>
      )}
    </>
  );
}

/** How much room a chart's text takes. */
export const CHART_TEXT = { widthOf: (text: string) => text.length * 6.4, heightPx: 11 } as const;

/** The room for labels: the plot and the margin above it, except the place of the y axis's unit. */
export function labelRoom(
  scale: Scale,
  { unit }: Pick<Axis, 'unit'>,
): { readonly room: Box; readonly taken: readonly Box[] } {
  const right = UNIT.left + CHART_TEXT.widthOf(unit);
  return {
    room: { ...scale, top: 0 },
    taken: [{ left: 0, right, top: 0, bottom: UNIT.bottom + 3 }],
  };
}

/** The plot area inside the margins, at least a pixel. */
function boxIn({ width, height }: Size): PlotBox {
  const { left, right, top, bottom } = MARGIN;
  return {
    left,
    top,
    right: Math.max(left + 1, width - right),
    bottom: Math.max(top + 1, height - bottom),
  };
}

function Grid({ x, y, scale }: { readonly x: Axis; readonly y: Axis; readonly scale: Scale }): ReactNode {
  const { left, right, top, bottom } = scale;
  const ofX = ticksOf(x, (right - left) / TICK_PX.x);
  const ofY = ticksOf(y, (bottom - top) / TICK_PX.y);
  return (
    <g className={styles.grid}>
      {ofY.values.map((value) => (
        <g key={value}>
          <line x1={left} x2={right} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={left - 6} y={scale.y(value)} textAnchor="end" dominantBaseline="middle">
            {y.format(value, ofY.decimals)}
          </text>
        </g>
      ))}
      {ofX.values.map((value) => (
        <g key={value}>
          <line x1={scale.x(value)} x2={scale.x(value)} y1={bottom} y2={bottom + 4} />
          <text x={scale.x(value)} y={bottom + 15} textAnchor="middle">
            {x.format(value, ofX.decimals)}
          </text>
        </g>
      ))}
      <line className={styles.axis} x1={left} x2={right} y1={bottom} y2={bottom} />
      <text className="unit" x={right} y={bottom + 29} textAnchor="end">
        {x.unit}
      </text>
      <text className="unit" x={UNIT.left} y={UNIT.bottom}>
        {y.unit}
      </text>
    </g>
  );
}
