/** The dock's tab of real money: its script is fetched when it is first opened. */

import { lazy, type ReactNode, Suspense } from 'react';

const Funds = lazy(async () => ({ default: (await import('./Funds.tsx')).Funds }));

export function FundsTab(): ReactNode {
  return (
    <Suspense fallback={<p className="muted">Loading…</p>}>
      <Funds />
    </Suspense>
  );
}
