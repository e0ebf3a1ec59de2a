/** The tour on paper money: four steps, of which three are taken by doing what they say (TERM-19). */

/** The last is `wait` while the order rests, as its price has moved away, and `close` once it has traded. */
export type TourStep = 'price' | 'read' | 'send' | 'wait' | 'close';

const NUMBERS: Readonly<Record<TourStep, number>> = { price: 1, read: 2, send: 3, wait: 4, close: 4 };

/** The number of a step, as "Step 3 of 4". */
export function placeInTour(step: TourStep): string {
  return `Step ${NUMBERS[step]} of ${NUMBERS.close}`;
}

/** How far the person is, as the page's stores have it. */
export interface Progress {
  /** True while a ticket is open on a contract that trades. */
  readonly hasTicket: boolean;
  /** Contracts held. */
  readonly positions: number;
  /** Resting orders. */
  readonly resting: number;
}

/** A tour under way. */
export interface Tour {
  readonly step: TourStep;
  /** Before the order of the tour. */
  readonly positionsBefore: number;
  readonly restingBefore: number;
  /** The most since then: one less is the close of the tour. */
  readonly positionsAfter: number;
}

/** Begins with the first step; a ticket that is open already counts as its price. */
export function begin({ hasTicket, positions, resting }: Progress): Tour {
  return {
    step: hasTicket ? 'read' : 'price',
    positionsBefore: positions,
    restingBefore: resting,
    positionsAfter: positions,
  };
}

/**
 * The tour after something has changed: the next step where this one was done, the first again where the ticket was
 * closed unsent, null at the end. Returns the same tour where nothing of it has changed.
 */
export function follow(tour: Tour, progress: Progress): Tour | null {
  const { step, positionsBefore, restingBefore, positionsAfter } = tour;
  const { hasTicket, positions, resting } = progress;
  const isSent = step === 'close' || step === 'wait';
  if (step === 'close' && positions < positionsAfter) return null;
  const last = resting > restingBefore ? 'wait' : positions > positionsBefore ? 'close' : null;
  if (last !== null) {
    const most = Math.max(positions, positionsAfter);
    return step === last && most === positionsAfter ? tour : { ...tour, step: last, positionsAfter: most };
  }
  if (isSent) return null;
  // What leaves meanwhile, as by an expiry, was no part of it.
  if (positions < positionsBefore || resting < restingBefore) return { ...begin(progress), step };
  if (step === 'price') return hasTicket ? { ...tour, step: 'read' } : tour;
  return hasTicket ? tour : { ...tour, step: 'price' };
}

/** The tour after the person has pressed the button of a step that asks for nothing else; null at the end. */
export function goOn(tour: Tour): Tour | null {
  if (tour.step === 'read') return { ...tour, step: 'send' };
  return tour.step === 'close' ? null : tour;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Between the card, what it points at, and the edge of the window, in px. */
const GAP_PX = 12;

/**
 * Where a card of this size stands beside what it points at, without covering it and whole in the window: left, below,
 * above or right of it, in this order. With nothing to point at it stands at the middle of the lower edge; with no room
 * beside that, of the upper edge: below are the buttons of a phone's ticket.
 */
export function placeOf(card: Size, target: Box | null, room: Size): { left: number; top: number } {
  const within = (at: number, size: number, whole: number) =>
    Math.max(GAP_PX, Math.min(at, whole - size - GAP_PX));
  if (target !== null) {
    const { left, top, width, height } = target;
    const beside = within(top, card.height, room.height);
    const along = within(left, card.width, room.width);
    const places = [
      { left: left - card.width - GAP_PX, top: beside },
      { left: along, top: top + height + GAP_PX },
      { left: along, top: top - card.height - GAP_PX },
      { left: left + width + GAP_PX, top: beside },
    ];
    const fits = (at: { left: number; top: number }) =>
      at.left >= GAP_PX &&
      at.top >= GAP_PX &&
      at.left + card.width <= room.width - GAP_PX &&
      at.top + card.height <= room.height - GAP_PX;
    const place = places.find(fits);
    if (place !== undefined) return place;
  }
  return {
    left: within((room.width - card.width) / 2, card.width, room.width),
    top: target === null ? within(room.height, card.height, room.height) : GAP_PX,
  };
}
