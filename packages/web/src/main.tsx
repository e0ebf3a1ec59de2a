/** The terminal's composition root. */

import { decimalToMicros, type Micros } from '@venue/protocol';
import { VenueClient } from '@venue/sdk/browser';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AccountActions } from './core/account-actions.ts';
import { Allowance } from './core/allowance.ts';
import { Live } from './core/live.ts';
import { type Column, Market } from './core/market.ts';
import { Notices } from './core/notices.ts';
import { formatCompact, formatDelta, formatIv, formatPrice, formatSize, UNKNOWN } from './core/numbers.ts';
import { Painter } from './core/painter.ts';
import { watchPresence } from './core/presence.ts';
import { openSessionStore } from './core/session-store.ts';
import { Sessions } from './core/sessions.ts';
import { createStores } from './core/stores.ts';
import { TicketDesk } from './core/ticket-desk.ts';
import { App } from './ui/App.tsx';
import { type Terminal, TerminalContext } from './ui/terminal.ts';

const url = location.origin;
const now = () => performance.now();
const isShown = () => document.visibilityState === 'visible';
const stores = createStores();
const market = new Market();
const notices = new Notices(stores.notices);
const allowance = new Allowance(now);
const client = new VenueClient({ url });
const live = new Live({ client, stores, market, allowance, isShown, now });
const onAccount = live.takeAccount.bind(live);
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

const FORMATS: Readonly<Record<Column, (value: number) => string>> = {
  bid: formatPrice,
  ask: formatPrice,
  mark: formatPrice,
  bidQty: formatCompact,
  askQty: formatCompact,
  oi: formatCompact,
  volume: formatCompact,
  iv: formatIv,
  delta: formatDelta,
};
const painter = new Painter({
  market,
  format: (column, value) => (Number.isNaN(value) ? UNKNOWN : FORMATS[column](value)),
  mayFlash: () => !reducedMotion.matches,
});

const desk = new TicketDesk({
  ...{ client, stores, notices, onAccount },
  take: () => allowance.take(),
  markMicrosOf(seriesId): Micros | null {
    const leg = market.legOf(seriesId);
    const mark = leg === undefined ? Number.NaN : market.value(leg, 'mark');
    return Number.isNaN(mark) ? null : (decimalToMicros(mark) ?? null);
  },
});
const kept = await openSessionStore(url);
const sessions = new Sessions({ client, state: stores.session, kept, onReady: () => live.onSignedIn() });
const account = new AccountActions({ client, notices, onAccount });

const terminal: Terminal = {
  ...{ client, stores, market, painter, desk, sessions },
  format: { price: formatPrice, strike: (value) => value.toLocaleString('en-US'), qty: formatSize },
  actions: {
    selectSymbol(symbol) {
      market.clear();
      desk.close();
      stores.listing.setState({ symbol, expiries: [], expiryTs: null });
      live.hurry('series');
    },
    selectExpiry(expiryTs) {
      market.clear();
      desk.close();
      stores.listing.setState({ expiryTs });
      live.hurry('chain');
    },
    pickPrice(leg, side) {
      desk.pick(leg, side, market.value(leg, side === 'buy' ? 'ask' : 'bid'));
    },
    closePosition(seriesId) {
      const position = stores.holdings.getState().positions.get(seriesId);
      const leg = market.legOf(seriesId);
      if (position === undefined || leg === undefined) return;
      const side = position.qty > 0 ? 'sell' : 'buy';
      desk.pick(leg, side, market.value(leg, side === 'buy' ? 'ask' : 'bid'));
      desk.edit({ qty: formatSize(Math.abs(position.qty)) });
    },
    cancelOrder: (orderId) => void account.cancelOrder(orderId),
    cancelAll: (symbols) => void account.cancelAll(symbols),
    setMargin: (isEnabled) => void account.setMargin(isEnabled),
  },
};

market.subscribe({ numbered: () => painter.request() });
watchPresence((others) => allowance.shareWith(others));
addEventListener('online', () => live.hurry());
document.addEventListener('visibilitychange', () => isShown() && live.hurry());
live.start();
void sessions.restore();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <TerminalContext value={terminal}>
      <App />
    </TerminalContext>
  </StrictMode>,
);
