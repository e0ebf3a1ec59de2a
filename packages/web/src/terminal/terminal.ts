/** The parts that every area of the page can use: the stores, the market, the painter, and the person's actions. */

import type { MarginMode, OpenOrder, OrderList } from '@venue/protocol';
import type { Action, Channels, VenueClient } from '@venue/sdk/browser';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { SeenEquity } from '../areas/account/core/equity-seen.ts';
import type { GuardDesk } from '../areas/book/core/guard-desk.ts';
import type { Painter } from '../areas/chain/core/painter.ts';
import type { Notices } from '../areas/notices/core/notices.ts';
import type { PushDesk } from '../areas/notices/core/push/push-desk.ts';
import type { Notice } from '../areas/notices/core/state.ts';
import type { TicketDesk } from '../areas/order/core/ticket/desk.ts';
import type { TicketTerms } from '../areas/order/core/ticket/terms.ts';
import type { TrayDesk } from '../areas/order/core/tray/desk.ts';
import type { WatchDesk } from '../areas/watch/core/watch-desk.ts';
import type { AsOf } from '../market/as-of.ts';
import type { ChainShelf } from '../market/chains.ts';
import type { Histories } from '../market/history.ts';
import type { Leg, Market } from '../market/market.ts';
import type { SpotAges } from '../market/spot-ages.ts';
import type { Side } from '../market/touch.ts';
import type { AmendAction, BatchDone } from '../session/batches.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Stores } from './stores.ts';

/** The person's actions. None of them throws: errors are shown through the stores. */
export interface Actions {
  selectSymbol(symbol: string): void;
  selectExpiry(expiryTs: number): void;
  /** Opens a ticket from a pressed price, with its contract and side. */
  pickPrice(leg: Leg, side: Side): void;
  /** Adds a pressed price to the strategy tray, and opens it. */
  addLeg(leg: Pick<Leg, 'seriesId'>, side: Side): void;
  /** Opens the strategy tray, which is loaded then, and does something with it. */
  openTray(act?: (desk: TrayDesk) => void): void;
  /** Opens a ticket that closes the position, or a part of it, at once, at a bounded price. */
  closePosition(seriesId: string, partQty?: number): void;
  /** Sends actions that a list beside the button names, in one batch; the words are for its card. */
  sendAll(
    title: string,
    actions: readonly Action[],
    wordsOf: (done: BatchDone) => Pick<Notice, 'text' | 'tone' | 'lines'>,
  ): void;
  /** Sends an order with one press; the button states all its terms. */
  placeOrder(terms: TicketTerms): void;
  cancelOrder(orderId: number): void;
  /** Changes a resting order in place; null once it is done, and else why not, in a sentence for its row. */
  amendOrder(order: OpenOrder, action: AmendAction): Promise<string | null>;
  /** Cancels the orders of the given underlyings, or all. */
  cancelAll(symbols?: readonly string[]): void;
  setMargin(isEnabled: boolean): void;
  /** Switches how shorts are margined, and turns margin on if asked to; null once done, else why not, in a sentence. */
  setMarginMode(mode: MarginMode, how: { readonly turnsOn: boolean }): Promise<string | null>;
  /** Forgets the session of the venue that was at this address before, and reloads. */
  takeOtherVenue(): void;
}

/** Formats for the page's numbers. */
export interface Format {
  price(value: number): string;
  strike(value: number): string;
  qty(value: number): string;
}

/** A part that is loaded when first asked for: always the same promise, which waits until the network gives the part. */
type LoadedLater<T> = () => Promise<T>;

export interface Terminal {
  readonly stores: Stores;
  readonly market: Market;
  readonly asOf: AsOf;
  readonly painter: Painter;
  /** A painter for another chain of the page. */
  readonly painterOf: (market: Market) => Painter;
  readonly histories: Histories;
  readonly spotAges: SpotAges;
  readonly equitySeen: SeenEquity;
  readonly chains: ChainShelf;
  /** Takes one read from the allowance; false when it is empty. */
  readonly take: () => boolean;
  readonly actions: Actions;
  readonly client: VenueClient;
  readonly channels: Pick<Channels, 'book' | 'listen'>;
  /** A page of closed orders: the newest, or those before an order. */
  readonly closedOrders: (before: number | null) => Promise<OrderList>;
  readonly desk: TicketDesk;
  /** The strategy tray. */
  readonly trayDesk: LoadedLater<TrayDesk>;
  /** The guard of resting orders. */
  readonly guardDesk: LoadedLater<GuardDesk>;
  /** The watch list and its alerts. */
  readonly watchDesk: LoadedLater<WatchDesk>;
  /** Notifications for closed tabs. */
  readonly pushDesk: LoadedLater<PushDesk>;
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

/** Selects part of a store; the component re-renders when that part changes. */
export function useStore<T, P>(store: StoreApi<T>, pick: (state: T) => P): P {
  return useSyncExternalStore(store.subscribe, () => pick(store.getState()));
}
