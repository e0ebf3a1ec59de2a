/** One contract over time: its mark, its trades, or the volatility that its mark implies. */

import { parseSeriesId } from '@venue/protocol';
import { type ReactNode, useMemo, useState } from 'react';
import { formatPercent, formatPrice } from '../../basics/numbers.ts';
import { candleCountOf, type Frame, impliedVols, intervalMs, intervalOf } from '../../market/candles.ts';
import { venueNowMs } from '../../market/clock.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import { useCandles } from '../../terminal/use-candles.ts';
import { useContract } from '../../terminal/use-data.ts';
import { AlertLines, ON_IV, ON_MARK, useChartAlerts } from './AlertLines.tsx';
import styles from './Charts.module.css';
import type { PriceScale } from './drawing.ts';
import { Nothing } from './Figure.tsx';
import { CandleHistory, Choices, candleRange, Frames, LineHistory, priceStep, useFrame } from './History.tsx';
import { OrderLines, useOrderPrices } from './OrderLines.tsx';

const VIEWS = ['Mark', 'Trades', 'IV'] as const;
type View = (typeof VIEWS)[number];

/** The last choice, restored when the chart is shown again. */
let rememberedView: View = 'Mark';

export function ContractChart(): ReactNode {
  const seriesId = useContract();
  const [frame, setFrame] = useFrame();
  const [view, setView] = useState(rememberedView);
  if (seriesId === null) return <Nothing>Press a price in the chain to see its history.</Nothing>;
  const choose = (next: View) => {
    rememberedView = next;
    setView(next);
  };
  const legend = (
    <div className={styles.legend}>
      <Choices label="What to show" all={VIEWS} chosen={view} onChoose={choose} />
      <Frames chosen={frame} onChoose={setFrame} />
    </div>
  );
  const shown = { seriesId, frame, legend };
  if (view === 'IV') return <ImpliedVol {...shown} />;
  return view === 'Trades' ? <Trades {...shown} /> : <Marks {...shown} />;
}

interface ViewProps {
  readonly seriesId: string;
  readonly frame: Frame;
  readonly legend: ReactNode;
}

/** A minute has one sample, which is no candle: from minutes a line is drawn, and candles from longer intervals. */
function Marks({ seriesId, frame, legend }: ViewProps): ReactNode {
  const interval = intervalOf(frame);
  const { candles, state } = useCandles(`mark:${seriesId}`, interval);
  const orders = useOrderPrices(seriesId);
  const { near: levels, ...alerts } = useChartAlerts(seriesId, ON_MARK);
  const near = useMemo(() => [...orders, ...levels], [orders, levels]);
  const points = useMemo(() => candles.map(({ t, c: value }) => ({ t, value })), [candles]);
  const shared = {
    ...{ state, legend, near },
    over: (scale: PriceScale) => (
      <>
        <AlertLines {...alerts} scale={scale} />
        <OrderLines seriesId={seriesId} scale={scale} />
      </>
    ),
    title: `${seriesLabel(seriesId)}, mark in $ a contract`,
    nothing: 'No mark yet: its history begins with the first quote.',
    source: 'Marks, sampled once a minute.',
  };
  if (interval !== '1m') return <CandleHistory {...shared} {...{ candles, frame }} />;
  return (
    <LineHistory
      {...shared}
      points={points}
      words={candleRange(candles, frame)}
      spanMs={intervalMs(interval)}
      count={candleCountOf(frame)}
      head="Mark, $"
      format={formatPrice}
      step={priceStep(points.at(-1)?.value ?? 0)}
    />
  );
}

function Trades({ seriesId, ...rest }: ViewProps): ReactNode {
  const shown = useCandles(`trade:${seriesId}`, intervalOf(rest.frame));
  const near = useOrderPrices(seriesId);
  return (
    <CandleHistory
      {...rest}
      {...shown}
      near={near}
      over={(scale) => <OrderLines seriesId={seriesId} scale={scale} />}
      title={`${seriesLabel(seriesId)}, trades in $ a contract`}
      nothing="No trades yet."
      source="All trades of the contract; below them, how many contracts."
    />
  );
}

function ImpliedVol({ seriesId, frame, legend }: ViewProps): ReactNode {
  const interval = intervalOf(frame);
  const { stores } = useTerminal();
  const symbol = parseSeriesId(seriesId)?.symbol;
  const { candles: marks, state } = useCandles(`mark:${seriesId}`, interval);
  const { candles: spots, state: ofSpots } = useCandles(`spot:${symbol}`, interval);
  const { near, ...alerts } = useChartAlerts(seriesId, ON_IV);
  const points = useMemo(() => {
    const terms = parseSeriesId(seriesId);
    const nowMs = venueNowMs(stores.link);
    return terms === undefined ? [] : impliedVols({ marks, spots }, { terms, interval, nowMs });
  }, [marks, spots, seriesId, interval, stores]);
  return (
    <LineHistory
      {...{ points, legend, near }}
      over={(scale) => <AlertLines {...alerts} scale={scale} />}
      state={state === 'read' ? ofSpots : state}
      spanMs={intervalMs(interval)}
      count={candleCountOf(frame)}
      head="Volatility, % a year"
      format={formatPercent}
      step={0.001}
      title={`${seriesLabel(seriesId)}, implied volatility in % a year`}
      nothing="No volatility yet: it needs a mark above what the contract would pay now."
      source="Black 76 of marks and spots at the end of each interval."
    />
  );
}
