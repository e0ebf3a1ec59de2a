/** The order ticket: contract, price, and the order's effect on the account, before it is sent. */

import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { formatLimit, formatPrice, parseAmount } from '../../basics/numbers.ts';
import { focusField } from '../../kit/focus-field.ts';
import { LOADING, later } from '../../kit/later.tsx';
import { SignIn } from '../../kit/SignIn.tsx';
import { Term } from '../../kit/Term.tsx';
import type { Leg } from '../../market/market.ts';
import { seriesLabel } from '../../market/series-label.ts';
import type { Touch as TouchPrices } from '../../market/touch.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useLegFigures, useTouch } from '../../terminal/use-market.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import { focusChain } from '../chain/chain-keys.ts';
import { askAlert } from '../watch/ask-alert.ts';
import { Consequences } from './Consequences.tsx';
import { limitOf } from './core/ticket/bound.ts';
import { coveredSale } from './core/ticket/covered-sale.ts';
import type { TicketDesk } from './core/ticket/desk.ts';
import { sendWords } from './core/ticket/send-words.ts';
import type { Ticket as TicketState } from './core/ticket/state.ts';
import { cutoffMs, termsOf } from './core/ticket/terms.ts';
import { EmptyTicket } from './EmptyTicket.tsx';
import { OrderForm } from './OrderForm.tsx';
import { SendLines } from './SendLines.tsx';
import { OFFERED, Verdict } from './TicketAdvice.tsx';
import { TicketFigures } from './TicketFigures.tsx';
import './Ticket.css';

export function Ticket(): ReactNode {
  const { stores, market, desk, actions } = useTerminal();
  const ticket = useStore(stores.ticket, (state) => state);
  const isOver = useIsOver(ticket);
  const qtyField = useRef<HTMLInputElement>(null);
  const { seriesId, opening } = ticket;
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
      data-side={ticket.side}
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
          onClick={() => actions.addLeg({ seriesId }, ticket.side)}
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
        <Order {...{ ticket, leg, qtyField, hasLadder }} />
      )}
    </section>
  );
}

/** What the contract is worth, large, and what moves it. */
function TicketPrice({ leg, ticket }: { readonly leg: Leg | null; readonly ticket: TicketState }): ReactNode {
  const { mark } = useTicketTouch(leg, ticket);
  return (
    <dl className="ticket-price">
      <div>
        <dt>
          <Term of="mark">Mark</Term>
        </dt>
        <dd className="large">{formatPrice(mark)}</dd>
      </div>
      {leg === null ? (
        <Suspense fallback={<TicketFigures delta={Number.NaN} iv={Number.NaN} />}>
          <OffChainFigures seriesId={ticket.seriesId!} mark={mark} />
        </Suspense>
      ) : (
        <OnChainFigures leg={leg} />
      )}
    </dl>
  );
}

function OnChainFigures({ leg }: { readonly leg: Leg }): ReactNode {
  return <TicketFigures {...useLegFigures(leg)} />;
}

const OffChainFigures = later(async () => (await import('./OffChainFigures.tsx')).OffChainFigures);

/** Loaded with the first ticket. An order neither waits for its picture nor depends on it. */
const PayoffPicture = lazy(() =>
  import('./PayoffPicture.tsx').then(
    (module) => ({ default: module.PayoffPicture }),
    () => ({ default: () => null }),
  ),
);

const SettlesNear = later(async () => (await import('../chain/SettlesNear.tsx')).SettlesNear);

const TicketOutcome = later(async () => (await import('./TicketOutcome.tsx')).TicketOutcome);

const Expired = later(async () => (await import('./Expired.tsx')).Expired);

const Ladder = later(async () => (await import('./Ladder.tsx')).Ladder);

const MarginOffer = later(async () => (await import('./tray/MarginOffer.tsx')).MarginOffer);

const WatchStar = later(async () => (await import('../watch/WatchStar.tsx')).WatchStar);

