/** The account's equity by the hour, and now. */

import type { EquityRow } from '@venue/protocol';
import { UnavailableError } from '@venue/sdk/browser';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { equityCurve, HOUR_MS } from '../core/account/equity-curve.ts';
import { venueNowMs } from '../core/clock.ts';
import { formatUsd } from '../core/numbers.ts';
import type { Stores } from '../core/stores.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import type { HistoryState } from '../kit/use-candles.ts';
import { useDollars } from '../kit/use-dollars.ts';
import { Nothing } from './Figure.tsx';
import { LineHistory } from './History.tsx';

const AGAIN_MS = 15_000;
/** Marks move it all the time. */
const DRAW_EVERY_MS = 1_000;

export function EquityChart(): ReactNode {
  const { stores } = useTerminal();
  const unit = useDollars();
  const address = useStore(stores.session, (session) => (session.state === 'ready' ? session.address : null));
  const { rows, state } = useEquity(address);
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
      head={`Equity, ${unit}`}
      format={(value) => formatUsd(value)}
      title={`Your equity by the hour, ${unit}`}
      nothing="Nothing yet: your equity is recorded from the first hour on."
      legend={null}
      source="Cash plus positions at their marks, once an hour."
    />
  );
}

interface ReadEquity {
  /** Null before the first answer. */
  readonly rows: readonly EquityRow[] | null;
  readonly state: HistoryState;
}

const NOTHING: ReadEquity = { rows: null, state: 'reading' };

/** Read when it is shown, and again after a lost connection. */
function useEquity(address: string | null): ReadEquity {
  const { client, stores } = useTerminal();
  const isOut = useStore(stores.link, ({ state }) => state === 'stale' || state === 'offline');
  const [read, setRead] = useState<ReadEquity & { readonly of: string | null }>({ ...NOTHING, of: null });
  useEffect(() => {
    if (address === null || isOut) return undefined;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const next = await client.account.equity().then(
        (rows): ReadEquity => ({ rows, state: 'read' }),
        (error): ReadEquity => ({ rows: [], state: error instanceof UnavailableError ? 'none' : 'failed' }),
      );
      if (isGone) return;
      setRead({ ...next, of: address });
      if (next.state !== 'read') timer = setTimeout(() => void look(), AGAIN_MS);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [client, address, isOut]);
  return read.of === address ? read : NOTHING;
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
