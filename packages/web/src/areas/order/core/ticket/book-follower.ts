/** Follows the book of the ticket's contract while that is not on the chain. */

import type { Channels, LocalBook } from '@venue/sdk/browser';
import { priceFieldText } from '../../../../basics/numbers.ts';
import { touchOfBook } from '../../../../market/books.ts';
import type { Touch } from '../../../../market/touch.ts';
import type { OrderStores } from '../state.ts';
import { limitOf } from './bound.ts';

export interface BookFollowerOptions {
  readonly stores: Pick<OrderStores, 'ticket'>;
  readonly channels: Pick<Channels, 'book'>;
  /** The touch on the chain; null for a contract that is not on it. */
  readonly touchOf: (seriesId: string) => Touch | null;
  /** Called when the first touch has become the ticket's limit. */
  readonly onFirstTouch: () => void;
}

export class BookFollower {
  readonly #options: BookFollowerOptions;
  #book: LocalBook | null = null;

  constructor(options: BookFollowerOptions) {
    this.#options = options;
  }

  /** By the contract of the ticket as it is now. */
  follow(): void {
    const { stores, channels, touchOf } = this.#options;
    const { seriesId } = stores.ticket.getState();
    const wanted = seriesId === null || touchOf(seriesId) !== null ? null : seriesId;
    if (wanted === (this.#book?.seriesId ?? null)) return;
    const before = this.#book;
    this.#book = null;
    before?.close();
    if (wanted === null) return;
    const book = channels.book(wanted);
    this.#book = book;
    book.onChange(() => this.#takeBook(book));
  }

  /** Its touch becomes the limit, unless the person chose another. That of a book that may be old is not known. */
  #takeBook(book: LocalBook): void {
    if (book !== this.#book || book.seq === null) return;
    const { ticket } = this.#options.stores;
    if (!book.isRight) {
      ticket.setState({ touch: null });
      return;
    }
    const touch = touchOfBook(book);
    const { touch: before, price, ...now } = ticket.getState();
    if (before !== null && isSameTouch(before, touch)) return;
    const limit = limitOf(touch, now);
    const isFirst = before === null && price === '' && !Number.isNaN(limit);
    ticket.setState({ touch, ...(isFirst && { price: priceFieldText(limit) }) });
    if (isFirst) this.#options.onFirstTouch();
  }
}

function isSameTouch(a: Touch, b: Touch): boolean {
  return Object.is(a.bid, b.bid) && Object.is(a.ask, b.ask) && Object.is(a.mark, b.mark);
}
