/** The account's equity: by the minute as the page has seen it, or by the hour as the venue has sampled it. */

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { formatUsd } from '../../basics/numbers.ts';
import { venueNowMs } from '../../market/clock.ts';
import type { Stores } from '../../terminal/stores.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { MINUTE_MS, type SeenMinute, seenWords } from '../account/core/equity-seen.ts';
import { equityCurve, HOUR_MS, hourlyWords } from './core/equity-curve.ts';
import { Nothing } from './Figure.tsx';
import { barLabel, Choices, LineHistory } from './History.tsx';
import { useHourly } from './use-hourly.ts';

/** Marks move it all the time. */
const DRAW_EVERY_MS = 1_000;

const DOLLARS = { head: 'Equity, $', format: formatUsd, step: 0.01 } as const;

const VIEWS = ['By the minute', 'By the hour'] as const;
type View = (typeof VIEWS)[number];

/** The last choice, restored when the chart is shown again. */
let rememberedView: View = 'By the minute';

export function EquityChart(): ReactNode {
  const { stores } = useTerminal();
  const address = useStore(stores.session, (session) => (session.state === 'ready' ? session.address : null));
  const [view, setView] = useState(rememberedView);
  if (address === null) return <Nothing>Sign in to see how your equity has moved.</Nothing>;
  const choose = (next: View) => {
    rememberedView = next;
    setView(next);
  };
  const legend = <Choices label="Points" all={VIEWS} chosen={view} onChoose={choose} />;
  const Shown = view === 'By the hour' ? ByTheHour : ByTheMinute;
  return <Shown address={address} legend={legend} />;
}

interface ViewProps {
  readonly address: string;
  readonly legend: ReactNode;
}

function ByTheMinute({ address, legend }: ViewProps): ReactNode {
  const minutes = useSeen(address);
  const points = useMemo(() => minutes.map(({ t, last }) => ({ t, value: last })), [minutes]);
  return (
    <LineHistory
      {...DOLLARS}
      {...{ points, legend }}
      state="read"
      words={seenWords(minutes, { format: formatUsd, time: barLabel })}
      spanMs={MINUTE_MS}
      title="Your equity, $"
      nothing="Nothing yet: this page has not seen your equity."
      source="Cash plus positions at their marks, at the end of each minute that this page has seen."
    />
  );
}

function ByTheHour({ address, legend }: ViewProps): ReactNode {
  const { client, stores } = useTerminal();
  const { rows, state } = useHourly(address, () => client.account.equity());
  const equity = useEquityNow();
  const points = useMemo(
    () => (rows === null ? [] : equityCurve(rows, { equity, nowMs: venueNowMs(stores.link) })),
    [rows, equity, stores],
  );
  return (
    <LineHistory
      {...DOLLARS}
      {...{ points, state, legend }}
      words={hourlyWords(points, { format: formatUsd, time: barLabel })}
      spanMs={HOUR_MS}
      title="Your equity by the hour, $"
      nothing="Nothing yet: your equity is recorded from the first hour on."
      source="Cash plus positions at their marks, once an hour, and now."
    />
  );
}

/** The minutes of an account that the page has seen, a second late at most. */
function useSeen(address: string): readonly SeenMinute[] {
  const { equitySeen } = useTerminal();
  return useLooked(() => equitySeen.of(address));
}

/** The account's equity, a second late at most; null while it is unknown. */
function useEquityNow(): number | null {
  const { stores } = useTerminal();
  return useLooked(() => equityOf(stores));
}

/** Looks at a value once a second, and whenever the component is drawn. */
function useLooked<T>(look: () => T): T {
  const [, setShown] = useState<{ readonly value: T }>();
  const value = look();
  useEffect(() => {
    const timer = setInterval(() => {
      const next = look();
      if (!Object.is(next, value)) setShown({ value: next });
    }, DRAW_EVERY_MS);
    return () => clearInterval(timer);
  });
  return value;
}

function equityOf({ holdings }: Pick<Stores, 'holdings'>): number | null {
  return holdings.getState().account?.equity ?? null;
}
