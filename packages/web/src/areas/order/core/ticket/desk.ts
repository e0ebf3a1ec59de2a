/** The ticket: opens an order of one contract from a price, a position or an address, and keeps it with its touch. */

import type { OrderPreviewAnswer } from '@venue/protocol';
import type { Channels } from '@venue/sdk/browser';
import { priceFieldText, qtyFieldText } from '../../../../basics/numbers.ts';
import type { Side, Touch } from '../../../../market/touch.ts';
import type { ViewStores } from '../../../../view/state.ts';
import { type DeskOptions, OrderDesk } from '../form/desk.ts';
import { contractOf } from '../form/order.ts';
import type { Sent } from '../form/order-form.ts';
import { BookFollower } from './book-follower.ts';
import { limitOf, ownLimit } from './bound.ts';
import type { KeptTicket } from './kept-ticket.ts';
import type { TicketTerms } from './terms.ts';
import { type TicketMarket, ticketForm } from './ticket-form.ts';

export interface TicketDeskOptions extends DeskOptions, Pick<TicketMarket, 'labelOf' | 'settlesNear'> {
  readonly channels: Pick<Channels, 'book'>;
  readonly stores: DeskOptions['stores'] & Pick<ViewStores, 'view'>;
  /** The touch of a contract on the chain; null for others. */
  readonly touchOf: (seriesId: string) => Touch | null;
  /** The text typed before a reload. */
  readonly kept?: Pick<KeptTicket, 'keep' | 'find'>;
}

/** Initial values of a ticket. */
export interface Opening {
  readonly seriesId: string;
  readonly side: Side;
  /** Contracts; defaults to the last quantity. */
  readonly qty?: number;
  /** Dollars; defaults to the touch. */
  readonly price?: number;
  /** Reduces a position at once, at a price bounded beyond the touch. */
  readonly isClosing?: boolean;
}

export class TicketDesk extends OrderDesk<TicketTerms, OrderPreviewAnswer, TicketMarket> {
  readonly #options: TicketDeskOptions;
  readonly #books: BookFollower;
  #lastQty = '1';

  constructor(options: TicketDeskOptions) {
    const { ticket } = options.stores;
    super(options, ticket, ticketForm);
    this.#options = options;
    this.#books = new BookFollower({
      channels: options.channels,
      touchOf: options.touchOf,
      onTouch: (touch) => this.#takeTouch(touch),
    });
    ticket.subscribe((now, before) => {
      const seriesId = contractOf(now);
      this.#books.follow(seriesId);
      // A page that loads turns to the expiry of its address first, and closes a ticket that was not opened again yet.
      if (seriesId !== null || contractOf(before) !== null) options.kept?.keep(now);
    });
  }

  /** Opens a ticket from a pressed price, which becomes the limit and stays, however the market moves. */
  pick({ seriesId }: { readonly seriesId: string }, side: Side, price: number): void {
    this.open({ seriesId, side, price });
  }

  /** Opens the ticket that an address names, with what was typed there before a reload. */
  reopen(seriesId: string): void {
    const draft = this.#options.kept?.find(seriesId) ?? null;
    this.open({ seriesId, side: draft?.side ?? 'buy' });
    if (draft !== null) this.edit(draft);
  }

  /** Opens a ticket for any listed contract, optionally with a quantity and price. */
  open({ seriesId, side, qty, price, isClosing = false }: Opening): void {
    const touch = this.#options.touchOf(seriesId);
    const limit = price ?? limitOf(touch, { side, isClosing });
    const hasLimit = !Number.isNaN(limit);
    const typed = contractOf(this.order) === seriesId ? this.order.qty : '';
    this.dispatch({
      type: 'begun',
      with: {
        isOpen: true,
        legs: [{ seriesId, side, ratio: 1 }],
        // Without a quote it is a market order; a contract off the chain may have one that is not read yet.
        kind: hasLimit || touch === null || isClosing ? 'limit' : 'market',
        ...(isClosing && { isClosing, tif: 'ioc', flag: 'reduce-only' }),
        price: hasLimit ? priceFieldText(limit) : '',
        qty: qty === undefined ? typed || this.#lastQty : qtyFieldText(qty),
      },
    });
    this.previews.now();
  }

  /** Sets the price to the current touch, or to a close's bound beyond it. */
  takeTouch(): void {
    const seriesId = contractOf(this.order);
    const limit = seriesId === null ? Number.NaN : ownLimit(this.order, this.#touchOf(seriesId));
    if (Number.isNaN(limit)) return;
    const patch = { kind: 'limit', price: priceFieldText(limit) } as const;
    const taken = { type: 'edited', patch, nowMs: this.#options.venueNow(), isSameAim: true } as const;
    if (this.dispatch(taken)) this.previews.soon();
  }

  protected override market(): TicketMarket {
    const { stores, labelOf, settlesNear } = this.#options;
    const [holdings, link] = [stores.holdings.getState(), stores.link.getState().state];
    return { holdings, link, labelOf, settlesNear, touchOf: (seriesId) => this.#touchOf(seriesId) };
  }

  /** A contract may have come onto the chain, or left it. */
  protected override follow(): void {
    this.#books.follow(contractOf(this.order));
    super.follow();
  }

  protected override onTaken({ terms, typedQty }: Sent<TicketTerms>): void {
    this.#lastQty = typedQty;
    this.#options.stores.view.setState({ lastTraded: terms.seriesId });
  }

  #touchOf(seriesId: string): Touch | null {
    return this.#options.touchOf(seriesId) ?? this.order.touch;
  }

  /** The touch of a contract off the chain becomes the limit, unless the person chose another. */
  #takeTouch(touch: Touch | null): void {
    const { touch: before, price } = this.order;
    if (before !== null && touch !== null && isSameTouch(before, touch)) return;
    this.dispatch({ type: 'touched', touch });
    const limit = ownLimit(this.order, touch);
    if (before !== null || price !== '' || Number.isNaN(limit)) return;
    this.dispatch({ type: 'followed', price: priceFieldText(limit), isCredit: false });
    this.previews.now();
  }
}

function isSameTouch(a: Touch, b: Touch): boolean {
  return Object.is(a.bid, b.bid) && Object.is(a.ask, b.ask) && Object.is(a.mark, b.mark);
}
