/** The terminal's composition root. */

import { openChannels, VenueClient } from '@venue/sdk/browser';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SeenEquity, seeEquity } from './areas/account/core/equity-seen.ts';
import { AccountActions } from './areas/book/core/actions.ts';
import { FillNews } from './areas/book/core/fill-news.ts';
import { openSeenFills } from './areas/book/core/seen-fills.ts';
import { tellRealised } from './areas/book/core/tell-realised.ts';
import { Painter } from './areas/chain/core/painter.ts';
import { alertOf } from './areas/notices/core/alerts.ts';
import { Notices, OTHER_RELEASE } from './areas/notices/core/notices.ts';
import { hasPush } from './areas/notices/core/push/kept-name.ts';
import { TicketDesk } from './areas/order/core/ticket/desk.ts';
import { KeptTicket } from './areas/order/core/ticket/kept-ticket.ts';
import type { TrayDesk } from './areas/order/core/tray/desk.ts';
import { hasWatched, KEPT_WATCHED } from './areas/watch/core/kept-name.ts';
import { loadOnce } from './basics/load-once.ts';
import {
  chainDecimals,
  formatColumnDelta,
  formatColumnSize,
  formatGamma,
  formatGreek,
  formatIv,
  formatPrice,
  formatSize,
  UNKNOWN,
} from './basics/numbers.ts';
import { openTabs } from './basics/tabs.ts';
import { WORKER } from './install/release.ts';
import { followReleases } from './install/releases.ts';
import { pressOnce } from './kit/press-once.ts';
import { ChainShelf } from './market/chains.ts';
import { venueNowMs } from './market/clock.ts';
import { DayFeed } from './market/day-figures.ts';
import { Histories } from './market/history.ts';
import { keepReached, lastReachedMs } from './market/last-reached.ts';
import { type Column, Market } from './market/market.ts';
import { seriesLabel } from './market/series-label.ts';
import { seriesSettlesNear } from './market/settles-near.ts';
import { SpotAges } from './market/spot-ages.ts';
import { VenueClock } from './market/venue-clock.ts';
import { App } from './page/App.tsx';
import { Boundary } from './page/Boundary.tsx';
import { followAddress } from './page/follow-address.ts';
import { restoreScheme } from './page/scheme.ts';
import { Allowance, takeWhileOnline } from './session/allowance.ts';
import { type AnsweredAccount, sendBatchWith } from './session/batches.ts';
import { Live, PING_MS } from './session/live.ts';
import { watchPresence } from './session/presence.ts';
import { sendWith } from './session/sending.ts';
import { Sessions } from './session/sessions.ts';
import { browserPlace, SharedNonces } from './session/shared-nonces.ts';
import { openSessionStore } from './session/store.ts';
import { createStores } from './terminal/stores.ts';
import { type Terminal, TerminalContext } from './terminal/terminal.ts';
import { keptColumns } from './view/columns.ts';
import { keptRoom } from './view/room.ts';

restoreScheme();
const url = location.origin;
// All waits come first: what the venue sends during a wait would be missed by whatever is made after it.
const [kept, seen] = await Promise.all([openSessionStore(url), openSeenFills(url)]);
const now = () => performance.now();
const isShown = () => document.visibilityState === 'visible';
const stores = createStores({
  room: keptRoom(() => localStorage),
  columns: keptColumns(() => localStorage),
});
const histories = new Histories();
const spotAges = new SpotAges();
const equitySeen = new SeenEquity();
const market = new Market();
const asOf = { chainMs: 0, accountMs: 0 };
const notices = new Notices(stores.notices);
const allowance = new Allowance(now);
const take = takeWhileOnline(allowance, stores.link);
const clock = new VenueClock({
  readDate: async () => (await fetch('/healthz', { cache: 'no-store' })).headers.get('date'),
  onAhead: (clockAheadMs) => stores.link.setState({ clockAheadMs }),
});
const nonces = new SharedNonces(browserPlace(), clock.now);
const client = new VenueClient({ url, now: clock.now, nonceOf: nonces.next });
const send = sendWith({
  isSignedIn: () => stores.session.getState().state === 'ready',
  renew: () => sessions.renew(),
  resync: () => clock.measure(),
  onOver: (error) => sessions.onRefused(error),
});
const read = client.market.chain.bind(client.market);
const chains = new ChainShelf({
  read,
  take,
  now,
  live: (symbol, expiryTs) => live.chainOf(symbol, expiryTs),
});
const channels = openChannels(client, {
  pingMs: PING_MS,
  onLive: () => live.onLive(),
  onLost: (loss) => live.onLost(loss),
});
const live = new Live({
  ...{ client, channels, stores, market, asOf, allowance, isShown, now, send },
  onOtherVenue: () => onOtherVenue(),
  onRefused: (error) => sessions.onRefused(error),
  onFills: (address, fills) => void fillNews.takeFills(address, fills),
});
const tabs = openTabs(() => void sessions.onOtherTab());
const onAccount = (answered: AnsweredAccount) => live.takeAccount(answered);
/** Closed orders that are read at once. */
const CLOSED_PAGE = 100;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

