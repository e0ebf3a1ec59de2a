/** The ticket without an order: a lesson before the account's first trade, and from then on the contract traded last. */

import type { Position } from '@venue/protocol';
import type { ReactNode } from 'react';
import { formatPosition, formatPrice } from '../core/numbers.ts';
import { seriesLabel } from '../kit/series-label.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { sideClass } from '../kit/tones.ts';
import { TourButton } from './TourButton.tsx';

export function EmptyTicket(): ReactNode {
  const { stores } = useTerminal();
  const lastTraded = useStore(stores.view, (view) => view.lastTraded);
  const hasTraded = useStore(stores.holdings, ({ fills, positions }) => fills.length + positions.size > 0);
  return (
    <div className="ticket empty">
      <h2>Ticket</h2>
      {lastTraded !== null && <LastTraded seriesId={lastTraded} />}
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

/** What is held of it now, and its next order by one press. */
function LastTraded({ seriesId }: { readonly seriesId: string }): ReactNode {
  const { stores, desk, actions } = useTerminal();
  const position = useStore(stores.holdings, ({ positions }) => positions.get(seriesId));
  const label = seriesLabel(seriesId);
  return (
    <section className="last-traded" aria-label="Traded last">
      <strong>{label}</strong>
      <HeldLine position={position} />
      <div className="acts">
        {(['buy', 'sell'] as const).map((side) => (
          <button
            key={side}
            type="button"
            aria-label={`${SIDES[side]} ${label} again`}
            onClick={() => desk.open({ seriesId, side })}
          >
            {SIDES[side]}
          </button>
        ))}
        {position !== undefined && (
          <button type="button" aria-label={`Close ${label}`} onClick={() => actions.closePosition(seriesId)}>
            Close…
          </button>
        )}
      </div>
    </section>
  );
}

const SIDES = { buy: 'Buy', sell: 'Sell' } as const;

function HeldLine({ position }: { readonly position: Position | undefined }): ReactNode {
  if (position === undefined) return <p className="muted">No position.</p>;
  const { qty, avgPrice } = position;
  return (
    <p>
      <span className={sideClass(qty)}>
        {formatPosition(qty)} {sideClass(qty)}
      </span>{' '}
      at {formatPrice(avgPrice)}
    </p>
  );
}
