/** The parts of the page that run beside what it shows, in the order in which they start. */

import { seeEquity } from '../areas/account/core/equity-seen.ts';
import type { FillNews } from '../areas/book/core/fill-news.ts';
import { tellRealised } from '../areas/book/core/tell-realised.ts';
import { OTHER_RELEASE } from '../areas/notices/core/notices.ts';
import { contractOf } from '../areas/order/core/form/order.ts';
import { hasWatched, KEPT_WATCHED } from '../areas/watch/core/kept-name.ts';
import { WORKER } from '../install/release.ts';
import { followReleases } from '../install/releases.ts';
import { pressOnce } from '../kit/press-once.ts';
import { venueNowMs } from '../market/clock.ts';
import type { DayFeed } from '../market/day-figures.ts';
import { keepReached, lastReachedMs } from '../market/last-reached.ts';
import type { VenueClock } from '../market/venue-clock.ts';
import type { Live } from '../session/live.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Desks } from './desks.ts';
import { followAddress } from './follow-address.ts';

/** The page as its parts have it. */
export interface Page {
  readonly terminal: Terminal;
  readonly desks: Desks;
  readonly live: Live;
  readonly clock: VenueClock;
  readonly fillNews: FillNews;
  readonly daysOf: (names: () => readonly string[]) => DayFeed;
  readonly isShown: () => boolean;
  /** This page's clock, in ms. */
  readonly now: () => number;
}

type Part = (page: Page) => void;

function paintNumbers({ terminal: { market, painter } }: Page): void {
  market.subscribe({ numbered: () => painter.request() });
}

function noteSpots({ terminal: { market, stores, spotAges, histories }, now }: Page): void {
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
}

function followAccount({ terminal: { stores, equitySeen }, fillNews }: Page): void {
  stores.holdings.subscribe((holdings) => fillNews.takeOrders(holdings));
  seeEquity(equitySeen, stores);
  tellRealised(stores);
}

/** Charts follow the ticket's contract. */
function followTicket({ terminal: { stores } }: Page): void {
  stores.ticket.subscribe((ticket, before) => {
    const contract = contractOf(ticket);
    if (contract !== null && contract !== contractOf(before)) stores.view.setState({ contract });
  });
}

function hurryWhenSeen({ terminal: { stores }, live, isShown }: Page): void {
  addEventListener('online', () => live.hurry());
  document.addEventListener('visibilitychange', () => {
    if (!isShown()) return;
    stores.view.setState({ unseenFills: 0 });
    live.hurry();
  });
}

function followItsAddress({ terminal: { stores, notices, actions }, desks }: Page): void {
  const { ticket, withTray } = desks;
  followAddress({
    ...{ stores, notices },
    ...{ selectSymbol: actions.selectSymbol, selectExpiry: actions.selectExpiry },
    openTicket: (seriesId) => ticket.reopen(seriesId),
    openTray: (legs) => withTray((tray) => tray.reopen(legs)),
    closeOrder() {
      ticket.close();
      if (stores.tray.getState().isOpen) void withTray((tray) => tray.hide());
    },
    venueNow: () => venueNowMs(stores.link),
  });
}

function keepVisits({ terminal: { stores } }: Page): void {
  stores.link.setState({ lastReachedMs: lastReachedMs(() => localStorage, Date.now()) });
  keepReached(() => localStorage, stores.link, Date.now);
  // Where it cannot be loaded, the log lasts as long as the page.
  void import('../areas/notices/core/kept-log.ts').then(
    ({ keepLog }) => keepLog(() => sessionStorage, stores),
    () => {},
  );
}

/** Alerts work in every tab, also in one that never shows them. */
function wakeAlerts({ desks: { watch } }: Page): void {
  const wake = () => void watch.get().catch(() => {});
  if (hasWatched(() => localStorage)) wake();
  addEventListener('storage', ({ key }) => {
    if (key === KEPT_WATCHED) wake();
  });
}

function askEverySecond({ terminal: { stores }, desks: { dayResult }, daysOf }: Page): void {
  const days = daysOf(() => stores.listing.getState().instruments.map(({ symbol }) => symbol));
  setInterval(() => {
    void days.step();
    dayResult.ifLoaded((day) => void day.step());
  }, 1_000);
}

export const PARTS: readonly Part[] = [
  paintNumbers,
  noteSpots,
  followAccount,
  () => pressOnce(window),
  followTicket,
  hurryWhenSeen,
  followItsAddress,
  keepVisits,
  wakeAlerts,
  ({ clock }) => clock.start(),
  ({ live }) => live.start(),
  askEverySecond,
  ({ terminal: { sessions } }) => void sessions.restore(),
];

/**
 * Asks for another release of the page.
 *
 * @param entry the address of the page's own script
 */
export function askForReleases({ terminal: { stores, notices } }: Page, entry: string): void {
  followReleases({
    workers: navigator.serviceWorker ?? null,
    entry,
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
}
