/** Handles identify records in the arrays of a book's store, valid from the record's opening to its end. */

declare const order: unique symbol;
/** A resting order. */
export type OrderHandle = number & { readonly [order]: true };
declare const level: unique symbol;
/** A price level. */
export type LevelHandle = number & { readonly [level]: true };
declare const run: unique symbol;
/** A run of price levels. */
export type RunHandle = number & { readonly [run]: true };

/** No record, in the arrays of this folder. Callers of a book get `null` instead. */
export const NIL = -1 as OrderHandle & LevelHandle & RunHandle;

export const BUY = 0;
export const SELL = 1;
export type BookSide = 0 | 1;
