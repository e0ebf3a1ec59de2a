/** Resting orders that come and go in the model: every order that leaves has a cause (CID-2). */

import type { CloseCause } from '../../src/entry/effects.ts';
import type { ModelClientId, ModelOrder, ModelState } from './state.ts';

/** How long a client id stays known after its order was closed (CID-1). */
const KNOWN_MS = 2 * 60_000;

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
  for (const known of state.clientIds) if (known.orderId === id) known.closedAt = state.ts;
  if (state.accounts[owner]!.role === 'trader') state.orderEvents.push({ what: 'closed', id, owner, cause });
}

/** The client ids of an account that are known: of open orders, and of those closed a short time ago (CID-1). */
export function knownClientIds({ clientIds, ts }: ModelState, owner: number): ModelClientId[] {
  return clientIds.filter(
    (one) => one.owner === owner && (one.closedAt === null || ts <= one.closedAt + KNOWN_MS),
  );
}