const formatChainPrice = (price: number) =>
  formatPrice(price, chainDecimals(market.shape?.spot ?? Number.NaN));
const FORMATS: Readonly<Record<Column, (value: number) => string>> = {
  bid: formatChainPrice,
  ask: formatChainPrice,
  mark: formatChainPrice,
  bidQty: formatColumnSize,
  askQty: formatColumnSize,
  oi: formatColumnSize,
  volume: formatColumnSize,
  iv: formatIv,
  delta: formatColumnDelta,
  gamma: (gamma) => formatGamma(gamma, market.spot),
  theta: formatGreek,
  vega: formatGreek,
  bidIv: formatIv,
  askIv: formatIv,
};
const painterOf = (shown: Market) =>
  new Painter({
    market: shown,
    format: (column, value) => (Number.isNaN(value) ? UNKNOWN : FORMATS[column](value)),
    mayFlash: () => !reducedMotion.matches,
  });
const painter = painterOf(market);

const settlesNear = (seriesId: string) =>
  seriesSettlesNear(histories, { seriesId, nowMs: venueNowMs(stores.link) });
const sendBatch = sendBatchWith(client);
const desk = new TicketDesk({
  kept: new KeptTicket(() => sessionStorage),
  ...{ client, channels, stores, notices, take, send, sendBatch, onAccount },
  labelOf: seriesLabel,
  settlesNear,
  venueNow: () => venueNowMs(stores.link),
  touchOf(seriesId) {
    const leg = market.legOf(seriesId);
    if (leg === undefined) return null;
    const [bid, ask, mark] = (['bid', 'ask', 'mark'] as const).map((column) => market.value(leg, column));
    return { bid: bid!, ask: ask!, mark: mark! };
  },
});
const trayDesk = loadOnce(async () => {
  const { openDesk } = await import('./areas/order/core/tray/open-desk.ts');
  return openDesk(
    { client, stores, notices, take, send, sendBatch, onAccount },
    {
      market,
      settlesNear,
      chainOf: (symbol, expiryTs) => chains.get(symbol, expiryTs),
      selectExpiry: (expiryTs) => terminal.actions.selectExpiry(expiryTs),
      closeTicket: () => desk.close(),
    },
  );
});
/** Says so where the tray cannot be loaded. */
function withTray(act: (tray: TrayDesk) => void): Promise<void> {
  const text = 'If the venue was updated meanwhile, load the page again.';
  return trayDesk
    .get()
    .then(act, () => notices.add({ tone: 'warning', title: 'Strategies could not be loaded', text }));
}
const guardDesk = loadOnce(async () => {
  const { GuardDesk } = await import('./areas/book/late.ts');
  return new GuardDesk({ client, send, venueNow: () => venueNowMs(stores.link) });
});
const watchDesk = loadOnce(async () => {
  const { openWatch } = await import('./areas/watch/core/open-watch.ts');
  stores.view.setState({ isWatching: true });
  return openWatch({
    ...{ stores, channels, notices, isShown, daysOf },
    alert: (card) => void alertOf(card, isShown()),
    venueNow: () => venueNowMs(stores.link),
    isOtherShown: () => presence.others > 0,
    labelOf: seriesLabel,
  });
});
const pushDesk = loadOnce(async () => {
  const { openPush } = await import('./areas/notices/core/push/open-push.ts');
  return openPush({
    ...{ kept, notices, nonceOf: nonces.next, now: clock.now },
    isSignedIn: () => stores.session.getState().state === 'ready',
  });
});
const dayResult = loadOnce(async () => {
  const { DayResult } = await import('./areas/account/core/day-result.ts');
  return new DayResult({
    ...{ stores, take: () => isShown() && take() },
    readEquity: (span) => client.account.equity(span),
    readStatement: (span) => client.account.statement(span),
    readRows: (span) => client.account.statementRows(span),
    venueNow: () => venueNowMs(stores.link),
  });
});
const sessions = new Sessions({
  ...{ client, kept, state: stores.session, now: clock.now },
  onReady: () => {
    live.onSignedIn();
    void dayResult.get().catch(() => {});
    if (hasPush(() => localStorage))
      void pushDesk.get().then(
        (push) => push.renew(),
        () => {},
      );
  },
  onGone: () => {
    guardDesk.ifLoaded((guard) => guard.end());
    live.onSignedOut();
  },
  onKept: () => tabs.tell(),
});
/** Nobody who has not signed in has anything to lose with another venue: the page begins anew, at the same view. */
function onOtherVenue(): void {
  if (stores.session.getState().state === 'none') location.reload();
  else sessions.stop();
}
const account = new AccountActions({
  ...{ client, stores, notices, send, sendBatch, onAccount },
  labelOf: seriesLabel,
});

