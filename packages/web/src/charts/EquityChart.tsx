/** The account's equity by the hour, and now. */

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { equityCurve, HOUR_MS } from '../core/account/equity-curve.ts';
import { venueNowMs } from '../core/clock.ts';
import { formatUsd } from '../core/numbers.ts';
import type { Stores } from '../core/stores.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { Nothing } from './Figure.tsx';
import { LineHistory } from './History.tsx';
import { useHourly } from './use-hourly.ts';

/** Marks move it all the time. */
const DRAW_EVERY_MS = 1_000;

export function EquityChart(): ReactNode {
  const { client, stores } = useTerminal();
  const address = useStore(stores.session, (session) => (session.state === 'ready' ? session.address : null));
  const { rows, state } = useHourly(address, () => client.account.equity());
  const equity = useEquityNow();
  const points = useMemo(
    () => (rows === null ? [] : equityCurve(rows, { equity, nowMs: venueNowMs(stores.link) })),
    [rows, equity, stores],
  );
  if (address === null) return <Nothing>Sign in to see how your equity has moved.</Nothing>;
  return (
    <LineHistory
      {...{ points, state }}
      spanMs={HOUR_MS}
      head="Equity, $"
      format={(value) => formatUsd(value)}
      title="Your equity by the hour, $"
      nothing="Nothing yet: your equity is recorded from the first hour on."
      legend={null}
      source="Cash plus positions at their marks, once an hour."
    />
  );
}

/** The account's equity, a second late at most; null while it is unknown. */
function useEquityNow(): number | null {
  const { stores } = useTerminal();
  const [equity, setEquity] = useState(() => equityOf(stores));
  useEffect(() => {
    const timer = setInterval(() => setEquity(equityOf(stores)), DRAW_EVERY_MS);
    return () => clearInterval(timer);
  }, [stores]);
  return equity;
}

function equityOf({ holdings }: Pick<Stores, 'holdings'>): number | null {
  return holdings.getState().account?.equity ?? null;
}
