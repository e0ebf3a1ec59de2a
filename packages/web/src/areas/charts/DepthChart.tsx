/** Cumulative depth of one contract's book: bids on the left, asks on the right. */

import type { ReactNode } from 'react';
import { formatPrice, formatSize, formatUsd } from '../../basics/numbers.ts';
import type { Scale } from '../../kit/plot-scale.ts';
import { noBookText } from '../../market/books.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useBookOrError } from '../../terminal/use-books.ts';
import { useContract } from '../../terminal/use-data.ts';
import styles from './Charts.module.css';
import { type Depth, type DepthStep, depthOf } from './core/depth.ts';
import { Figure, Nothing } from './Figure.tsx';
import { Plot } from './Plot.tsx';
import type { Size } from './use-size.ts';

export function DepthChart(): ReactNode {
  const seriesId = useContract();
  const { book, error } = useBookOrError(seriesId);
  if (seriesId === null) return <Nothing>Press a price in the chain to see the depth of its book.</Nothing>;
  if (book === null) return <Nothing>{noBookText(seriesLabel(seriesId), error)}</Nothing>;
  const depth = depthOf(book);
  const sentence = depthSentence(depth);
  const steps = [
    ...depth.asks.toReversed().map((step) => ({ ...step, side: 'Ask' })),
    ...depth.bids.map((step) => ({ ...step, side: 'Bid' })),
  ];
  return (
    <Figure
      title={`${seriesLabel(seriesId)}, depth`}
      sentence={sentence}
      table={{
        items: steps,
        keyOf: ({ side, price }) => `${side} ${price}`,
        columns: [
          { head: 'Price, $', cell: ({ price }) => formatPrice(price) },
          {
            head: 'Side',
            cell: ({ side }) => side,
            className: ({ side }) => (side === 'Bid' ? 'short' : 'long'),
          },
          { head: 'Contracts', cell: ({ qty }) => formatSize(qty) },
          { head: 'Cumulative', cell: ({ total }) => formatSize(total) },
          { head: 'Total premium', cell: ({ totalUsd }) => formatUsd(totalUsd) },
        ],
      }}
    >
      {(size) =>
        depth.most === 0 ? (
          <Nothing>No bids or offers right now.</Nothing>
        ) : (
          <DepthPlot depth={depth} sentence={sentence} size={size} />
        )
      }
    </Figure>
  );
}

function depthSentence({ bids, asks }: Depth): string {
  const side = (steps: readonly DepthStep[], words: { none: string; verb: string }) => {
    const [best, last] = [steps[0], steps.at(-1)];
    if (best === undefined || last === undefined) return words.none;
    return `${formatSize(last.total)} ${words.verb} from ${formatPrice(best.price)} to ${formatPrice(last.price)}`;
  };
  return `${side(bids, { none: 'No bids', verb: 'bid' })}; ${side(asks, { none: 'no asks', verb: 'offered' })}.`;
}

interface DepthPlotProps {
  readonly depth: Depth;
  readonly sentence: string;
  readonly size: Size;
}

function DepthPlot({ depth, sentence, size }: DepthPlotProps): ReactNode {
  const { bids, asks, most } = depth;
  const prices = [...bids, ...asks].map(({ price }) => price);
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const margin = (highest - lowest || highest * 0.02 || 1) * 0.06;
  const x = { low: Math.max(0, lowest - margin), high: highest + margin };
  return (
    <Plot
      label={sentence}
      size={size}
      x={{ ...x, unit: 'price, $', format: (price) => formatPrice(price) }}
      y={{ low: 0, high: most * 1.08, unit: 'contracts up to a price', format: (total) => formatSize(total) }}
      readout={(price) => readoutOf(depth, price)}
    >
      {(scale) => (
        <>
          <Area steps={bids} edge={x.low} scale={scale} className={styles.bids} name="Bids" />
          <Area steps={asks} edge={x.high} scale={scale} className={styles.asks} name="Asks" />
        </>
      )}
    </Plot>
  );
}

/** The quantity and cost of taking the book up to a price. */
function readoutOf({ bids, asks }: Depth, price: number): string[] {
  const up = (steps: readonly DepthStep[], isWithin: (at: number) => boolean) =>
    steps.filter((step) => isWithin(step.price)).at(-1);
  const bid = up(bids, (at) => at >= price);
  const ask = up(asks, (at) => at <= price);
  const lines = [`at ${formatPrice(price)}`];
  if (bid !== undefined) lines.push(`${formatSize(bid.total)} bid at it or better`);
  if (ask !== undefined) lines.push(`${formatSize(ask.total)} offered at it or better`);
  return lines;
}

interface AreaProps {
  readonly steps: readonly DepthStep[];
  /** The price at which the chart ends on this side. */
  readonly edge: number;
  readonly scale: Scale;
  readonly className: string | undefined;
  readonly name: string;
}

function Area({ steps, edge, scale, className, name }: AreaProps): ReactNode {
  const best = steps[0];
  if (best === undefined) return null;
  const corners: [number, number][] = [[best.price, 0]];
  for (const [i, { price, total }] of steps.entries()) {
    corners.push([price, total], [steps[i + 1]?.price ?? edge, total]);
  }
  const line = corners.map(([price, total]) => `${scale.x(price)},${scale.y(total)}`).join(' ');
  const middle = (scale.x(best.price) + scale.x(edge)) / 2;
  return (
    <g className={className}>
      <polygon points={`${line} ${scale.x(edge)},${scale.y(0)}`} />
      <polyline points={line} />
      <text x={middle} y={scale.bottom - 8} textAnchor="middle">
        {name}
      </text>
    </g>
  );
}
