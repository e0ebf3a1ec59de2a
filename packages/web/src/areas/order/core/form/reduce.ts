/** The order after an event: every change of ticket and tray is one of these, and none depends on anything else. */

import type { Side, Touch } from '../../../../market/touch.ts';
import { fitted, untilText } from './in-force.ts';
import { NO_ORDER, NOT_ASKED, type Order, type OrderAdvice, type Preview, sideOf } from './order.ts';

/** The parts of the order that a person types or chooses. */
export type OrderPatch = Partial<
  Pick<Order, 'kind' | 'qty' | 'price' | 'isCredit' | 'tif' | 'flag' | 'until'> & { readonly side: Side }
>;

export type OrderEvent<P extends Preview = Preview> =
  /** Another order takes the place of this one; none does where it has no legs. */
  | { readonly type: 'begun'; readonly with: Partial<Order<P>> }
  | { readonly type: 'shown' | 'hidden' }
  /** It is shown because its legs are collected in the chain. */
  | { readonly type: 'collected' }
  /** It has other legs, priced at the touch. */
  | {
      readonly type: 'laid';
      readonly with: Partial<Pick<Order, 'legs' | 'preset' | 'isClosing' | 'rolls' | 'qty'>>;
    }
  /** A change of the legs was not made. */
  | { readonly type: 'refused'; readonly fault: string }
  | {
      readonly type: 'edited';
      readonly patch: OrderPatch;
      readonly nowMs: number;
      /** True where a close stays one: its bound was taken from another touch. */
      readonly isSameAim?: boolean;
    }
  /** The price moves to a place between the books, and stays there. */
  | { readonly type: 'slid'; readonly place: number }
  /** A price that no person typed follows the market. */
  | ({ readonly type: 'followed' } & Pick<Order, 'price' | 'isCredit'>)
  | { readonly type: 'touched'; readonly touch: Touch | null }
  | { readonly type: 'previewed'; readonly preview: P }
  /** There is no preview: with why it failed, or null without an order. */
  | { readonly type: 'unforeseen'; readonly fault: string | null }
  | ({ readonly type: 'asked' } & Pick<Order, 'cautions' | 'isWithCancels'>)
  | { readonly type: 'sent' }
  | {
      readonly type: 'advised';
      readonly advice: OrderAdvice | null;
      /** As before where left out. */
      readonly sending?: Order['sending'];
    }
  /** The session or the account has changed, and with it what the venue would say. */
  | { readonly type: 'unsettled'; readonly of: OrderAdvice['of'] }
  | { readonly type: 'relinked' };

const NO_QUESTION = { cautions: [], isWithCancels: false } as const;

/** An order with a time rests this long unless the person says otherwise. */
const UNTIL_MS = 60 * 60_000;

/** Changes of the order itself, which are ignored while it is being sent. */
const CHANGES = new Set<OrderEvent['type']>(['laid', 'refused', 'edited', 'slid', 'followed', 'unsettled']);

export function reduce<P extends Preview>(order: Order<P>, event: OrderEvent<P>): Order<P> {
  if (order.sending !== 'no' && CHANGES.has(event.type)) return order;
  switch (event.type) {
    case 'begun':
      return { ...NO_ORDER, ...event.with, no: order.no + 1 };
    case 'shown':
      return { ...order, isOpen: true, isCollecting: false };
    case 'collected':
      return { ...order, isCollecting: true };
    case 'hidden':
      return { ...order, isOpen: false };
    case 'laid':
      return laid(order, event.with);
    case 'refused':
      return { ...order, fault: event.fault };
    case 'edited':
      return edited(order, event);
    case 'slid':
      return { ...order, place: event.place, ...NOT_ASKED };
    case 'followed':
      return { ...order, price: event.price, isCredit: event.isCredit, ...NO_QUESTION };
    case 'touched':
      return { ...order, touch: event.touch };
    case 'previewed':
      return previewed(order, event.preview);
    case 'unforeseen':
      return { ...order, preview: null, previewFault: event.fault };
    case 'asked':
      return { ...order, cautions: event.cautions, isWithCancels: event.isWithCancels };
    case 'sent':
      return { ...order, sending: 'sending', advice: null, ...NO_QUESTION };
    case 'advised':
      return { ...order, advice: event.advice, sending: event.sending ?? order.sending };
    case 'unsettled':
      // The legs that wait behind the ticket are shown again as they were left.
      return order.legs.length > 0 ? { ...order, ...NOT_ASKED, ...adviceWithout(order, event.of) } : order;
    case 'relinked':
      return order.advice?.of === 'link' ? { ...order, advice: null } : order;
  }
}

function laid<P extends Preview>(order: Order<P>, change: Partial<Order<P>>): Order<P> {
  const priced = { price: '', isCredit: false, place: 0 };
  return { ...order, rolls: null, ...change, ...NOT_ASKED, ...priced, fault: null, no: order.no + 1 };
}

function previewed<P extends Preview>(order: Order<P>, preview: P): Order<P> {
  // A refusal settles a question about the order, but not one about the order with its cancels, which it leaves out.
  const isSettled = preview.status === 'rejected' && !order.isWithCancels;
  const answer = { preview, previewFault: null, ...(isSettled && NO_QUESTION) };
  // It replaces an older refusal with its own reason.
  return { ...order, ...answer, ...adviceWithout(order, 'account') };
}

function adviceWithout({ advice }: Order, of: OrderAdvice['of']): Pick<Order, 'advice'> {
  return { advice: advice?.of === of ? null : advice };
}

const TERMS = ['kind', 'price', 'tif', 'flag'] as const;

function edited<P extends Preview>(
  order: Order<P>,
  { patch, nowMs, isSameAim }: Extract<OrderEvent<P>, { readonly type: 'edited' }>,
): Order<P> {
  const { side = sideOf(order), ...fields } = patch;
  const isTurned = side !== sideOf(order);
  const next = { ...order, ...fields, ...signed(order, patch) };
  // With other terms, or a price or kind of the person's own, it is an order like any other, whose limit is the touch.
  const isSameKind =
    !isTurned && patch.kind === undefined && TERMS.every((part) => next[part] === order[part]);
  const isOneContract = order.legs.length < 2;
  return {
    ...next,
    ...fitted(next),
    ...(isTurned && { legs: order.legs.map((leg) => ({ ...leg, side })) }),
    ...(patch.tif === 'gtd' && order.until === '' && { until: untilText(nowMs + UNTIL_MS) }),
    ...((patch.price !== undefined || patch.isCredit !== undefined) && { place: null }),
    isClosing: order.isClosing && (isSameAim === true || isSameKind || !isOneContract),
    ...NOT_ASKED,
  };
}

/** A minus before the price of a unit says the same as the switch beside its field. */
function signed({ legs }: Order, { price }: OrderPatch): Partial<Pick<Order, 'price' | 'isCredit'>> {
  const [, minus, amount] = /^\s*([-−]?)\s*(.*)$/s.exec(price ?? '') ?? [];
  return legs.length < 2 || minus === '' ? {} : { price: amount ?? '', isCredit: true };
}
