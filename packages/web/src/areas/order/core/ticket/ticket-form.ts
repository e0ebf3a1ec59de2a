/** The ticket's order of one contract: what it comes to by the market, what to ask about it, and what its answer says. */

import {
  BATCH_ACTIONS_MAX,
  decimalToMicros,
  type Micros,
  type OpenOrder,
  type OrderPreviewAnswer,
} from '@venue/protocol';
import type { SettlesNear } from '../../../../market/settles-near.ts';
import type { LinkState } from '../../../../market/state.ts';
import type { Touch } from '../../../../market/touch.ts';
import { type BatchDone, cancelledIds, placeResultOf } from '../../../../session/batches.ts';
import { tradedBy } from '../../../../session/realised.ts';
import type { Holdings } from '../../../../session/state.ts';
import { type Advice, adviseRejection } from '../form/advice.ts';
import { inTheWay, restingCount } from '../form/in-the-way.ts';
import { lostOrderWords, recoveredText } from '../form/lost-words.ts';
import { contractOf, type Message, type Ticket } from '../form/order.ts';
import { type Faults, NO_FAULTS, type OrderForm, type Sent, type Settled } from '../form/order-form.ts';
import { resultOf } from '../form/result.ts';
import { followedBound, limitOf } from './bound.ts';
import { cautionsOf } from './cautions.ts';
import { type TicketTerms, termsOf } from './terms.ts';

export interface TicketMarket {
  readonly holdings: Holdings;
  readonly link: LinkState;
  /** The touch of a contract, on the chain or read for the ticket; null while unknown. */
  readonly touchOf: (seriesId: string) => Touch | null;
  /** Human-readable name of the contract. */
  readonly labelOf: (seriesId: string) => string;
  /** The price that a contract's expiry settles near; null but in its last half hour. */
  readonly settlesNear: (seriesId: string) => SettlesNear | null;
}

export const ticketForm: OrderForm<TicketTerms, OrderPreviewAnswer, TicketMarket> = {
  blank: {},
  summary(ticket, { holdings, labelOf }) {
    const order = termsOf(ticket);
    if (order === null) return null;
    const { side, qty, seriesId } = order.terms;
    const first = ticket.isWithCancels ? inTheWay(holdings.orders, order.terms) : [];
    const cancels = first.map(({ id }) => ({ type: 'cancel', orderId: id }) as const);
    return {
      ...order,
      title: `${side === 'buy' ? 'Buy' : 'Sell'} ${qty} ${labelOf(seriesId)}`,
      actions: [...cancels.slice(0, BATCH_ACTIONS_MAX - 1), { type: 'place', ...order.terms }],
    };
  },
  faults,
  advice,
  followed(ticket, { touchOf }) {
    const seriesId = contractOf(ticket);
    const price = seriesId === null ? null : followedBound(ticket, touchOf(seriesId));
    return price === null ? null : { price, isCredit: false };
  },
  settled,
  preview: (client, terms) => client.orders.preview(terms),
  lost: (found, { title, terms: { qty }, knownIds }) =>
    lostOrderWords(found, { words: title, qty, knownIds }),
};

function faults(ticket: Ticket, market: TicketMarket): Faults {
  const order = termsOf(ticket);
  if (order === null) return NO_FAULTS;
  const { terms } = order;
  const { holdings, touchOf, settlesNear } = market;
  const { preview, isClosing } = ticket;
  const touch = touchOf(terms.seriesId);
  const facts = {
    terms,
    preview,
    isClosing,
    positions: holdings.positions,
    resting: holdings.orders.get(terms.seriesId) ?? [],
    mark: touch?.mark ?? Number.NaN,
    touch: limitOf(touch, { side: terms.side, isClosing: false }),
    buyingPower: holdings.account?.buyingPower ?? 0,
    settles: settlesNear(terms.seriesId),
  };
  return {
    bar: barOf(ticket, terms, market),
    cautions: preview?.status === 'rejected' ? [] : cautionsOf(facts),
  };
}

/** A market order waits while its prices are unknown to the page. */
function barOf({ kind }: Ticket, { seriesId }: TicketTerms, { link, touchOf }: TicketMarket): Message | null {
  if (kind !== 'market' || (link !== 'stale' && link !== 'offline')) return null;
  const advice = { kind: 'make-limit', priceMicros: markMicros(touchOf(seriesId)) } as const;
  return { text: 'Prices are stale: a market order would be sent blind.', advice, of: 'link' };
}

function advice(ticket: Ticket, { holdings, touchOf }: TicketMarket): Advice | null {
  const order = termsOf(ticket);
  const { preview } = ticket;
  if (preview === null || order === null) return null;
  const { terms, qtyMicros } = order;
  const resting = inTheWay(holdings.orders, terms).length;
  if (preview.reason !== undefined) {
    const mark = markMicros(touchOf(terms.seriesId));
    return adviseRejection(preview, { qtyMicros, markMicros: mark, inTheWay: resting });
  }
  // The venue says of such an order what it was cut to.
  const isCut = preview.qty !== undefined && preview.qty < terms.qty;
  return isCut && resting > 0 ? { kind: 'cancel-first', orders: resting } : null;
}

function settled(
  done: BatchDone,
  { terms, qtyMicros, title }: Sent<TicketTerms>,
  { holdings, touchOf }: TicketMarket,
): Settled {
  const answer = placeResultOf({ results: done.results.slice(-1) });
  const cancelled = cancelledIds(done);
  const withCancelled = (text: string) =>
    cancelled.size === 0 ? text : `${text}, ${restingCount(cancelled.size)} cancelled`;
  if (answer.status === 'rejected') {
    const isLeft = ({ id }: OpenOrder) => !cancelled.has(id);
    const advice = adviseRejection(answer, {
      qtyMicros,
      markMicros: markMicros(touchOf(terms.seriesId)),
      inTheWay: inTheWay(holdings.orders, terms).filter(isLeft).length,
    });
    return { card: null, message: { text: withCancelled(answer.reason), advice, of: 'account' } };
  }
  const result = resultOf(answer, terms);
  const isWhole = result.kind === 'filled' || result.kind === 'rested';
  const words = withCancelled(result.text);
  const text = done.isRecovered ? recoveredText(words) : words;
  const trade = tradedBy(answer.orderId, answer.fills);
  return { card: { tone: isWhole ? 'good' : 'plain', title, text, trade }, message: null };
}

function markMicros(touch: Touch | null): Micros | null {
  const mark = touch?.mark ?? Number.NaN;
  return Number.isNaN(mark) ? null : (decimalToMicros(mark) ?? null);
}