const fillNews = new FillNews({
  ...{ notices, isShown, labelOf: seriesLabel },
  seen,
  readOlder: async (before) => (take() ? client.account.fills({ before, limit: 100 }) : []),
  isOtherShown: () => presence.others > 0,
  onTold(card) {
    if (!isShown()) stores.view.setState(({ unseenFills }) => ({ unseenFills: unseenFills + 1 }));
    void alertOf(card, isShown());
  },
});

const terminal: Terminal = {
  ...{
    client,
    channels,
    stores,
    market,
    asOf,
    painter,
    painterOf,
    desk,
    trayDesk: trayDesk.wait,
    guardDesk: guardDesk.wait,
    watchDesk: watchDesk.wait,
    pushDesk: pushDesk.wait,
    sessions,
    notices,
    histories,
    spotAges,
    equitySeen,
    chains,
    take,
  },
  closedOrders: (before) =>
    client.orders.list({ status: 'closed', limit: CLOSED_PAGE, ...(before !== null && { before }) }),
  format: {
    price: (price) => formatPrice(price),
    strike: (value) => value.toLocaleString('en-US'),
    qty: formatSize,
  },
  actions: {
    selectSymbol(symbol) {
      if (symbol === stores.listing.getState().symbol) return;
      market.reset();
      desk.close();
      stores.view.setState({ contract: null });
      stores.listing.setState({ symbol, expiries: [], expiryTs: null, settlements: null });
      live.onSymbol();
    },
    selectExpiry(expiryTs) {
      live.onChosen();
      if (expiryTs === stores.listing.getState().expiryTs) return;
      market.clear();
      desk.close();
      stores.view.setState({ contract: null });
      stores.listing.setState({ expiryTs });
      live.onExpiry();
    },
    pickPrice(leg, side) {
      desk.pick(leg, side, market.value(leg, side === 'buy' ? 'ask' : 'bid'));
    },
    addLeg: ({ seriesId }, side) => void withTray((tray) => tray.add({ seriesId, side })),
    openTray: (act) => void withTray((tray) => (act === undefined ? tray.open() : act(tray))),
    closePosition(seriesId, partQty) {
      const held = stores.holdings.getState().positions.get(seriesId);
      if (held === undefined) return;
      const qty = partQty ?? held.qty;
      // A lot that others net away is closed by a trade that turns the position over.
      const isClosing = qty * held.qty > 0 && Math.abs(qty) <= Math.abs(held.qty);
      desk.open({ seriesId, side: qty > 0 ? 'sell' : 'buy', isClosing, qty: Math.abs(qty) });
    },
    sendAll: (title, all, wordsOf) => void account.sendAll(title, all, wordsOf),
    placeOrder: (terms) => void account.place(terms),
    amendOrder: (order, action) => account.amend(order, action),
    cancelOrder: (orderId) => void account.cancelOrder(orderId),
    cancelAll: (symbols) => void account.cancelAll(symbols),
    setMargin: (isEnabled) => void account.setMargin(isEnabled),
    setMarginMode: (mode, how) => account.setMarginMode(mode, how),
    takeOtherVenue: () => void sessions.forget().then(() => location.reload()),
  },
};