function AlertButton({ seriesId }: { readonly seriesId: string }): ReactNode {
  const terminal = useTerminal();
  return (
    <p className="acts">
      <button type="button" onClick={() => void askAlert(terminal, seriesId).catch(() => {})}>
        Set an alert…
      </button>
    </p>
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

interface OrderProps {
  readonly ticket: TicketState;
  /** Null for a contract that is not on the chain. */
  readonly leg: Leg | null;
  readonly qtyField: RefObject<HTMLInputElement | null>;
  /** True while the ladder is shown in the fields' place. */
  readonly hasLadder: boolean;
}

/** The scrolling part, and below it, always visible, the verdict and the send button. */
function Order({ ticket, leg, qtyField, hasLadder }: OrderProps): ReactNode {
  const { stores, desk } = useTerminal();
  const session = useStore(stores.session, (state) => state.state);
  const formId = useId();
  const { mark } = useTicketTouch(leg, ticket);
  const early = ticket.advice === null ? desk.adviceOnPreview(ticket) : null;
  const isOff = (ticket.advice?.advice ?? early)?.kind === 'margin-off';
  const sale = useCoveredSale(ticket);
  const acts = {
    setQty: (qty: string) => desk.edit({ qty }),
    setLimit: (price: string) => desk.edit({ kind: 'limit', price }),
    lookAgain: () => void desk.lookAgain(),
    callOff: () => desk.callOff(),
    cancelFirst: () => void desk.send({ cancelsFirst: true }),
  };
  return (
    <>
      {hasLadder && (
        <div className="ticket-body">
          <Suspense fallback={LOADING}>
            <Ladder seriesId={ticket.seriesId!} />
          </Suspense>
        </div>
      )}
      <div className="ticket-body" hidden={hasLadder}>
        <OrderForm id={formId} ticket={ticket} qtyField={qtyField} />
        <Suspense fallback={null}>
          <SettlesNear seriesId={ticket.seriesId!} />
        </Suspense>
        <Touch leg={leg} ticket={ticket} />
        {session === 'ready' ? <Consequences ticket={ticket} mark={mark} /> : <SignIn />}
        <Suspense fallback={<div className="payoff-room" />}>
          <PayoffPicture ticket={ticket} />
        </Suspense>
        <AlertButton seriesId={ticket.seriesId!} />
      </div>
      <footer className="ticket-foot">
        <Verdict
          {...(isOff && sale !== null ? OFFERED : { order: ticket, early })}
          isSent={ticket.sending !== 'no'}
          acts={acts}
        >
          {sale !== null && (
            <Suspense fallback={null}>
              <MarginOffer terms={sale} isOff={isOff} />
            </Suspense>
          )}
        </Verdict>
        <Suspense fallback={<p className="order-outcome" />}>
          <TicketOutcome ticket={ticket} mark={mark} />
        </Suspense>
        <SendButton ticket={ticket} formId={formId} />
      </footer>
    </>
  );
}

/** The order, if it sells what the account's longs cover; null otherwise. */
function useCoveredSale(ticket: TicketState) {
  const { stores } = useTerminal();
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const order = termsOf(ticket);
  return order === null ? null : coveredSale(order.terms, positions);
}

/** True when the cutoff has passed and no order is waiting for its answer. */
function useIsOver({ seriesId, sending }: TicketState): boolean {
  const nowMs = useVenueNow();
  return seriesId !== null && sending === 'no' && nowMs >= cutoffMs(seriesId);
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

/** The touch from the chain, or from the contract's own book if it is not on it. */
function useTicketTouch(leg: Leg | null, { touch }: TicketState): TouchPrices {
  const onChain = useTouch(leg);
  return (leg === null ? touch : null) ?? onChain;
}

/** The current market beside the ticket's price, which stays as it was picked; the bound of a close follows by itself. */
function Touch({ leg, ticket }: { readonly leg: Leg | null; readonly ticket: TicketState }): ReactNode {
  const { desk } = useTerminal();
  const { bid, ask, mark } = useTicketTouch(leg, ticket);
  const touch = limitOf({ bid, ask, mark }, ticket);
  const typed = parseAmount(ticket.price);
  const isFollowing = ticket.isClosing && ticket.cautions.length === 0;
  const isMoved =
    ticket.kind === 'limit' &&
    !isFollowing &&
    !Number.isNaN(touch) &&
    !(typed.ok && typed.micros === Math.round(touch * 1e6));
  return (
    <div className="touch">
      <dl>
        {(
          [
            ['Bid', bid],
            ['Ask', ask],
          ] as const
        ).map(([label, price]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatLimit(price)}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="chip" title="U" hidden={!isMoved} onClick={() => desk.takeTouch()}>
        Update to {formatLimit(touch)}
      </button>
    </div>
  );
}

/** States what a press does; disabled only while the fields are no valid order. */
function SendButton({
  ticket,
  formId,
}: {
  readonly ticket: TicketState;
  readonly formId: string;
}): ReactNode {
  const { stores } = useTerminal();
  const session = useStore(stores.session, (state) => state.state);
  return (
    <button
      type="submit"
      form={formId}
      className="send"
      disabled={termsOf(ticket) === null || session !== 'ready' || ticket.sending !== 'no'}
    >
      <SendLines
        words={SENDING_TEXTS[ticket.sending] ?? sendWords(ticket, seriesLabel(ticket.seriesId ?? ''))}
      />
    </button>
  );
}

const SENDING_TEXTS: Partial<Record<TicketState['sending'], string>> = {
  sending: 'Sending…',
  unknown: 'Checking…',
};
