/** The person's actions, as every part of the page can take them. */

import type { VenueClient } from '@venue/sdk/browser';
import type { AccountActions } from '../areas/book/core/actions.ts';
import type { Market } from '../market/market.ts';
import type { Live } from '../session/live.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Stores } from '../terminal/stores.ts';
import type { Actions, Terminal } from '../terminal/terminal.ts';
import type { Desks } from './desks.ts';

/** As many closed orders are read at once. */
const CLOSED_PAGE = 100;

export function closedOrdersBy(client: VenueClient): Terminal['closedOrders'] {
  return (before) =>
    client.orders.list({ status: 'closed', limit: CLOSED_PAGE, ...(before !== null && { before }) });
}

export interface ActionParts {
  readonly stores: Stores;
  readonly market: Market;
  readonly live: Live;
  readonly sessions: Sessions;
  readonly account: AccountActions;
  readonly desks: Pick<Desks, 'ticket' | 'withTray'>;
}

export function actionsOf({ stores, market, live, sessions, account, desks }: ActionParts): Actions {
  const { ticket, withTray } = desks;
  return {
    selectSymbol(symbol) {
      if (symbol === stores.listing.getState().symbol) return;
      market.reset();
      ticket.close();
      stores.view.setState({ contract: null });
      stores.listing.setState({ symbol, expiries: [], expiryTs: null, settlements: null });
      live.onSymbol();
    },
    selectExpiry(expiryTs) {
      live.onChosen();
      if (expiryTs === stores.listing.getState().expiryTs) return;
      market.clear();
      ticket.close();
      stores.view.setState({ contract: null });
      stores.listing.setState({ expiryTs });
      live.onExpiry();
    },
    pickPrice(leg, side) {
      ticket.pick(leg, side, market.value(leg, side === 'buy' ? 'ask' : 'bid'));
    },
    addLeg: ({ seriesId }, side) => void withTray((tray) => tray.add({ seriesId, side })),
    openTray: (act) => void withTray((tray) => (act === undefined ? tray.open() : act(tray))),
    closePosition(seriesId, partQty) {
      const held = stores.holdings.getState().positions.get(seriesId);
      if (held === undefined) return;
      const qty = partQty ?? held.qty;
      // A lot that others net away is closed by a trade that turns the position over.
      const isClosing = qty * held.qty > 0 && Math.abs(qty) <= Math.abs(held.qty);
      ticket.open({ seriesId, side: qty > 0 ? 'sell' : 'buy', isClosing, qty: Math.abs(qty) });
    },
    sendAll: (title, all, wordsOf) => void account.sendAll(title, all, wordsOf),
    placeOrder: (terms) => void account.place(terms),
    amendOrder: (order, action) => account.amend(order, action),
    cancelOrder: (orderId) => void account.cancelOrder(orderId),
    cancelAll: (symbols) => void account.cancelAll(symbols),
    setMargin: (isEnabled) => void account.setMargin(isEnabled),
    setMarginMode: (mode, how) => account.setMarginMode(mode, how),
    takeOtherVenue: () => void sessions.forget().then(() => location.reload()),
  };
}
