/** How an order is read: pure functions of it and of the market, one set for one contract and one for several legs. */

import type { Micros } from '@venue/protocol';
import type { Action, OutcomeUnknownError, VenueClient } from '@venue/sdk/browser';
import type { BatchDone } from '../../../../session/batches.ts';
import type { Notices } from '../../../notices/core/notices.ts';
import type { Advice } from './advice.ts';
import type { Message, Order, Preview } from './order.ts';

export interface OrderForm<Terms, P extends Preview, Market> {
  /** The form without an order. */
  readonly blank: Partial<Order<P>>;
  /** Null while the order is incomplete. */
  readonly summary: (order: Order<P>, market: Market) => Summary<Terms> | null;
  readonly faults: (order: Order<P>, market: Market) => Faults;
  /** Advice on what the venue would refuse, before it is sent at all. */
  readonly advice: (order: Order<P>, market: Market) => Advice | null;
  /** The price that no person typed, by the market as it is now; null where it stays. */
  readonly followed: (order: Order<P>, market: Market) => Pick<Order, 'price' | 'isCredit'> | null;
  readonly settled: (done: BatchDone, sent: Sent<Terms>, market: Market) => Settled;
  readonly preview: (client: VenueClient, terms: Terms) => Promise<P>;
  /** The card of an order whose answer was lost. */
  readonly lost: (
    found: OutcomeUnknownError,
    sent: Sent<Terms>,
    options: { readonly client: VenueClient; readonly venueNow: () => number },
  ) => Card | Promise<Card>;
}

/** An order that can be sent. */
export interface Summary<Terms> {
  readonly terms: Terms;
  /** Contracts or units. */
  readonly qtyMicros: Micros;
  /** The order in words, as its notice is headed. */
  readonly title: string;
  readonly actions: readonly Action[];
}

/** The faults of an order that is about to be sent. */
export interface Faults {
  /** Why it is not sent at all now; null for most orders. */
  readonly bar: Message | null;
  /** Reasons to confirm it, each a sentence; none about one that will be refused, as it does no harm. */
  readonly cautions: readonly string[];
}

export const NO_FAULTS: Faults = { bar: null, cautions: [] };

export type Card = Parameters<Notices['add']>[0];

/** An answer, in terms of the order. */
export interface Settled {
  /** Null where the advice says it all. */
  readonly card: Card | null;
  /** Stands beside the order, which can be sent again; null where that is done with. */
  readonly message: Message | null;
}

export interface Sent<Terms> extends Summary<Terms> {
  readonly no: number;
  /** The quantity as typed. */
  readonly typedQty: string;
  /** Orders known to the page before. */
  readonly knownIds: ReadonlySet<number>;
}
