/**
 * The ticket without an order: a lesson before the account's first trade, from then on the contract traded last, and a
 * glance at markets and account.
 */

import { type ReactNode, Suspense } from 'react';
import { later } from '../../kit/later.tsx';
import { TourButton } from '../../kit/TourButton.tsx';
import { useMatches } from '../../kit/use-size.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';

const LastTraded = later(async () => (await import('./LastTraded.tsx')).LastTraded);

const Glance = later(async () => (await import('./Glance.tsx')).Glance);

export function EmptyTicket(): ReactNode {
  const { stores } = useTerminal();
  const lastTraded = useStore(stores.view, (view) => view.lastTraded);
  const hasTraded = useStore(stores.holdings, ({ fills, positions }) => fills.length + positions.size > 0);
  // Narrower pages show no ticket without an order.
  const hasRoom = useMatches('(width >= 1024px)');
  return (
    <div className="ticket empty">
      <h2>Ticket</h2>
      {lastTraded !== null && (
        <Suspense fallback={<div className="last-traded-room" />}>
          <LastTraded seriesId={lastTraded} />
        </Suspense>
      )}
      <p className={hasTraded ? 'muted' : undefined}>Click an ask to buy, a bid to sell.</p>
      {!hasTraded && <Lesson />}
      {hasRoom && (
        <Suspense fallback={null}>
          <Glance />
        </Suspense>
      )}
    </div>
  );
}

function Lesson(): ReactNode {
  return (
    <>
      <p>Shift-click or long-press prices to build a spread.</p>
      <p>
        Press <kbd>?</kbd> for shortcuts.
      </p>
      <TourButton />
    </>
  );
}
