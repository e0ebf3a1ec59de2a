/** The two orders that the page can have in the making. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { NO_LEGS, NO_ORDER, type Ticket, type Tray } from './form/order.ts';

export interface OrderStores {
  readonly ticket: StoreApi<Ticket>;
  readonly tray: StoreApi<Tray>;
}

export function orderStores(): OrderStores {
  return {
    ticket: createStore<Ticket>(() => NO_ORDER),
    tray: createStore<Tray>(() => ({ ...NO_ORDER, ...NO_LEGS })),
  };
}
