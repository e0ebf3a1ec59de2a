/** The two orders that the page can have in the making. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { EMPTY_TICKET, type Ticket } from './ticket/state.ts';
import { EMPTY_TRAY, type Tray } from './tray/state.ts';

export interface OrderStores {
  readonly ticket: StoreApi<Ticket>;
  readonly tray: StoreApi<Tray>;
}

export function orderStores(): OrderStores {
  return { ticket: createStore<Ticket>(() => EMPTY_TICKET), tray: createStore<Tray>(() => EMPTY_TRAY) };
}
