/** The desks of the page: each does one of the person's tasks. All but the ticket's are loaded with their first use. */

import type { Channels } from '@venue/sdk/browser';
import { alertOf } from '../areas/notices/core/alerts.ts';
import type { DeskOptions } from '../areas/order/core/form/desk.ts';
import { TicketDesk } from '../areas/order/core/ticket/desk.ts';
import { KeptTicket } from '../areas/order/core/ticket/kept-ticket.ts';
import type { TrayDesk } from '../areas/order/core/tray/desk.ts';
import { loadOnce } from '../basics/load-once.ts';
import type { ChainShelf } from '../market/chains.ts';
import { venueNowMs } from '../market/clock.ts';
import type { DayFeed } from '../market/day-figures.ts';
import type { Histories } from '../market/history.ts';
import type { Market } from '../market/market.ts';
import { seriesLabel } from '../market/series-label.ts';
import { seriesSettlesNear } from '../market/settles-near.ts';
import type { VenueClock } from '../market/venue-clock.ts';
import type { Presence } from '../session/presence.ts';
import type { SharedNonces } from '../session/shared-nonces.ts';
import type { SessionStore } from '../session/store.ts';
import type { Stores } from '../terminal/stores.ts';

export interface DeskParts
  extends Pick<DeskOptions, 'client' | 'notices' | 'take' | 'send' | 'sendBatch' | 'onAccount'> {
  readonly channels: Channels;
  readonly stores: Stores;
  readonly market: Market;
  readonly histories: Histories;
  readonly chains: ChainShelf;
  readonly kept: SessionStore;
  readonly nonces: SharedNonces;
  readonly clock: VenueClock;
  readonly presence: Presence;
  readonly isShown: () => boolean;
  readonly daysOf: (names: () => readonly string[]) => DayFeed;
  readonly selectExpiry: (expiryTs: number) => void;
}

export type Desks = ReturnType<typeof openDesks>;

export function openDesks(parts: DeskParts) {
  const { client, channels, stores, market, histories, notices, take, send, sendBatch, onAccount } = parts;
  const venueNow = () => venueNowMs(stores.link);
  const settlesNear = (seriesId: string) => seriesSettlesNear(histories, { seriesId, nowMs: venueNow() });
  const ticket = new TicketDesk({
    kept: new KeptTicket(() => sessionStorage),
    ...{ client, channels, stores, notices, take, send, sendBatch, onAccount, settlesNear, venueNow },
    labelOf: seriesLabel,
    touchOf(seriesId) {
      const leg = market.legOf(seriesId);
      if (leg === undefined) return null;
      const [bid, ask, mark] = (['bid', 'ask', 'mark'] as const).map((column) => market.value(leg, column));
      return { bid: bid!, ask: ask!, mark: mark! };
    },
  });
  const tray = loadOnce(async () => {
    const { openDesk } = await import('../areas/order/core/tray/open-desk.ts');
    return openDesk(
      { client, stores, notices, take, send, sendBatch, onAccount },
      {
        ...{ market, settlesNear, selectExpiry: parts.selectExpiry },
        chainOf: (symbol, expiryTs) => parts.chains.get(symbol, expiryTs),
        closeTicket: () => ticket.close(),
      },
    );
  });
  return {
    ticket,
    tray,
    /** Says so where the tray cannot be loaded. */
    withTray(act: (tray: TrayDesk) => void): Promise<void> {
      const text = 'If the venue was updated meanwhile, load the page again.';
      return tray
        .get()
        .then(act, () => notices.add({ tone: 'warning', title: 'Strategies could not be loaded', text }));
    },
    guard: loadOnce(async () => {
      const { GuardDesk } = await import('../areas/book/late.ts');
      return new GuardDesk({ client, send, venueNow });
    }),
    watch: loadOnce(async () => {
      const { openWatch } = await import('../areas/watch/core/open-watch.ts');
      const { isShown, daysOf, presence } = parts;
      stores.view.setState({ isWatching: true });
      return openWatch({
        ...{ stores, channels, notices, isShown, daysOf, venueNow },
        alert: (card) => void alertOf(card, isShown()),
        isOtherShown: () => presence.others > 0,
        labelOf: seriesLabel,
      });
    }),
    push: loadOnce(async () => {
      const { openPush } = await import('../areas/notices/core/push/open-push.ts');
      const { kept, nonces, clock } = parts;
      return openPush({
        ...{ kept, notices, nonceOf: nonces.next, now: clock.now },
        isSignedIn: () => stores.session.getState().state === 'ready',
      });
    }),
    dayResult: loadOnce(async () => {
      const { DayResult } = await import('../areas/account/core/day-result.ts');
      return new DayResult({
        ...{ stores, take: () => parts.isShown() && take(), venueNow },
        readEquity: (span) => client.account.equity(span),
        readStatement: (span) => client.account.statement(span),
        readRows: (span) => client.account.statementRows(span),
      });
    }),
  };
}
