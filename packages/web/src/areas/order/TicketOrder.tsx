/** The order of the ticket: its fields, its market, what it would do, and the button that sends it. */

import { lazy, type ReactNode, type RefObject, Suspense, useId } from 'react';
import { formatLimit, formatPrice, parseAmount } from '../../basics/numbers.ts';
import { LOADING, later } from '../../kit/later.tsx';
import { SignIn } from '../../kit/SignIn.tsx';
import { Term } from '../../kit/Term.tsx';
import type { Leg } from '../../market/market.ts';
import { seriesLabel } from '../../market/series-label.ts';
import type { Touch as TouchPrices } from '../../market/touch.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useLegFigures, useTouch } from '../../terminal/use-market.ts';
import { askAlert } from '../watch/ask-alert.ts';
import { Consequences } from './Consequences.tsx';
import { contractOf, type Ticket as TicketState } from './core/form/order.ts';
import { ownLimit } from './core/ticket/bound.ts';
import { coveredSale } from './core/ticket/covered-sale.ts';
import { sendWords } from './core/ticket/send-words.ts';
import { termsOf } from './core/ticket/terms.ts';
import { OrderForm } from './OrderForm.tsx';
import { SendButton } from './SendButton.tsx';
import { TicketFigures } from './TicketFigures.tsx';
import { Verdict } from './Verdict.tsx';

/** The value of the contract, large, and what moves it. */
export function TicketPrice({
  leg,
  ticket,
}: {
  readonly leg: Leg | null;
  readonly ticket: TicketState;
}): ReactNode {
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
          <OffChainFigures seriesId={contractOf(ticket)!} mark={mark} />
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

const Ladder = later(async () => (await import('./Ladder.tsx')).Ladder);

const MarginOffer = later(async () => (await import('./tray/MarginOffer.tsx')).MarginOffer);

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

interface TicketOrderProps {
  readonly ticket: TicketState;
  /** Null for a contract that is not on the chain. */
  readonly leg: Leg | null;
  readonly qtyField: RefObject<HTMLInputElement | null>;
  /** True while the ladder is shown in the fields' place. */
  readonly hasLadder: boolean;
}

/** The scrolling part, and below it, always visible, the verdict and the send button. */
export function TicketOrder({ ticket, leg, qtyField, hasLadder }: TicketOrderProps): ReactNode {
  const { stores, desk } = useTerminal();
  const session = useStore(stores.session, (state) => state.state);
  const formId = useId();
  const seriesId = contractOf(ticket)!;
  const { mark } = useTicketTouch(leg, ticket);
  const early = ticket.advice === null ? desk.adviceOnPreview(ticket) : null;
  const isOff = (ticket.advice?.advice ?? early)?.kind === 'margin-off';
  const sale = useCoveredSale(ticket);
  return (
    <>
      {hasLadder && (
        <div className="ticket-body">
          <Suspense fallback={LOADING}>
            <Ladder seriesId={seriesId} />
          </Suspense>
        </div>
      )}
      <div className="ticket-body" hidden={hasLadder}>
        <OrderForm id={formId} ticket={ticket} qtyField={qtyField} />
        <Suspense fallback={null}>
          <SettlesNear seriesId={seriesId} />
        </Suspense>
        <Touch leg={leg} ticket={ticket} />
        {session === 'ready' ? <Consequences ticket={ticket} mark={mark} /> : <SignIn />}
        <Suspense fallback={<div className="payoff-room" />}>
          <PayoffPicture ticket={ticket} />
        </Suspense>
        <AlertButton seriesId={seriesId} />
      </div>
      <footer className="ticket-foot">
        <Verdict {...{ order: ticket, early, desk }} isOffered={isOff && sale !== null}>
          {sale !== null && (
            <Suspense fallback={null}>
              <MarginOffer terms={sale} isOff={isOff} />
            </Suspense>
          )}
        </Verdict>
        <Suspense fallback={<p className="order-outcome" />}>
          <TicketOutcome ticket={ticket} mark={mark} />
        </Suspense>
        <SendButton
          formId={formId}
          sending={ticket.sending}
          isWhole={termsOf(ticket) !== null}
          words={sendWords(ticket, seriesLabel(seriesId))}
        />
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

/** The touch from the chain, or from the contract's own book if it is not on it. */
function useTicketTouch(leg: Leg | null, { touch }: TicketState): TouchPrices {
  const onChain = useTouch(leg);
  return (leg === null ? touch : null) ?? onChain;
}

/** The current market beside the ticket's price, which stays as it was picked; the bound of a close follows by itself. */
function Touch({ leg, ticket }: { readonly leg: Leg | null; readonly ticket: TicketState }): ReactNode {
  const { desk } = useTerminal();
  const { bid, ask, mark } = useTicketTouch(leg, ticket);
  const touch = ownLimit(ticket, { bid, ask, mark });
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
