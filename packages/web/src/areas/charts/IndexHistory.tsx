/** The 30-day volatility index of an underlying by the hour, and now. */

import { type ReactNode, useMemo } from 'react';
import { venueNowMs } from '../../market/clock.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { HOUR_MS, hourlyWords } from './core/equity-curve.ts';
import { indexCurve } from './core/index-curve.ts';
import { barLabel, LineHistory } from './History.tsx';
import { useHourly } from './use-hourly.ts';

const format = (percent: number) => `${percent.toFixed(1)}%`;

export interface IndexHistoryProps {
  readonly symbol: string;
  readonly legend: ReactNode;
}

export function IndexHistory({ symbol, legend }: IndexHistoryProps): ReactNode {
  const { client, stores } = useTerminal();
  const { rows, state } = useHourly(symbol, async () => (await client.market.volatility(symbol)).rows);
  const now = useStore(stores.days, (days) => days.get(symbol)?.index ?? null);
  const points = useMemo(
    () => (rows === null ? [] : indexCurve(rows, { now, nowMs: venueNowMs(stores.link) })),
    [rows, now, stores],
  );
  return (
    <LineHistory
      {...{ points, state, legend }}
      words={hourlyWords(points, { format, time: barLabel })}
      spanMs={HOUR_MS}
      head="Index, % a year"
      format={format}
      step={0.1}
      title={`${symbol}, volatility that its options expect over 30 days, in % a year`}
      nothing="No index yet: it needs five priced strikes on each side of the money."
      source="From bids and asks out of the money by the method of the VIX, once an hour."
    />
  );
}
