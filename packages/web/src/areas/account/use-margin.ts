/** The venue's margin report, polled while somebody looks at it. */

import type { MarginReport } from '@venue/protocol';
import { useEffect, useState } from 'react';
import { useStore, useTerminal } from '../../terminal/terminal.ts';

const READ_EVERY_MS = 5_000;

/** Null before the first, and while not wanted. Read again whenever the account's figures change. */
export function useMarginReport(isWanted: boolean): MarginReport | null {
  const { client, stores } = useTerminal();
  const [report, setReport] = useState<MarginReport | null>(null);
  const stamp = useStore(stores.holdings, ({ account, marginMode }) =>
    [
      account?.cash,
      account?.openOrderCount,
      account?.marginCall,
      account?.maintenanceMargin,
      marginMode,
    ].join(' '),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp is what a new read is for
  useEffect(() => {
    if (!isWanted) {
      setReport(null);
      return undefined;
    }
    let isGone = false;
    const read = async () => {
      if (stores.link.getState().state === 'offline') return;
      const next = await client.account.margin().catch(() => null);
      if (!isGone && next !== null) setReport(next);
    };
    void read();
    const timer = setInterval(() => void read(), READ_EVERY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [client, stores, isWanted, stamp]);
  return isWanted ? report : null;
}