market.subscribe({ numbered: () => painter.request() });
market.subscribe({
  numbered() {
    if (market.shape !== null) spotAges.take({ symbol: market.shape.symbol, spot: market.spot }, now());
  },
});
stores.listing.subscribe(({ instruments }, { instruments: before }) => {
  if (instruments === before) return;
  histories.takeSpots(instruments, venueNowMs(stores.link));
  for (const instrument of instruments) spotAges.take(instrument, now());
});
const daysOf = (names: () => readonly string[]) =>
  new DayFeed({
    ...{ names, store: stores.days },
    reads: {
      candles: (span) => client.market.candles(span),
      volatility: (symbol, span) => client.market.volatility(symbol, span),
    },
    // The first chain comes first.
    take: () => isShown() && market.shape !== null && stores.link.getState().state === 'live' && take(),
    venueNow: () => venueNowMs(stores.link),
  });
const days = daysOf(() => stores.listing.getState().instruments.map(({ symbol }) => symbol));
const presence = watchPresence((others) => allowance.shareWith(others));
stores.holdings.subscribe((holdings) => fillNews.takeOrders(holdings));
seeEquity(equitySeen, stores);
tellRealised(stores);
pressOnce(window);
stores.ticket.subscribe(({ seriesId: contract }, before) => {
  if (contract !== null && contract !== before.seriesId) stores.view.setState({ contract });
});
addEventListener('online', () => live.hurry());
document.addEventListener('visibilitychange', () => {
  if (!isShown()) return;
  stores.view.setState({ unseenFills: 0 });
  live.hurry();
});
followAddress({
  ...{ stores, notices },
  ...{ selectSymbol: terminal.actions.selectSymbol, selectExpiry: terminal.actions.selectExpiry },
  openTicket: (seriesId) => desk.reopen(seriesId),
  openTray: (legs) => withTray((tray) => tray.reopen(legs)),
  closeOrder() {
    desk.close();
    if (stores.tray.getState().isOpen) void withTray((tray) => tray.hide());
  },
  venueNow: () => venueNowMs(stores.link),
});
stores.link.setState({ lastReachedMs: lastReachedMs(() => localStorage, Date.now()) });
keepReached(() => localStorage, stores.link, Date.now);
// Where it cannot be loaded, the log lasts as long as the page.
void import('./areas/notices/core/kept-log.ts').then(
  ({ keepLog }) => keepLog(() => sessionStorage, stores),
  () => {},
);
followReleases({
  workers: navigator.serviceWorker ?? null,
  entry: new URL(import.meta.url).pathname,
  link: stores.link,
  isServed: async () => (await fetch(WORKER, { cache: 'no-cache' })).ok,
  idle: () => new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(() => resolve())),
  onOther() {
    if (stores.view.getState().isOtherReleaseReady) return;
    stores.view.setState({ isOtherReleaseReady: true });
    const text = 'Nothing changes until you reload.';
    const action = { label: 'Reload', run: () => location.reload() };
    notices.add({ tone: 'plain', title: OTHER_RELEASE, text, action });
  },
});
/** Alerts work in every tab, also in one that never shows them. */
const wakeWatch = () => void watchDesk.get().catch(() => {});
if (hasWatched(() => localStorage)) wakeWatch();
addEventListener('storage', ({ key }) => {
  if (key === KEPT_WATCHED) wakeWatch();
});
clock.start();
live.start();
setInterval(() => {
  void days.step();
  dayResult.ifLoaded((day) => void day.step());
}, 1_000);
void sessions.restore();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <TerminalContext value={terminal}>
      <Boundary>
        <App />
      </Boundary>
    </TerminalContext>
  </StrictMode>,
);
