/** The market maker's implied volatility by strike, one line for each of several expiries. */

import { type ReactNode, useMemo } from 'react';
import { expiryLabel } from '../../basics/dates.ts';
import { type Point, placeLabels } from '../../basics/label-places.ts';
import { formatIv, formatPercent, formatPrice } from '../../basics/numbers.ts';
import { PayoffLabels, SpotLine } from '../../kit/PayoffLines.tsx';
import { spotPath } from '../../kit/payoff-picture.ts';
import type { Scale } from '../../kit/plot-scale.ts';
import { spread } from '../../market/chains.ts';
import { type Smile, smilesOf } from '../../market/smile.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useChains } from '../../terminal/use-data.ts';
import styles from './Charts.module.css';
import { Figure, Nothing } from './Figure.tsx';
import { Legend } from './Legend.tsx';
import { CHART_TEXT, labelRoom, Plot } from './Plot.tsx';
import type { Size } from './use-size.ts';

const DASHES = [styles.dash0, styles.dash1, styles.dash2, styles.dash3, styles.dash4];

/** As many expiries as there are distinguishable dash patterns. */
const EXPIRIES = 5;

export function SmileChart(): ReactNode {
  const { stores } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const expiries = useStore(stores.listing, (listing) => listing.expiries);
  const chosen = useStore(stores.listing, (listing) => listing.expiryTs);
  const wanted = useMemo(() => spread(expiries, EXPIRIES, chosen), [expiries, chosen]);
  const chainOf = useChains(symbol, wanted);
  const chains = wanted.flatMap((expiryTs) => chainOf(expiryTs) ?? []);
  const smiles = smilesOf(chains);
  if (smiles.length === 0)
    return (
      <Nothing>{chains.length === 0 ? 'Reading the chains…' : 'No implied volatility right now.'}</Nothing>
    );
  const spot = chains.find((chain) => chain.spot > 0)?.spot ?? Number.NaN;
  const styleOf = (smile: Smile) => `${styles.smileLine} ${DASHES[wanted.indexOf(smile.expiryTs)]}`;
  const name = (smile: Smile) => expiryLabel(smile.expiryTs, Date.now());
  const sentence = smileSentence(smiles, spot);
  return (
    <Figure
      title={`${symbol}, implied volatility by strike`}
      sentence={sentence}
      legend={
        <Legend
          entries={smiles.map((smile) => ({
            name: smile.expiryTs === chosen ? `${name(smile)} (shown)` : name(smile),
            className: styleOf(smile),
          }))}
        />
      }
      table={{
        items: [...new Set(smiles.flatMap(({ points }) => points.map(({ strike }) => strike)))].sort(
          (a, b) => a - b,
        ),
        keyOf: (strike) => strike,
        columns: [
          { head: 'Strike, $', cell: (strike) => formatPrice(strike) },
          ...smiles.map((smile) => ({
            head: name(smile),
            cell: (strike: number) =>
              formatIv(smile.points.find((point) => point.strike === strike)?.iv ?? 0),
          })),
        ],
      }}
    >
      {(size) => <SmilePlot {...{ smiles, spot, size, sentence, styleOf, name }} />}
    </Figure>
  );
}

/** The volatility at the strike nearest to a price. */
function ivNear({ points }: Smile, price: number): number {
  let nearest = points[0]!;
  for (const point of points)
    if (Math.abs(point.strike - price) < Math.abs(nearest.strike - price)) nearest = point;
  return nearest.iv;
}

function smileSentence(smiles: readonly Smile[], spot: number): string {
  const texts = smiles.map(
    (smile) => `${formatIv(ivNear(smile, spot))} for ${expiryLabel(smile.expiryTs, Date.now())}`,
  );
  return `At the money: ${texts.join(', ')}, a year.`;
}

const UNIT = 'volatility, % a year';

interface SmilePlotProps {
  readonly smiles: readonly Smile[];
  readonly spot: number;
  readonly size: Size;
  readonly sentence: string;
  readonly styleOf: (smile: Smile) => string;
  readonly name: (smile: Smile) => string;
}

function SmilePlot({ smiles, spot, size, sentence, styleOf, name }: SmilePlotProps): ReactNode {
  const points = smiles.flatMap((smile) => smile.points);
  const strikes = points.map(({ strike }) => strike);
  const ivs = points.map(({ iv }) => iv);
  const room = (Math.max(...ivs) - Math.min(...ivs) || 0.1) * 0.08;
  return (
    <Plot
      label={sentence}
      size={size}
      x={{ low: Math.min(...strikes), high: Math.max(...strikes), unit: 'strike, $', format: grouped }}
      y={{
        low: Math.max(0, Math.min(...ivs) - room),
        high: Math.max(...ivs) + room,
        unit: UNIT,
        format: (iv, decimals) => formatPercent(iv, Math.max(0, decimals - 2)),
      }}
      readout={(strike) => [
        `near ${grouped(strike)}`,
        ...smiles.map((smile) => `${name(smile)}  ${formatIv(ivNear(smile, strike))}`),
      ]}
    >
      {(scale) => (
        <>
          <SpotLine spot={spot} scale={scale} />
          {smiles.map((smile) => (
            <polyline
              key={smile.expiryTs}
              className={styleOf(smile)}
              points={smilePath(smile, scale).join(' ')}
            >
              <title>{name(smile)}</title>
            </polyline>
          ))}
          <NowLabel {...{ smiles, spot, scale }} />
        </>
      )}
    </Plot>
  );
}

function smilePath({ points }: Smile, scale: Scale): Point[] {
  return points.map(({ strike, iv }) => [scale.x(strike), scale.y(iv)]);
}

interface SmileLabelProps {
  readonly smiles: readonly Smile[];
  readonly spot: number;
  readonly scale: Scale;
}

/** The price now, clear of the lines. */
function NowLabel({ smiles, spot, scale }: SmileLabelProps): ReactNode {
  const text = `now ${formatPrice(spot)}`;
  const line = spotPath(spot, scale);
  const lines = smiles.map((smile) => smilePath(smile, scale));
  const { widthOf, heightPx } = CHART_TEXT;
  const asks = line.slice(0, 1).map((at) => ({ at, width: widthOf(text), height: heightPx }));
  const [place] = placeLabels(asks, { ...labelRoom(scale, { unit: UNIT }), lines: [...lines, line] });
  if (place == null) return null;
  return <PayoffLabels labels={[{ text, kind: 'now', place }]} />;
}

/** Strikes and prices on an axis: with thousands separators, without cents. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 });
}
