/** The page: header, expiries, chain, and beside them the ticket and the account. */

import type { ReactNode } from 'react';
import { Chain } from './Chain.tsx';
import { Dock } from './Dock.tsx';
import { ExpiryTabs } from './ExpiryTabs.tsx';
import { Header } from './Header.tsx';
import { MarginBanner } from './MarginBanner.tsx';
import { Notices } from './Notices.tsx';
import { Ticket } from './Ticket.tsx';

export function App(): ReactNode {
  return (
    <div className="app">
      <Header />
      <ExpiryTabs />
      <main className="main">
        <Chain />
      </main>
      <aside className="side">
        <MarginBanner />
        <Ticket />
      </aside>
      <Dock />
      <Notices />
    </div>
  );
}
