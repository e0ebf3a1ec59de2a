/** Positions: each with its profit or loss, and a button to close it. */

import type { Position } from '@venue/protocol';
import { type ReactNode, Suspense } from 'react';
import { heldStage } from '../core/chain/expiry-stage.ts';
import { formatPnl, formatPosition, formatPrice, priceDecimals } from '../core/numbers.ts';
import { isCombo } from '../core/tray/is-combo.ts';
import { later } from '../kit/later.tsx';
import { type RowColumn, Rows } from '../kit/Rows.tsx';
import { seriesLabel } from '../kit/series-label.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { pnlClass, sideClass } from '../kit/tones.ts';
import { usePositions } from './use-positions.ts';
import { useVenueNow } from './use-venue-now.ts';

const CloseAll = later(async () => (await import('./panels.ts')).CloseAll);

export function Positions(): ReactNode {
  const { stores } = useTerminal();
  const positions = usePositions();
  const inReview = useStore(stores.listing, (listing) => listing.inReview);
  const nowMs = useVenueNow();
  const trading = positions.filter((position) => heldStage(position, { inReview, nowMs }) === 'trading');
  const closeColumn: RowColumn<Position> = {
    head: 'Close',
    isAct: true,
    cell: (position) => {
      const stage = heldStage(position, { inReview, nowMs });
      return stage === 'trading' ? <PositionButtons position={position} /> : WAITS[stage];
    },
  };
  if (positions.length === 0) return <p className="muted">No open positions. What you trade appears here.</p>;
  return (
    <>
      <Rows
        label="Positions"
        items={positions}
        keyOf={({ seriesId }) => seriesId}
        columns={[...columnsOf(positions), closeColumn]}
      />
      <div className="acts muted marks-hint">
        <CloseTogether positions={trading} />
        {trading.length > 1 && (
          <Suspense fallback={null}>
            <CloseAll positions={trading} />
          </Suspense>
        )}
        Marks are the venue’s, and value your account.
        <button type="button" onClick={() => stores.view.setState({ panel: 'Account', isOnPanel: true })}>
          How they come about
        </button>
      </div>
    </>
  );
}

/** Shown for a contract that can no longer be traded. */
const WAITS = { settling: 'Settling', review: 'In review' } as const;

function PositionButtons({ position }: { readonly position: Position }): ReactNode {
  const { actions } = useTerminal();
  const { seriesId, qty } = position;
  const label = seriesLabel(seriesId);
  return (
    <>
      <button type="button" aria-label={`Close ${label}`} onClick={() => actions.closePosition(seriesId)}>
        Close…
      </button>{' '}
      <button
        type="button"
        aria-label={`Roll ${label}`}
        title="To the next expiry with its strike, by one order"
        onClick={() => actions.openTray((tray) => tray.roll({ seriesId, qty }))}
      >
        Roll…
      </button>
    </>
  );
}

/** A button for each underlying whose positions one combo can close. */
function CloseTogether({ positions }: { readonly positions: readonly Position[] }): ReactNode {
  const { actions } = useTerminal();
  return [...Map.groupBy(positions, ({ symbol }) => symbol)].map(([symbol, held]) =>
    isCombo(held) ? (
      <button key={symbol} type="button" onClick={() => actions.openTray((tray) => tray.closeAll(held))}>
        Close {held.length} {symbol} positions as one order…
      </button>
    ) : null,
  );
}

/** Both prices of a row are side by side and share their decimals. */
function columnsOf(positions: readonly Position[]): readonly RowColumn<Position>[] {
  const cents = priceDecimals(positions.flatMap(({ avgPrice, mark }) => [avgPrice, mark]));
  return [
    { head: 'Contract', cell: ({ seriesId }) => seriesLabel(seriesId) },
    {
      head: 'Position',
      cell: ({ qty }) => `${formatPosition(qty)} ${sideClass(qty)}`,
      className: ({ qty }) => sideClass(qty),
    },
    { head: 'Avg price', cell: ({ avgPrice }) => formatPrice(avgPrice, cents) },
    { head: 'Mark', cell: ({ mark }) => formatPrice(mark, cents) },
    { head: 'Value', cell: ({ qty, mark }) => formatPnl(qty * mark) },
    {
      head: 'Unrealised P&L',
      cell: ({ unrealized }) => formatPnl(unrealized),
      className: ({ unrealized }) => pnlClass(unrealized),
    },
    {
      head: 'Realised P&L',
      cell: ({ realized }) => formatPnl(realized),
      className: ({ realized }) => pnlClass(realized),
    },
  ];
}
