/** Follows the book of the ticket's contract while that is not on the chain. */

import type { Channels, LocalBook } from '@venue/sdk/browser';
import { touchOfBook } from '../../../../market/books.ts';
import type { Touch } from '../../../../market/touch.ts';

export interface BookFollowerOptions {
  readonly channels: Pick<Channels, 'book'>;
  /** The touch on the chain; null for a contract that is not on it. */
  readonly touchOf: (seriesId: string) => Touch | null;
  /** Called when the book has changed; with null while it may be old, as its touch is not known then. */
  readonly onTouch: (touch: Touch | null) => void;
}

export class BookFollower {
  readonly #options: BookFollowerOptions;
  #book: LocalBook | null = null;

  constructor(options: BookFollowerOptions) {
    this.#options = options;
  }

  /** Null for no contract. */
  follow(seriesId: string | null): void {
    const { channels, touchOf } = this.#options;
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

  #takeBook(book: LocalBook): void {
    if (book !== this.#book || book.seq === null) return;
    this.#options.onTouch(book.isRight ? touchOfBook(book) : null);
  }
}
