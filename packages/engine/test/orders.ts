/** Orders for tests of the book, and walks over those that rest. */

import {
  type Book,
  type BookSide,
  BUY,
  type OrderHandle,
  type OrderStore,
  type RestingOrder,
} from '../src/book/book.ts';

/** A buy of ten at 100, except for the given fields. */
export function orderOf(id: number, fields: Partial<RestingOrder>): RestingOrder {
  const quantity = fields.quantity ?? 10;
  return {
    id,
    owner: 0,
    side: BUY,
    price: 100,
    quantity,
    remaining: quantity,
    placedAt: 1_000 + id,
    ...fields,
  };
}

/** Handles of a side, in match priority. */
export function walk(book: Book, side: BookSide): OrderHandle[] {
  const handles: OrderHandle[] = [];
  for (let h = book.best(side); h !== null; h = book.next(h)) handles.push(h);
  return handles;
}

/** Handles of an owner, oldest first. */
export function ownersWalk(store: OrderStore, owner: number): OrderHandle[] {
  const handles: OrderHandle[] = [];
  for (let h = store.firstOf(owner); h !== null; h = store.nextOf(h)) handles.push(h);
  return handles;
}

export function idsOf(store: OrderStore, handles: readonly OrderHandle[]): number[] {
  return handles.map((h) => store.id(h));
}
