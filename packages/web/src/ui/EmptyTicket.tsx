/** The ticket without an order: a lesson before the account's first trade, and from then on the contract traded last. */

import { type ReactNode, Suspense } from 'react';
import { later } from '../kit/later.tsx';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { TourButton } from './TourButton.tsx';

const LastTraded = later(async () => (await import('./LastTraded.tsx')).LastTraded);

export function EmptyTicket(): ReactNode {
  const { stores } = useTerminal();
  const lastTraded = useStore(stores.view, (view) => view.lastTraded);
  const hasTraded = useStore(stores.holdings, ({ fills, positions }) => fills.length + positions.size > 0);
  return (
    <div className="ticket empty">
      <h2>Ticket</h2>
      {lastTraded !== null && (
        <Suspense fallback={<div className="last-traded-room" />}>
          <LastTraded seriesId={lastTraded} />
        </Suspense>
      )}
      <p className={hasTraded ? 'muted' : undefined}>Choose a price: ask to buy, bid to sell.</p>
      {!hasTraded && <Lesson />}
    </div>
  );
}

function Lesson(): ReactNode {
  return (
    <>
      <p>
        <kbd>Enter</kbd> does it from the keyboard, <kbd>?</kbd> shows all keys.
      </p>
      <p>With Shift, or held, a price becomes a leg of a strategy.</p>
      <TourButton />
    </>
  );
}
