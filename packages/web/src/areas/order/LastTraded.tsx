/** The contract that the ticket traded last: what is held of it now, and its next order by one press. */

import type { Position } from '@venue/protocol';
import type { ReactNode } from 'react';
import { formatPosition, formatPrice } from '../../basics/numbers.ts';
import { Own } from '../../kit/Own.tsx';
import { sideClass } from '../../kit/tones.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';

export function LastTraded({ seriesId }: { readonly seriesId: string }): ReactNode {
  const { stores, desk, actions } = useTerminal();
  const position = useStore(stores.holdings, ({ positions }) => positions.get(seriesId));
  const label = seriesLabel(seriesId);
  return (
    <section className="last-traded" aria-label="Traded last">
      <strong>{label}</strong>
      <Own what="your position">
        <HeldLine position={position} />
      </Own>
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
