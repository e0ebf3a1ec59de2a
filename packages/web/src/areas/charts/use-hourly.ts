/** Rows that the venue samples by the hour: read when they are shown, and again after a lost connection. */

import { UnavailableError } from '@venue/sdk/browser';
import { useEffect, useState } from 'react';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import type { HistoryState } from '../../terminal/use-candles.ts';

const AGAIN_MS = 15_000;

export interface Hourly<T> {
  /** Null before the first answer. */
  readonly rows: readonly T[] | null;
  readonly state: HistoryState;
}

const NOTHING = { rows: null, state: 'reading' } as const;

/** @param of what they are rows of; null reads none. `read` is called again when it changes. */
export function useHourly<T>(of: string | null, read: () => Promise<readonly T[]>): Hourly<T> {
  const { stores } = useTerminal();
  const isOut = useStore(stores.link, ({ state }) => state === 'stale' || state === 'offline');
  const [known, setKnown] = useState<Hourly<T> & { readonly of: string | null }>({ ...NOTHING, of: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read depends on nothing else
  useEffect(() => {
    if (of === null || isOut) return undefined;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const next = await read().then(
        (rows): Hourly<T> => ({ rows, state: 'read' }),
        (error): Hourly<T> => ({ rows: [], state: error instanceof UnavailableError ? 'none' : 'failed' }),
      );
      if (isGone) return;
      setKnown({ ...next, of });
      if (next.state !== 'read') timer = setTimeout(() => void look(), AGAIN_MS);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [of, isOut]);
  return known.of === of ? known : NOTHING;
}
