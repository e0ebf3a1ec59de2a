/** The account's panels, one per tab: positions, resting and closed orders, fills, sums, and the log. */

import { type ComponentProps, type ComponentType, type ReactNode, Suspense } from 'react';
import { useIsBeside } from '../areas/charts/ChartsBeside.tsx';
import { ChartsPanel } from '../areas/charts/ChartsPanel.tsx';
import { FundsTab } from '../areas/funds/FundsTab.tsx';
import { LOADING, later } from '../kit/later.tsx';
import { Own } from '../kit/Own.tsx';
import { tabKeys } from '../kit/tab-keys.ts';
import { useMatches } from '../kit/use-size.ts';
import type { Holdings } from '../session/state.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import { choosePanel } from '../view/show-panel.ts';
import styles from './Dock.module.css';
import { WHATIF_BESIDE, WhatIf, WhatIfButton } from './WhatIfBeside.tsx';

interface DockTab {
  readonly name: string;
  readonly Panel: ComponentType;
  /** Shown beside the name, unless it is 0. */
  readonly count?: (holdings: Holdings) => number;
  /** The venue mode it is limited to; all modes if not given. */
  readonly mode?: 'paper' | 'deposits';
  /** For a panel of the account, in its place until the account is known. */
  readonly own?: Omit<ComponentProps<typeof Own>, 'children'>;
  /** The phone tab it belongs to, if it has none of its own. */
  readonly under?: string;
}

const Positions = later(async () => (await import('../areas/book/Positions.tsx')).Positions);
const AccountPanel = later(async () => (await import('../areas/account/late.ts')).AccountPanel);
const Log = later(async () => (await import('../areas/notices/Log.tsx')).Log);
const Watch = later(async () => (await import('../areas/watch/late.ts')).WatchPanel);
const Orders = later(async () => (await import('../areas/book/late.ts')).Orders);
const Closed = later(async () => (await import('../areas/book/late.ts')).Closed);
const Fills = later(async () => (await import('../areas/book/late.ts')).Fills);

const positionsIn = ({ positions }: Holdings) => positions.size;
const ordersIn = ({ account }: Holdings) => account?.openOrderCount ?? 0;

const TABS: readonly DockTab[] = [
  {
    ...{ name: 'Positions', Panel: Positions, own: { what: 'your positions', outlasts: positionsIn } },
    count: positionsIn,
  },
  { name: 'What-if', Panel: WhatIf, under: 'Positions' },
  { name: 'Watch', Panel: Watch, under: 'Positions' },
  {
    ...{ name: 'Orders', Panel: Orders, own: { what: 'your orders', outlasts: ordersIn } },
    count: ordersIn,
  },
  { name: 'Closed', Panel: Closed, under: 'Orders', own: { what: 'your closed orders' } },
  { name: 'Fills', Panel: Fills, under: 'Orders', own: { what: 'your fills' } },
  { name: 'Account', Panel: AccountPanel },
  { name: 'Funds', Panel: FundsTab, mode: 'deposits', under: 'Account' },
  { name: 'Charts', Panel: ChartsPanel },
  { name: 'Log', Panel: Log, under: 'Orders' },
];

/** The phone tab that shows a panel. */
export function phoneTabOf(panel: string): string {
  return TABS.find(({ name }) => name === panel)?.under ?? panel;
}

export function Dock(): ReactNode {
  const { stores } = useTerminal();
  const chosen = useStore(stores.room, (room) => room.panel);
  const setChosen = (panel: string) => choosePanel(stores, panel);
  const mode = useStore(stores.link, (link) => link.mode);
  const isBeside = useIsBeside();
  const isPhone = useMatches('(width < 768px)');
  const hasRoomBeside = useMatches(WHATIF_BESIDE);
  const there = TABS.filter(
    (tab) =>
      (tab.mode === undefined || tab.mode === mode) &&
      !(isBeside && tab.Panel === ChartsPanel) &&
      !(hasRoomBeside && tab.Panel === WhatIf),
  );
  const shown = there.find((tab) => tab.name === chosen) ?? there[0]!;
  // Panels with a phone tab of their own are not offered twice.
  const tabs = isPhone ? there.filter(({ name }) => phoneTabOf(name) === phoneTabOf(shown.name)) : there;
  const { name, Panel, own } = shown;
  const onKeyDown = tabKeys({ tabs, chosen: shown, choose: (tab) => setChosen(tab.name) });
  return (
    <section className="dock" aria-label="Your account">
      <div className="tabs bare" role="tablist" aria-label="Your account" onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <DockTabButton
            key={tab.name}
            tab={tab}
            isChosen={tab.name === name}
            onChoose={() => setChosen(tab.name)}
          />
        ))}
      </div>
      {hasRoomBeside && <WhatIfButton />}
      <FoldBook />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is reached by the keyboard to do so */}
      <div className="panel" role="tabpanel" aria-label={name} tabIndex={0}>
        <Suspense fallback={LOADING}>
          {own === undefined ? (
            <Panel />
          ) : (
            <Own {...own}>
              <Panel />
            </Own>
          )}
        </Suspense>
      </div>
    </section>
  );
}

/** On a wide screen the book may leave its room to the chain. */
function FoldBook(): ReactNode {
  const { stores } = useTerminal();
  const isOpen = useStore(stores.room, (room) => room.isBookOpen);
  return (
    <button
      type="button"
      className={`${styles.fold} bare`}
      aria-expanded={isOpen}
      aria-label="Fold away the account"
      title={isOpen ? 'Fold away' : 'Unfold'}
      onClick={() => stores.room.setState({ isBookOpen: !isOpen })}
    >
      {isOpen ? '↓' : '↑'}
    </button>
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
