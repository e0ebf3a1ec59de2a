/** What everything that the account holds in one underlying makes and loses, at an expiry and today. */

import { type ReactNode, useId, useMemo, useState } from 'react';
import { expiryLabel } from '../core/dates.ts';
import { formatPnl, formatPrice, formatSize, UNKNOWN } from '../core/numbers.ts';
import { type Payoff, type PayoffLeg, type PayoffPoint, payoffOf } from '../core/payoff.ts';
import { portfolioLegs } from '../core/portfolio.ts';
import { seriesLabel } from '../ui/series-label.ts';
import { useStore, useTerminal } from '../ui/terminal.ts';
import { useDollars } from '../ui/use-dollars.ts';
import { useSpot } from '../ui/use-market.ts';
import { Figure, Nothing } from './Figure.tsx';
import { Legend } from './Legend.tsx';
import { Plot, pathOf, type Scale } from './Plot.tsx';
import { grouped, SpotLine } from './SmileChart.tsx';
import { useChains } from './use-data.ts';
import type { Size } from './use-size.ts';

export function PortfolioChart(): ReactNode {
  const { stores } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const unit = useDollars();
  const legs = useLegs(symbol);
  const [asked, setAsked] = useState<number | null>(null);
  const expiries = [...new Set(legs.map(({ expiryTs }) => expiryTs))];
  const expiryTs = asked !== null && expiries.includes(asked) ? asked : (expiries[0] ?? null);
  const spot = useSpot();
  // Drawn anew for a move that can be seen, not for every tick.
  const shownSpot = Number.isNaN(spot) ? Number.NaN : Number(spot.toPrecision(4));
  const payoff = useMemo(
    () => (expiryTs === null ? null : payoffOf(legs, { spot: shownSpot, nowMs: Date.now(), expiryTs })),
    [legs, shownSpot, expiryTs],
  );
  if (payoff === null || expiryTs === null)
    return (
      <Nothing>No positions in {symbol ?? 'this underlying'}: what you hold is drawn here as one.</Nothing>
    );
  const at = expiryLabel(expiryTs, Date.now());
  const sentence = `${countText(legs)}, at the expiry of ${at}: ${payoff.sentence}${leftOutText(payoff)}`;
  return (
    <Figure
      title={`${symbol}, your book: profit and loss`}
      sentence={sentence}
      legend={
        <Legend
          entries={[
            { name: `at expiry, ${at}`, className: 'payoff-expiry' },
            { name: 'today', className: 'payoff-today' },
          ]}
        >
          {expiries.length > 1 && <ExpiryChoice {...{ expiries, expiryTs }} onChoose={setAsked} />}
        </Legend>
      }
      table={{
        items: payoff.table,
        keyOf: (point) => point.spot,
        columns: [
          { head: `${symbol}, $`, cell: (point) => formatPrice(point.spot) },
          {
            head: 'At expiry',
            cell: ({ atExpiry }) => formatPnl(atExpiry, unit),
            className: ({ atExpiry }) => toneOf(atExpiry),
          },
          { head: 'Today', cell: ({ today }) => (today === null ? UNKNOWN : formatPnl(today, unit)) },
        ],
      }}
    >
      {(size) => <PayoffPlot {...{ payoff, size, sentence, unit }} symbol={symbol!} spot={shownSpot} />}
    </Figure>
  );
}

function useLegs(symbol: string | null): readonly PayoffLeg[] {
  const { stores } = useTerminal();
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const fills = useStore(stores.holdings, (holdings) => holdings.fills);
  const held = [...positions.values()].filter((position) => position.symbol === symbol);
  const expiries = [...new Set(held.map(({ expiryTs }) => expiryTs))];
  const chainOf = useChains(symbol, expiries);
  const chains = expiries.map(chainOf);
  // The positions are other objects with every read of the account; what is drawn follows what of them matters.
  const key = held.map(({ seriesId, qty, avgPrice }) => `${seriesId} ${qty} ${avgPrice}`).join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above; chains are listed one by one
  return useMemo(
    () => (symbol === null ? [] : portfolioLegs(positions.values(), { symbol, fills, chainOf })),
    [symbol, key, fills, chains.map((chain) => chain?.rows.length ?? 0).join(' '), chains[0]],
  );
}

function countText(legs: readonly PayoffLeg[]): string {
  const contracts = legs.reduce((sum, { qty }) => sum + Math.abs(qty), 0);
  const positions = legs.length === 1 ? '1 position' : `${legs.length} positions`;
  return `${positions} of ${formatSize(contracts)} ${contracts === 1 ? 'contract' : 'contracts'}`;
}

function leftOutText({ leftOutAtExpiry, leftOutToday, isExact }: Payoff): string {
  const model = isExact ? '' : ' Later legs stand at their model value.';
  const names = (series: readonly string[]) => series.map(seriesLabel).join(', ');
  if (leftOutAtExpiry.length > 0)
    return `${model} Without a volatility and left out: ${names(leftOutAtExpiry)}.`;
  if (leftOutToday.length > 0)
    return `${model} Left out of today, without a volatility: ${names(leftOutToday)}.`;
  return model;
}

