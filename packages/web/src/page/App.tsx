/** The page: header, expiries, chain, and beside them the ticket and the account. styles.css has the layout. */

import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Chain } from '../areas/chain/Chain.tsx';
import { Expiry } from '../areas/chain/Expiry.tsx';
import { ExpiryTabs } from '../areas/chain/ExpiryTabs.tsx';
import { SymbolSwitcher } from '../areas/chain/SymbolSwitcher.tsx';
import { Help } from '../areas/help/Help.tsx';
import { Announcer } from '../areas/notices/Announcer.tsx';
import { Notices } from '../areas/notices/Notices.tsx';
import { Ticket } from '../areas/order/Ticket.tsx';
import { LOADING, later } from '../kit/later.tsx';
import { useMatches } from '../kit/use-size.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import { Dock } from './Dock.tsx';
import { Header } from './Header.tsx';
import { MarketPart } from './MarketPart.tsx';
import { OtherVenueBanner } from './OtherVenueBanner.tsx';
import { PhoneTabs } from './PhoneTabs.tsx';
import { SkipToChain } from './SkipToChain.tsx';
import { useFocusAfterSignIn } from './use-focus-after-sign-in.ts';
import { useKeys } from './use-keys.ts';
import { useRoomSizes } from './use-room-sizes.ts';
import { useSteadyChain } from './use-steady-chain.ts';
import { useIsWhatIfBeside, WhatIfBeside } from './WhatIfBeside.tsx';
import './App.css';

const Tray = later(async () => (await import('../areas/order/tray/Tray.tsx')).Tray);
const Tour = later(async () => (await import('../areas/help/late.ts')).Tour);
const SecondChain = later(async () => (await import('./SecondChain.tsx')).SecondChain);
const RoomDividers = later(async () => (await import('./RoomDividers.tsx')).RoomDividers);
const MarginBanner = later(async () => (await import('../areas/account/late.ts')).MarginBanner);
const QuietBanner = later(async () => (await import('../areas/chain/late.ts')).QuietBanner);

export function App(): ReactNode {
  const { stores } = useTerminal();
  const isOnPanel = useStore(stores.view, (view) => view.isOnPanel);
  const link = useStore(stores.link, ({ state }) => state);
  const isTrayOpen = useStore(stores.tray, ({ isOpen }) => isOpen);
  const hasTicket = useStore(stores.ticket, ({ isOpen }) => isOpen) || isTrayOpen;
  const isMarketOpen = useStore(stores.room, (room) => room.isMarketOpen);
  const isBookOpen = useStore(stores.room, (room) => room.isBookOpen);
  const isOnTour = useStore(stores.view, (view) => view.isOnTour);
  const isWhatIfBeside = useIsWhatIfBeside();
  const isWide = useMatches('(width >= 1366px)');
  const root = useRef<HTMLDivElement>(null);
  useRoomSizes(root);
  useKeys();
  useFocusAfterSignIn();
  useTitle();
  return (
    <div
      ref={root}
      className="app"
      data-link={link}
      data-on-panel={isOnPanel}
      data-ticket={hasTicket}
      data-market={isMarketOpen}
      data-book={isBookOpen}
      data-what-if={isWhatIfBeside}
    >
      <SkipToChain />
      <Header />
      <nav className="expiry-place" aria-label="Expiry">
        <ExpiryTabs />
      </nav>
      <Banners />
      <MarketPart />
      {/* On a phone either of them may be the main content. */}
      <main className="parts">
        <Chains isWhatIfBeside={isWhatIfBeside} />
        <h2 className="visually-hidden">Your account</h2>
        <Dock />
        {isWide && (
          <Suspense fallback={null}>
            <RoomDividers />
          </Suspense>
        )}
      </main>
      <WhatIfBeside />
      <OrderPart />
      <PhoneTabs />
      <Notices />
      <Announcer />
      <Help />
      <SymbolSwitcher />
      {isOnTour && (
        <Suspense fallback={null}>
          <Tour />
        </Suspense>
      )}
    </div>
  );
}

function Banners(): ReactNode {
  const section = useRef<HTMLElement>(null);
  useSteadyChain(section);
  return (
    <section ref={section} className="banner" aria-label="Warnings">
      <OtherVenueBanner />
      <Suspense fallback={null}>
        <MarginBanner />
        <QuietBanner />
      </Suspense>
    </section>
  );
}

/** With the what-if beside it, a chain has room for calls and puts only where it stands alone. */
function Chains({ isWhatIfBeside }: { readonly isWhatIfBeside: boolean }): ReactNode {
  const hasSecond = useMatches('(width >= 2560px)') && !isWhatIfBeside;
  return (
    <section className="main" aria-label="Option chain">
      <Expiry>
        <Chain />
      </Expiry>
      {hasSecond && (
        <Suspense fallback={null}>
          <SecondChain>
            <Chain />
          </SecondChain>
        </Suspense>
      )}
    </section>
  );
}

/** The ticket, or in its place the strategy tray. */
function OrderPart(): ReactNode {
  const { stores } = useTerminal();
  const isTrayOpen = useStore(stores.tray, ({ isOpen }) => isOpen);
  return (
    <aside className="side" aria-label="Order">
      {isTrayOpen ? (
        <Suspense fallback={LOADING}>
          <Tray />
        </Suspense>
      ) : (
        <Ticket />
      )}
    </aside>
  );
}

/** The tab's title also tells paper money from real money. */
function useTitle(): void {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const unseen = useStore(stores.view, (view) => view.unseenFills);
  useEffect(() => {
    const filled = unseen > 0 ? `(${unseen}) filled` : null;
    const words = [filled, mode === 'paper' ? 'PAPER' : null, symbol, 'Venue'];
    document.title = words.filter((word) => word !== null).join(' · ');
  }, [mode, symbol, unseen]);
}
