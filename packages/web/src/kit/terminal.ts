/** What every part of the page can reach: the stores, the market, the painter, and what a person can do. */

import type { OrderTerms, VenueClient } from '@venue/sdk/browser';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { ChainShelf } from '../core/chain/chains.ts';
import type { Histories } from '../core/chain/history.ts';
import type { Leg, Market } from '../core/chain/market.ts';
import type { SpotAges } from '../core/chain/spot-ages.ts';
import type { Notices } from '../core/notices.ts';
import type { Painter } from '../core/painter.ts';
import type { Sessions } from '../core/session/sessions.ts';
import type { Side, Stores } from '../core/stores.ts';
import type { TicketDesk } from '../core/ticket/desk.ts';

/** What a person does. None of these throws: what goes wrong comes back through the stores. */
export interface Actions {
  selectSymbol(symbol: string): void;
  selectExpiry(expiryTs: number): void;
  /** A press on a price: the ticket takes contract, side and price. */
  pickPrice(leg: Leg, side: Side): void;
  /** The ticket takes what would close the position. */
  closePosition(seriesId: string): void;
  /** Sends an order in one press, where the button said all of it. */
  placeOrder(terms: OrderTerms): void;
  cancelOrder(orderId: number): void;
  /** Of the underlyings named, or of all. */
  cancelAll(symbols?: readonly string[]): void;
  setMargin(isEnabled: boolean): void;
}

/** Numbers as the page writes them. */
export interface Format {
  price(value: number): string;
  strike(value: number): string;
  qty(value: number): string;
}

export interface Terminal {
  readonly stores: Stores;
  readonly market: Market;
  readonly painter: Painter;
  readonly histories: Histories;
  readonly spotAges: SpotAges;
  readonly chains: ChainShelf;
  /** Takes one read out of what the edge allows; false when there is none to take. */
  readonly take: () => boolean;
  readonly actions: Actions;
  readonly client: VenueClient;
  readonly desk: TicketDesk;
  readonly sessions: Sessions;
  readonly notices: Notices;
  readonly format: Format;
}

export const TerminalContext = createContext<Terminal | null>(null);

export function useTerminal(): Terminal {
  const terminal = useContext(TerminalContext);
  if (terminal === null) throw new Error('outside of the terminal');
  return terminal;
}

/** A part of a store; the component is drawn again when that part is another. */
export function useStore<T, P>(store: StoreApi<T>, pick: (state: T) => P): P {
  return useSyncExternalStore(store.subscribe, () => pick(store.getState()));
}
