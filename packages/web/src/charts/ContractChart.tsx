/** One contract over time: its mark, its trades, or the volatility that its mark implies. */

import { type Interval, parseSeriesId } from '@venue/protocol';
import { type ReactNode, useMemo, useState } from 'react';
import { impliedVols, intervalMs } from '../core/chain/candles.ts';
import { venueNowMs } from '../core/clock.ts';
import { formatIv } from '../core/numbers.ts';
import { seriesLabel } from '../kit/series-label.ts';
import { useTerminal } from '../kit/terminal.ts';
import { useCandles } from '../kit/use-candles.ts';
import { useContract } from '../kit/use-data.ts';
import { Nothing } from './Figure.tsx';
import { CandleHistory, Choices, Frames, LineHistory, rememberedInterval } from './History.tsx';

const VIEWS = ['Mark', 'Trades', 'IV'] as const;
type View = (typeof VIEWS)[number];

/** The last choice, restored when the chart is shown again. */
let rememberedView: View = 'Mark';

export function ContractChart(): ReactNode {
  const seriesId = useContract();
  const [interval, setInterval] = useState(rememberedInterval);
  const [view, setView] = useState(rememberedView);
  if (seriesId === null) return <Nothing>Press a price in the chain to see its history.</Nothing>;
  const choose = (next: View) => {
    rememberedView = next;
    setView(next);
  };
  const legend = (
    <div className="legend">
      <Choices label="What to show" all={VIEWS} chosen={view} onChoose={choose} />
      <Frames chosen={interval} onChoose={setInterval} />
    </div>
  );
  const shown = { seriesId, interval, legend };
  if (view === 'IV') return <ImpliedVol {...shown} />;
  return view === 'Trades' ? <Trades {...shown} /> : <Marks {...shown} />;
}

interface ViewProps {
  readonly seriesId: string;
  readonly interval: Interval;
  readonly legend: ReactNode;
}

function Marks({ seriesId, ...rest }: ViewProps): ReactNode {
  const shown = useCandles(`mark:${seriesId}`, rest.interval);
  return (
    <CandleHistory
      {...rest}
      {...shown}
      title={`${seriesLabel(seriesId)}, mark in $ a contract`}
      nothing="No mark yet: its history begins with the first quote."
      source="Marks, sampled once a minute."
    />
  );
}

function Trades({ seriesId, ...rest }: ViewProps): ReactNode {
  const shown = useCandles(`trade:${seriesId}`, rest.interval);
  return (
    <CandleHistory
      {...rest}
      {...shown}
      title={`${seriesLabel(seriesId)}, trades in $ a contract`}
      nothing="No trades yet."
      source="All trades of the contract; below them, how many contracts."
    />
  );
}

function ImpliedVol({ seriesId, interval, legend }: ViewProps): ReactNode {
  const { stores } = useTerminal();
  const symbol = parseSeriesId(seriesId)?.symbol;
  const { candles: marks, state } = useCandles(`mark:${seriesId}`, interval);
  const { candles: spots, state: ofSpots } = useCandles(`spot:${symbol}`, interval);
  const points = useMemo(() => {
    const terms = parseSeriesId(seriesId);
    const nowMs = venueNowMs(stores.link);
    return terms === undefined ? [] : impliedVols({ marks, spots }, { terms, interval, nowMs });
  }, [marks, spots, seriesId, interval, stores]);
  return (
    <LineHistory
      {...{ points, legend }}
      state={state === 'read' ? ofSpots : state}
      spanMs={intervalMs(interval)}
      head="Volatility, % a year"
      format={formatIv}
      title={`${seriesLabel(seriesId)}, implied volatility in % a year`}
      nothing="No volatility yet: it needs a mark above what the contract would pay now."
      source="Black 76 of marks and spots at the end of each interval."
    />
  );
}
