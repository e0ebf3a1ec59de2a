/** The plan of the channels benchmark: what moves in a tick, and who listens to what. */

/** A symbol moves in full four times a second. */
export const MOVE_MS = 250;
/** Books of one connection, beside its chain. */
export const BOOKS = 20;
/** Messages of one connection for each move. */
export const MESSAGES = BOOKS + 1;
/** The exchange's tick, and the time in which all have to have arrived. */
export const TICK_MS = 50;
export const LIMIT_MS = TICK_MS + 100;

/** The books of a connection, by their place in the list of series. */
export function booksOf(connection: number, series: number): number[] {
  return Array.from({ length: BOOKS }, (_, i) => (connection + i) % series);
}

const QTY_BASE = 100;
const QTIES = 50;

/** Contracts at every price after a move, by which its messages are known. */
export function qtyOf(move: number): number {
  return QTY_BASE + (move % QTIES);
}

/** The move with a quantity, from a first one on. */
export function moveOfQty(qty: number, first: number): number {
  return first + ((qty - qtyOf(first) + QTIES) % QTIES);
}