interface ExpiryChoiceProps {
  readonly expiries: readonly number[];
  readonly expiryTs: number;
  readonly onChoose: (expiryTs: number) => void;
}

function ExpiryChoice({ expiries, expiryTs, onChoose }: ExpiryChoiceProps): ReactNode {
  const id = useId();
  return (
    <span className="choice">
      <label htmlFor={id}>At the expiry of</label>
      <select id={id} value={expiryTs} onChange={(event) => onChoose(Number(event.target.value))}>
        {expiries.map((one) => (
          <option key={one} value={one}>
            {expiryLabel(one, Date.now())}
          </option>
        ))}
      </select>
    </span>
  );
}

function toneOf(result: number): string {
  return result < 0 ? 'loss' : 'gain';
}

interface PayoffPlotProps {
  readonly payoff: Payoff;
  readonly size: Size;
  readonly sentence: string;
  readonly symbol: string;
  readonly unit: '$' | 'paper $';
  readonly spot: number;
}

function PayoffPlot({ payoff, size, sentence, symbol, unit, spot }: PayoffPlotProps): ReactNode {
  const { points, breakEvens } = payoff;
  const [first, last] = [points[0]!, points.at(-1)!];
  const results = points.flatMap(({ atExpiry, today }) => [atExpiry, today ?? atExpiry]);
  const [bottom, top] = [Math.min(0, ...results), Math.max(0, ...results)];
  const room = (top - bottom || 1) * 0.06;
  return (
    <Plot
      label={sentence}
      size={size}
      x={{ low: first.spot, high: last.spot, unit: `price of ${symbol}, $`, format: grouped }}
      y={{ low: bottom - room, high: top + room, unit: `profit and loss, ${unit}`, format: signed }}
      readout={(at) => readoutOf(nearest(points, at), { symbol, unit })}
    >
      {(scale) => (
        <>
          <LossArea points={points} scale={scale} />
          <line className="zero" x1={scale.left} x2={scale.right} y1={scale.y(0)} y2={scale.y(0)} />
          <SpotLine spot={spot} scale={scale} />
          <polyline className="payoff-today" points={todayPath(points, scale)} />
          <polyline
            className="payoff-expiry"
            points={pathOf(
              points,
              (point) => scale.x(point.spot),
              ({ atExpiry }) => scale.y(atExpiry),
            )}
          />
          <BreakEvens breakEvens={breakEvens} range={[first.spot, last.spot]} scale={scale} />
        </>
      )}
    </Plot>
  );
}

function signed(value: number): string {
  return formatPnl(value).replace(/\.00$/, '');
}

function todayPath(points: readonly PayoffPoint[], scale: Scale): string {
  const known = points.filter(({ today }) => today !== null);
  return pathOf(
    known,
    ({ spot }) => scale.x(spot),
    ({ today }) => scale.y(today!),
  );
}

function nearest(points: readonly PayoffPoint[], at: number): PayoffPoint {
  return points.reduce((best, point) =>
    Math.abs(point.spot - at) < Math.abs(best.spot - at) ? point : best,
  );
}

function readoutOf(
  { spot, atExpiry, today }: PayoffPoint,
  { symbol, unit }: Pick<PayoffPlotProps, 'symbol' | 'unit'>,
): string[] {
  const lines = [`${symbol} at ${formatPrice(spot)}`, `at expiry ${formatPnl(atExpiry, unit)}`];
  return today === null ? lines : [...lines, `today ${formatPnl(today, unit)}`];
}

/** Between the line and zero where it loses, hatched: told without a colour. */
function LossArea({
  points,
  scale,
}: {
  readonly points: readonly PayoffPoint[];
  readonly scale: Scale;
}): ReactNode {
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
        <line className="hatch" x1="0" x2="0" y1="0" y2="6" />
      </pattern>
      <polygon
        className="loss-area"
        fill={`url(#${id})`}
        points={`${scale.x(first.spot)},${scale.y(0)} ${line} ${scale.x(last.spot)},${scale.y(0)}`}
      />
    </>
  );
}

interface BreakEvensProps {
  readonly breakEvens: readonly number[];
  readonly range: readonly [number, number];
  readonly scale: Scale;
}

function BreakEvens({ breakEvens, range: [low, high], scale }: BreakEvensProps): ReactNode {
  return breakEvens
    .filter((at) => at >= low && at <= high)
    .map((at) => (
      <g key={at} className="break-even">
        <circle cx={scale.x(at)} cy={scale.y(0)} r="4" />
        <text x={scale.x(at)} y={scale.y(0) - 8} textAnchor="middle">
          {grouped(at)}
        </text>
      </g>
    ));
}
