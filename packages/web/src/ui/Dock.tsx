/** What the account has: positions, resting orders, fills, sums, and what happened. A panel a tab. */

import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useIsBeside } from '../charts/ChartsBeside.tsx';
import { ChartsPanel } from '../charts/ChartsPanel.tsx';
import type { Holdings } from '../core/stores.ts';
import { FundsTab } from '../funds/FundsTab.tsx';
import { AccountPanel } from './AccountPanel.tsx';
import { Fills } from './Fills.tsx';
import { Log } from './Log.tsx';
import { Orders } from './Orders.tsx';
import { Positions } from './Positions.tsx';
import { useStore, useTerminal } from './terminal.ts';
import './Dock.css';

interface DockTab {
  readonly name: string;
  readonly Panel: () => ReactNode;
  /** Stands beside the name, unless it is 0. */
  readonly count?: (holdings: Holdings) => number;
  /** In which mode of the venue it is there; in every mode unless named. */
  readonly mode?: 'paper' | 'deposits';
}

const TABS: readonly DockTab[] = [
  { name: 'Positions', Panel: Positions, count: ({ positions }) => positions.size },
  { name: 'Orders', Panel: Orders, count: ({ account }) => account?.openOrderCount ?? 0 },
  { name: 'Fills', Panel: Fills },
  { name: 'Account', Panel: AccountPanel },
  { name: 'Funds', Panel: FundsTab, mode: 'deposits' },
  { name: 'Charts', Panel: ChartsPanel },
  { name: 'Log', Panel: Log },
];

export function Dock(): ReactNode {
  const { stores } = useTerminal();
  const chosen = useStore(stores.view, (view) => view.panel);
  const setChosen = (panel: string) => stores.view.setState({ panel });
  const mode = useStore(stores.link, (link) => link.mode);
  const isBeside = useIsBeside();
  const tabs = TABS.filter(
    (tab) => (tab.mode === undefined || tab.mode === mode) && !(isBeside && tab.Panel === ChartsPanel),
  );
  const { name, Panel } = tabs.find((tab) => tab.name === chosen) ?? tabs[0]!;
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = tabs.findIndex((tab) => tab.name === name) + step;
    const next = tabs[at];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    setChosen(next.name);
    list.current?.querySelectorAll('button')[at]?.focus();
  };
  return (
    <section className="dock" aria-label="Your account">
      <div className="tabs" role="tablist" aria-label="Your account" ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <DockTabButton
            key={tab.name}
            tab={tab}
            isChosen={tab.name === name}
            onChoose={() => setChosen(tab.name)}
          />
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is reached by the keyboard to do so */}
      <div className="panel" role="tabpanel" aria-label={name} tabIndex={0}>
        <Panel />
      </div>
    </section>
  );
}

interface DockTabButtonProps {
  readonly tab: DockTab;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function DockTabButton({ tab, isChosen, onChoose }: DockTabButtonProps): ReactNode {
  const { stores } = useTerminal();
  const count = useStore(stores.holdings, (holdings) => tab.count?.(holdings) ?? 0);
  return (
    <button type="button" role="tab" aria-selected={isChosen} tabIndex={isChosen ? 0 : -1} onClick={onChoose}>
      {tab.name}
      {count > 0 && ` ${count}`}
    </button>
  );
}
