/** The terminal's composition root. */

import { openChannels, VenueClient } from '@venue/sdk/browser';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SeenEquity } from './areas/account/core/equity-seen.ts';
import { AccountActions } from './areas/book/core/actions.ts';
import { FillNews } from './areas/book/core/fill-news.ts';
import { openSeenFills } from './areas/book/core/seen-fills.ts';
import { alertOf } from './areas/notices/core/alerts.ts';
import { Notices } from './areas/notices/core/notices.ts';
import { hasPush } from './areas/notices/core/push/kept-name.ts';
import { formatPrice, formatSize } from './basics/numbers.ts';
import { openTabs } from './basics/tabs.ts';
import { ChainShelf } from './market/chains.ts';
import { venueNowMs } from './market/clock.ts';
import { DayFeed } from './market/day-figures.ts';
import { Histories } from './market/history.ts';
import { Market } from './market/market.ts';
import { seriesLabel } from './market/series-label.ts';
import { SpotAges } from './market/spot-ages.ts';
import { VenueClock } from './market/venue-clock.ts';
import { App } from './page/App.tsx';
import { actionsOf, closedOrdersBy } from './page/actions.ts';
import { Boundary } from './page/Boundary.tsx';
import { openDesks } from './page/desks.ts';
import { paintersBy } from './page/painters.ts';
import { askForReleases, PARTS, type Page } from './page/parts.ts';
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
const presence = watchPresence((others) => allowance.shareWith(others));
const painterOf = paintersBy(market);
const sendBatch = sendBatchWith(client);
const desks = openDesks({
  ...{ client, channels, stores, market, histories, chains, notices, kept, nonces, clock, presence },
  ...{ take, send, sendBatch, onAccount, isShown, daysOf },
  selectExpiry: (expiryTs) => terminal.actions.selectExpiry(expiryTs),
});
const sessions = new Sessions({
  ...{ client, kept, state: stores.session, now: clock.now },
  onReady: () => {
    live.onSignedIn();
    void desks.dayResult.get().catch(() => {});
    if (hasPush(() => localStorage))
      void desks.push.get().then(
        (push) => push.renew(),
        () => {},
      );
  },
  onGone: () => {
    desks.guard.ifLoaded((guard) => guard.end());
    live.onSignedOut();
  },
  onKept: () => tabs.tell(),
});
/** Signed out, there is nothing to lose with another venue: the page reloads, at the same view. */
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
    sessions,
    notices,
    histories,
    spotAges,
    equitySeen,
    chains,
    take,
  },
  painter: painterOf(market),
  painterOf,
  desk: desks.ticket,
  trayDesk: desks.tray.wait,
  guardDesk: desks.guard.wait,
  watchDesk: desks.watch.wait,
  pushDesk: desks.push.wait,
  closedOrders: closedOrdersBy(client),
  format: {
    price: (price) => formatPrice(price),
    strike: (value) => value.toLocaleString('en-US'),
    qty: formatSize,
  },
  actions: actionsOf({ stores, market, live, sessions, account, desks }),
};
const page: Page = { terminal, desks, live, clock, fillNews, daysOf, isShown, now };
for (const start of PARTS) start(page);
askForReleases(page, new URL(import.meta.url).pathname);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <TerminalContext value={terminal}>
      <Boundary>
        <App />
      </Boundary>
    </TerminalContext>
  </StrictMode>,
);
