/** On a phone the screen shows one thing at a time: the chain, or a panel of the dock. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import { showPanel } from '../view/show-panel.ts';
import { phoneTabOf } from './Dock.tsx';

/** Panels with a tab of their own; the others are reached through these. */
const PANELS = ['Positions', 'Orders', 'Charts', 'Account'] as const;

export function PhoneTabs(): ReactNode {
  const { stores, desk } = useTerminal();
  const isOnPanel = useStore(stores.view, (view) => view.isOnPanel);
  const shown = useStore(stores.room, (room) => phoneTabOf(room.panel));
  const positions = useStore(stores.holdings, (state) => state.positions.size);
  const orders = useStore(stores.holdings, (state) => state.account?.openOrderCount ?? 0);
  const counts: Partial<Record<string, number>> = { Positions: positions, Orders: orders };
  const show = (panel: string | null) => {
    desk.close();
    if (panel === null) stores.view.setState({ isOnPanel: false });
    else showPanel(stores, panel);
  };
  return (
    <nav className="phone-tabs" aria-label="Parts of the page">
      <button type="button" aria-current={!isOnPanel} onClick={() => show(null)}>
        Chain
      </button>
      {PANELS.map((panel) => (
        <button
          key={panel}
          type="button"
          aria-current={isOnPanel && shown === panel}
          onClick={() => show(panel)}
        >
          {panel}
          {counts[panel] ? <small> {counts[panel]}</small> : null}
        </button>
      ))}
    </nav>
  );
}
