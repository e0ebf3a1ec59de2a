/** Resting orders that come and go in the model: every order that leaves has a cause (CID-2). */

import type { CloseCause } from '../../src/entry/effects.ts';
import type { ModelClientId, ModelOrder } from './records.ts';
import type { ModelState } from './state.ts';

/** How long a client id stays known after its order was closed, and how many of an account do (CID-1). */
export const KNOWN_MS = 24 * 3_600_000;
const KNOWN_MAX = 1_000;

/** Takes the orders meant off the book. Returns their number. */
export function pullOrders(
  state: ModelState,
  cause: CloseCause,
  isMeant: (order: ModelOrder) => boolean,
): number {
  const pulled = state.orders.filter(isMeant);
  state.orders = state.orders.filter((order) => !isMeant(order));
  for (const { id, owner, set } of pulled) {
    if (set === null) close(state, owner, id, cause);
    else state.stale.add(set);
  }
  const isOfQuotes = pulled.some(({ set }) => set !== null);
  if (isOfQuotes && cause !== 'filled') state.notes.push(`quotes pulled: ${cause}`);
  return pulled.length;
}

/** The venue's own accounts have quotes, which are no orders. */
export function close(state: ModelState, owner: number, id: number, cause: CloseCause): void {
  // The array ends with the id that was closed last.
  const place = state.clientIds.findIndex((known) => known.orderId === id);
  if (place >= 0) state.clientIds.push({ ...state.clientIds.splice(place, 1)[0]!, closedAt: state.ts });
  if (state.accounts[owner]!.role === 'trader') state.orderEvents.push({ what: 'closed', id, owner, cause });
}

/** The client ids of an account that are known: of open orders, and of the last that were closed within a day (CID-1). */
export function knownClientIds({ clientIds, ts }: ModelState, owner: number): ModelClientId[] {
  const own = clientIds.filter((one) => one.owner === owner);
  const closed = own.filter(({ closedAt }) => closedAt !== null).slice(-KNOWN_MAX);
  return [
    ...own.filter(({ closedAt }) => closedAt === null),
    ...closed.filter(({ closedAt }) => ts <= closedAt! + KNOWN_MS),
  ];
}
