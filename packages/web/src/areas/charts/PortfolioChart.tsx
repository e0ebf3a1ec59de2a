/** Profit and loss of all positions in one underlying, at an expiry and today. */

import { type ReactNode, useId, useMemo, useState } from 'react';
import { expiryLabel } from '../../basics/dates.ts';
import { formatPnl, formatPrice, formatSize } from '../../basics/numbers.ts';
import { leftOutText } from '../../kit/left-out.ts';
import { PayoffLabels, PayoffLines, payoffColumns, SpotLine } from '../../kit/PayoffLines.tsx';
import { type PayoffLabel, payoffLabels, payoffRanges } from '../../kit/payoff-picture.ts';
import type { Scale } from '../../kit/plot-scale.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useChains } from '../../terminal/use-data.ts';
import { useDrawnSpot } from '../../terminal/use-market.ts';
import { usePayoff } from '../../terminal/use-payoff.ts';
import { useEstimate } from '../../terminal/use-settles-near.ts';
import type { Payoff, PayoffPoint } from '../order/core/payoff/payoff.ts';
import type { PayoffLeg } from '../order/core/payoff/payoff-leg.ts';
import { portfolioLegs } from '../order/core/payoff/portfolio.ts';
import styles from './Charts.module.css';
import { Figure, Nothing } from './Figure.tsx';
import { Legend } from './Legend.tsx';
import { CHART_TEXT, labelRoom, Plot } from './Plot.tsx';
import { grouped } from './SmileChart.tsx';
import type { Size } from './use-size.ts';

export function PortfolioChart(): ReactNode {
  const { stores } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const legs = useLegs(symbol);
  const [asked, setAsked] = useState<number | null>(null);
  const expiries = [...new Set(legs.map(({ expiryTs }) => expiryTs))];
  const expiryTs = asked !== null && expiries.includes(asked) ? asked : (expiries[0] ?? null);
  const spot = useDrawnSpot(symbol);
  const estimate = useEstimate(symbol ?? '', expiryTs ?? Number.NaN);
  const payoff = usePayoff(legs, { spot, expiryTs, alsoAt: estimate });
  if (expiryTs === null)
    return (
      <Nothing>
        You hold nothing in {symbol ?? 'this underlying'}. Your positions are drawn here as one.
      </Nothing>
    );
  if (payoff === null) return <Nothing>Working out what you hold in {symbol}…</Nothing>;
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
        columns: payoffColumns(symbol ?? ''),
      }}
    >
      {(size) => <PayoffPlot {...{ payoff, size, sentence, estimate }} symbol={symbol!} spot={spot} />}
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
  const legs = symbol === null ? [] : portfolioLegs(held, { symbol, fills, chainOf });
  // Every read of the account or a chain creates new objects: compare them by content.
  const content = JSON.stringify(legs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => legs, [content]);
}

function countText(legs: readonly PayoffLeg[]): string {
  const contracts = legs.reduce((sum, { qty }) => sum + Math.abs(qty), 0);
  const positions = legs.length === 1 ? '1 position' : `${legs.length} positions`;
  return `${positions} of ${formatSize(contracts)} ${contracts === 1 ? 'contract' : 'contracts'}`;
}

interface ExpiryChoiceProps {
  readonly expiries: readonly number[];
  readonly expiryTs: number;
  readonly onChoose: (expiryTs: number) => void;
}

function ExpiryChoice({ expiries, expiryTs, onChoose }: ExpiryChoiceProps): ReactNode {
  const id = useId();
  return (
    <span className={styles.choice}>
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

const UNIT = 'profit and loss, $';

interface PayoffPlotProps {
  readonly payoff: Payoff;
  readonly size: Size;
  readonly sentence: string;
  readonly symbol: string;
  readonly spot: number;
  readonly estimate: number | undefined;
}

function PayoffPlot({ payoff, size, sentence, symbol, spot, estimate }: PayoffPlotProps): ReactNode {
  const { x, y } = payoffRanges(payoff);
  return (
    <Plot
      label={sentence}
      size={size}
      x={{ ...x, unit: `price of ${symbol}, $`, format: grouped }}
      y={{ ...y, unit: UNIT, format: signed }}
      readout={(at) => readoutOf(nearestPoint(payoff.points, at), { symbol })}
    >
      {(scale) => (
        <>
          <SpotLine spot={spot} scale={scale} />
          {estimate !== undefined && <SpotLine spot={estimate} scale={scale} isEstimate />}
          <PayoffLines payoff={payoff} scale={scale} />
          <PayoffLabels labels={labelsOf(payoff, { scale, spot, estimate })} />
        </>
      )}
    </Plot>
  );
}

function labelsOf(
  payoff: Payoff,
  at: Pick<PayoffPlotProps, 'spot' | 'estimate'> & { readonly scale: Scale },
): PayoffLabel[] {
  return payoffLabels(payoff, {
    ...at,
    now: `now ${formatPrice(at.spot)}`,
    breakEven: grouped,
    ...CHART_TEXT,
    ...labelRoom(at.scale, { unit: UNIT }),
  });
}

function signed(value: number): string {
  return formatPnl(value).replace(/\.00$/, '');
}

/** The point, of at least one, that is nearest to a price. */
function nearestPoint(points: readonly PayoffPoint[], at: number): PayoffPoint {
  const away = ({ spot }: PayoffPoint) => Math.abs(spot - at);
  return points.reduce((best, point) => (away(point) < away(best) ? point : best));
}

function readoutOf(
  { spot, atExpiry, today }: PayoffPoint,
  { symbol }: Pick<PayoffPlotProps, 'symbol'>,
): string[] {
  const lines = [`${symbol} at ${formatPrice(spot)}`, `at expiry ${formatPnl(atExpiry, '$')}`];
  return today === null ? lines : [...lines, `today ${formatPnl(today, '$')}`];
}
