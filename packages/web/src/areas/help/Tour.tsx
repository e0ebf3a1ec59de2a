/** The card of the tour, beside what it points at. It takes no focus and no place from the page, and Escape ends it. */

import type { OpenOrder } from '@venue/protocol';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { formatExact, formatPrice } from '../../basics/numbers.ts';
import type { Stores } from '../../terminal/stores.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useBook } from '../../terminal/use-books.ts';
import { editOf, readEdit } from '../book/core/order-edit.ts';
import {
  type Box,
  begin,
  follow,
  goOn,
  type Progress,
  placeInTour,
  placeOf,
  type Tour as TourState,
  type TourStep,
} from './core/tour.ts';
import styles from './Tour.module.css';

interface Words {
  readonly title: string;
  readonly text: string;
  /** The text of the button, where a step asks for nothing but to be read. */
  readonly next?: string;
  /** The parts it points at: the first of these that is in sight. */
  readonly targets: readonly string[];
}

const WORDS: Readonly<Record<TourStep, Words>> = {
  price: {
    title: 'Press a price',
    text: 'An ask buys, a bid sells. Nothing is sent yet.',
    targets: ['tr[data-at-the-money] td.call.ask', 'tr[data-at-the-money] td.ask', '.phone-tabs button'],
  },
  read: {
    title: 'Read what it would do',
    text: 'The ticket shows the cost of the order, the most it can lose, and your buying power afterwards.',
    next: 'Next',
    targets: ['.ticket'],
  },
  send: {
    title: 'Send it',
    text: 'It is paper money. The button states the whole order; without an account, open a paper account first.',
    targets: ['.ticket .send', '.ticket .sign-in', '.ticket'],
  },
  wait: {
    title: 'It waits',
    text: 'The price has moved since you pressed it, so the order rests until somebody meets it.',
    targets: ['.dock [aria-label^="Edit order"]', '.dock [role="tab"]', '.phone-tabs button:nth-child(2)'],
  },
  close: {
    title: 'Close it',
    text: 'Positions shows what you hold and what it is worth now. Close… sells it.',
    next: 'Done',
    targets: ['.dock [aria-label^="Close "]', '.dock [role="tab"]', '.phone-tabs button:nth-child(2)'],
  },
};

/** Where the target is looked for again: what it points at comes, goes and scrolls. */
const LOOK_MS = 250;

export function Tour(): ReactNode {
  const { stores } = useTerminal();
  const [tour, goTo] = useTour(stores);
  const card = useRef<HTMLElement>(null);
  const [target, setTarget] = useState<Box | null>(null);
  const { step } = tour;
  useLayoutEffect(() => {
    const look = () => {
      const found = targetOf(WORDS[step].targets);
      setTarget((known) => (isSame(known, found) ? known : found));
      place(card.current!, found);
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    addEventListener('resize', look);
    return () => {
      clearInterval(timer);
      removeEventListener('resize', look);
    };
  }, [step]);
  const { title, text, next } = WORDS[step];
  return (
    <>
      {target !== null && (
        <div className={styles.ring} aria-hidden="true" ref={(ring) => surround(ring, target)} />
      )}
      <section ref={card} className={styles.tour} aria-label="Tour">
        <div aria-live="polite">
          <p className="muted">{placeInTour(step)}</p>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        <div className="acts">
          {step === 'wait' && <Waiting />}
          {next !== undefined && (
            <button type="button" className="primary" onClick={() => goTo(goOn(tour))}>
              {next}
            </button>
          )}
          <button type="button" onClick={() => goTo(null)}>
            End the tour
          </button>
        </div>
      </section>
    </>
  );
}

/** Moves the newest order to the price at which it would trade now, or takes it back. */
function Waiting(): ReactNode {
  const { stores, actions } = useTerminal();
  const order = useStore(stores.holdings, ({ account }) => newestOf(account?.openOrders ?? []));
  const book = useBook(order?.seriesId ?? null);
  if (order === null) return null;
  const best = (order.side === 'buy' ? book?.asks : book?.bids)?.[0]?.price;
  const move = () => {
    const read = readEdit({ ...editOf(order), price: formatExact(best!) });
    if (read.kind === 'change') void actions.amendOrder(order, read.action);
  };
  return (
    <>
      {best !== undefined && (
        <button type="button" className="primary" onClick={move}>
          {order.side === 'buy' ? 'Raise' : 'Lower'} it to {formatPrice(best)}
        </button>
      )}
      <button type="button" onClick={() => actions.cancelOrder(order.id)}>
        Cancel it
      </button>
    </>
  );
}

function newestOf(orders: readonly OpenOrder[]): OpenOrder | null {
  return orders.reduce<OpenOrder | null>((a, b) => (a === null || b.id > a.id ? b : a), null);
}

/** The tour as the person goes on; at its end it leaves the page. */
function useTour(stores: Stores): [TourState, (next: TourState | null) => void] {
  const hasTicket = useStore(stores.ticket, ({ isOpen }) => isOpen);
  const resting = useStore(stores.holdings, ({ orders }) => countOf(orders));
  const positions = useStore(stores.holdings, (holdings) => holdings.positions.size);
  const progress: Progress = { hasTicket, positions, resting };
  const [tour, setTour] = useState(() => begin(progress));
  const next = follow(tour, progress);
  const goTo = (to: TourState | null) => {
    if (to === null) stores.view.setState({ isOnTour: false });
    else setTour(to);
  };
  useEffect(() => {
    if (next !== tour) goTo(next);
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) stores.view.setState({ isOnTour: false });
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [stores]);
  return [tour, goTo];
}

function countOf(orders: ReadonlyMap<string, readonly unknown[]>): number {
  let count = 0;
  for (const some of orders.values()) count += some.length;
  return count;
}

/** The first target that is in sight, in the window's coordinates. */
function targetOf(selectors: readonly string[]): Box | null {
  for (const selector of selectors)
    for (const one of document.querySelectorAll(selector)) {
      const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
      const isInSight = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      if (width > 0 && isInSight && one.checkVisibility()) return { left, top, width, height };
    }
  return null;
}

function isSame(one: Box | null, other: Box | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function place(card: HTMLElement, target: Box | null): void {
  const size = { width: card.offsetWidth, height: card.offsetHeight };
  const { left, top } = placeOf(size, target, { width: innerWidth, height: innerHeight });
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
}

function surround(ring: HTMLElement | null, { left, top, width, height }: Box): void {
  if (ring === null) return;
  Object.assign(ring.style, {
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
  });
}
