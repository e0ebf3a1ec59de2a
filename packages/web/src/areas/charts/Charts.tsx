/**
 * The charts: one at a time, or two side by side where there is room. One above the other, the upper is over time and
 * the lower of this moment, so that no tabs stand there twice.
 */

import { type ReactNode, useRef, useState } from 'react';
import { tabKeys } from '../../kit/tab-keys.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import styles from './Charts.module.css';
import { ContractChart } from './ContractChart.tsx';
import { DepthChart } from './DepthChart.tsx';
import { EquityChart } from './EquityChart.tsx';
import { PortfolioChart } from './PortfolioChart.tsx';
import { SmileChart } from './SmileChart.tsx';
import { SpotChart } from './SpotChart.tsx';
import { useSize } from './use-size.ts';

const OVER_TIME = [
  { name: 'Spot', Chart: SpotChart },
  { name: 'Contract', Chart: ContractChart },
  { name: 'Equity', Chart: EquityChart },
] as const;
const NOW = [
  { name: 'Depth', Chart: DepthChart },
  { name: 'Smile', Chart: SmileChart },
  { name: 'Payoff', Chart: PortfolioChart },
] as const;
const ALL = [...OVER_TIME, ...NOW] as const;
type ShownChart = (typeof ALL)[number];
type ChartName = ShownChart['name'];

/** The smallest size at which one chart is legible. */
const PANE_PX = { width: 440, height: 320 };

/** The last choice in each pane, restored when the charts are shown again. */
let remembered: readonly [ChartName, ChartName] = ['Spot', 'Payoff'];

export function Charts(): ReactNode {
  const { stores } = useTerminal();
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const [chosen, setChosen] = useState(remembered);
  const asks = useStore(stores.view, ({ contractAsks }) => contractAsks);
  const [followed, setFollowed] = useState(asks);
  const choose = (at: 0 | 1) => (name: ChartName) => {
    remembered = at === 0 ? [name, chosen[1]] : [chosen[0], name];
    setChosen(remembered);
  };
  if (asks !== followed) {
    setFollowed(asks);
    choose(0)('Contract');
  }
  const isWide = width >= 2 * PANE_PX.width;
  const isTall = !isWide && height >= 2 * PANE_PX.height;
  return (
    <div className={styles.charts} ref={box} data-flow={isWide ? 'row' : 'column'}>
      {width > 0 && (
        <Pane label="Chart" charts={isTall ? OVER_TIME : ALL} chosen={chosen[0]} onChoose={choose(0)} />
      )}
      {width > 0 && (isWide || isTall) && (
        <Pane label="Second chart" charts={isTall ? NOW : ALL} chosen={chosen[1]} onChoose={choose(1)} />
      )}
    </div>
  );
}

interface PaneProps {
  readonly label: string;
  readonly charts: readonly ShownChart[];
  /** The first of the charts is shown where it is none of them. */
  readonly chosen: ChartName;
  readonly onChoose: (name: ChartName) => void;
}

function Pane({ label, charts, chosen, onChoose }: PaneProps): ReactNode {
  const shown = charts.find(({ name }) => name === chosen) ?? charts[0]!;
  const { Chart } = shown;
  const onKeyDown = tabKeys({ tabs: charts, chosen: shown, choose: ({ name }) => onChoose(name) });
  return (
    <section className={styles.pane} aria-label={label}>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {charts.map(({ name }) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === shown.name}
            tabIndex={name === shown.name ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div className={styles.paneBody} role="tabpanel" aria-label={shown.name}>
        <Chart />
      </div>
    </section>
  );
}
