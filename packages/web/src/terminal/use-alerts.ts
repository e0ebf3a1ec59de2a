/** The price alerts of this browser, where there are any: a page without a watch list loads none of it. */

import { useEffect, useMemo, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import type { WatchDesk } from '../areas/watch/core/watch-desk.ts';
import type { Measure, PriceAlert, Watched } from '../areas/watch/core/watched.ts';
import { useStore, useTerminal } from './terminal.ts';

const NOTHING = createStore<Watched>(() => ({ names: [], alerts: [] }));

export interface ShownAlerts {
  /** Null until something is watched. */
  readonly desk: WatchDesk | null;
  /** The same array until one of them changes. */
  readonly alerts: readonly PriceAlert[];
}

/** Those on these measures of a contract or an underlying. */
export function useAlerts(of: string, measures: readonly Measure[]): ShownAlerts {
  const { stores, watchDesk } = useTerminal();
  const isWatching = useStore(stores.view, (view) => view.isWatching);
  const [desk, setDesk] = useState<WatchDesk | null>(null);
  useEffect(() => {
    let isGone = false;
    if (isWatching) void watchDesk().then((opened) => !isGone && setDesk(opened));
    return () => {
      isGone = true;
    };
  }, [isWatching, watchDesk]);
  const all = useStore(desk?.watched ?? NOTHING, (watched) => watched.alerts);
  const alerts = useMemo(
    () => all.filter((alert) => alert.of === of && measures.includes(alert.measure)),
    [all, of, measures],
  );
  return { desk, alerts };
}
