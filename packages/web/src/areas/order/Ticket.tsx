/** The order ticket: contract, price, and the order's effect on the account, before it is sent. */

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { focusField } from '../../kit/focus-field.ts';
import { LOADING, later } from '../../kit/later.tsx';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import { focusChain } from '../chain/chain-keys.ts';
import { contractOf, cutoffMs, sideOf, type Ticket as TicketState } from './core/form/order.ts';
import type { TicketDesk } from './core/ticket/desk.ts';
import { EmptyTicket } from './EmptyTicket.tsx';
import { TicketOrder, TicketPrice } from './TicketOrder.tsx';
import './Ticket.css';

const Expired = later(async () => (await import('./Expired.tsx')).Expired);

const WatchStar = later(async () => (await import('../watch/late.ts')).WatchStar);

export function Ticket(): ReactNode {
  const { stores, market, desk, actions } = useTerminal();
  const ticket = useStore(stores.ticket, (state) => state);
  const isOver = useIsOver(ticket);
  const qtyField = useRef<HTMLInputElement>(null);
  const seriesId = contractOf(ticket);
  const opening = ticket.isOpen ? ticket.no : 0;
  useTicketFocus(opening, qtyField);
  // Another opening begins with the order, whose quantity has the focus.
  const [ladderOf, setLadderOf] = useState(0);
  const hasLadder = ladderOf === opening;
  if (seriesId === null) return <EmptyTicket />;
  const leg = market.legOf(seriesId) ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') desk.close();
    else if (!pressInTicket(desk, event)) return;
    event.preventDefault();
  };
  return (
    <section
      className="ticket"
      data-side={sideOf(ticket)}
      data-is-sent={ticket.sending !== 'no' || undefined}
      onKeyDown={onKeyDown}
      aria-label="Order ticket"
    >
      <header className="ticket-head">
        <h2>{seriesLabel(seriesId)}</h2>
        <Suspense fallback={<span className="close" aria-hidden="true" />}>
          <WatchStar name={seriesId} />
        </Suspense>
        <button
          type="button"
          className="close"
          aria-label="Add as a leg of a strategy"
          onClick={() => actions.addLeg({ seriesId }, sideOf(ticket))}
        >
          +
        </button>
        <button type="button" className="close" aria-label="Close the ticket" onClick={() => desk.close()}>
          ✕
        </button>
      </header>
      {!isOver && (
        <div className="ticket-top">
          <TicketPrice leg={leg} ticket={ticket} />
          <button
            type="button"
            className="chip"
            aria-pressed={hasLadder}
            onClick={() => setLadderOf(hasLadder ? 0 : opening)}
          >
            Ladder
          </button>
        </div>
      )}
      {isOver ? (
        <Suspense fallback={LOADING}>
          <Expired seriesId={seriesId} />
        </Suspense>
      ) : (
        <TicketOrder {...{ ticket, leg, qtyField, hasLadder }} />
      )}
    </section>
  );
}

/** Moves the focus into the ticket at each opening, and back when it closes, by hand or after the order. */
function useTicketFocus(opening: number, field: RefObject<HTMLInputElement | null>): void {
  const cameFrom = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    const focused = document.activeElement;
    if (opening > 0) {
      cameFrom.current = focused;
      if (field.current !== null) focusField(field.current);
    } else if (wasOpen.current && (focused === null || focused === document.body)) {
      focusAgain(cameFrom.current);
    }
    wasOpen.current = opening > 0;
  }, [opening, field]);
}

/** Falls back to the chain's tab stop if the element is gone: a closed position has no row any more. */
function focusAgain(element: Element | null): void {
  const isThere = element instanceof HTMLElement && element.isConnected && element !== document.body;
  if (isThere) element.focus({ preventScroll: true });
  else focusChain();
}

/** True when the cutoff has passed and no order is waiting for its answer. */
function useIsOver({ legs, sending }: TicketState): boolean {
  const nowMs = useVenueNow();
  return sending === 'no' && nowMs >= cutoffMs(legs);
}

/**
 * Handles a key: U takes the touch, B and S set the side, Ctrl+Enter sends. Returns whether it did. The order's fields
 * take no letters; those of the sign-in do, and the list of times in force.
 */
function pressInTicket(desk: TicketDesk, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  const isWithin = (part: string) => (event.target as HTMLElement).closest(part) !== null;
  if (isWithin('.sign-in')) return false;
  if ((ctrlKey || metaKey) && key === 'Enter') sendOrSignIn(desk, event);
  else if (ctrlKey || metaKey || altKey || isWithin('.more')) return false;
  else if (key === 'u' || key === 'U') desk.takeTouch();
  else if (key === 'b' || key === 'B') desk.edit({ side: 'buy' });
  else if (key === 's' || key === 'S') desk.edit({ side: 'sell' });
  else return false;
  return true;
}

/** Signed out, the press that would send leads to the sign-in. */
function sendOrSignIn(desk: TicketDesk, { currentTarget }: KeyboardEvent): void {
  void desk.send();
  currentTarget.querySelector<HTMLElement>('.sign-in button')?.focus();
}
