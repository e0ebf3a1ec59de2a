/** The charts' container: loads their script on first view, and handles a failed load. */

import { type ReactNode, useEffect, useState } from 'react';
import { useAnnouncement } from '../../terminal/use-announcement.ts';

const MISSING = 'The charts could not be loaded.';

type Panel = () => ReactNode;

let loaded: Panel | null = null;

export function ChartsPanel(): ReactNode {
  const [Charts, setCharts] = useState<Panel | null>(() => loaded);
  const [tries, setTries] = useState(1);
  const [isMissing, setMissing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try is one more
  useEffect(() => {
    if (Charts !== null) return undefined;
    let isGone = false;
    import('./Charts.tsx').then(
      (module) => {
        loaded = module.Charts;
        if (!isGone) setCharts(() => module.Charts);
      },
      () => !isGone && setMissing(true),
    );
    return () => {
      isGone = true;
    };
  }, [Charts, tries]);
  useAnnouncement(isMissing ? MISSING : null);
  if (Charts !== null) return <Charts />;
  if (!isMissing) return <p className="muted">Loading the charts…</p>;
  return (
    <p>
      {MISSING} If the venue was updated meanwhile, load the page again.{' '}
      <button
        type="button"
        onClick={() => {
          setMissing(false);
          setTries(tries + 1);
        }}
      >
        Try again
      </button>
    </p>
  );
}
