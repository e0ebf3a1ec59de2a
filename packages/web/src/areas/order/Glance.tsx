/** In the ticket's place while there is no order: what is watched, the underlyings, what trades most, and the account. */

import { type ReactNode, Suspense, useEffect, useState } from 'react';
import {
  formatPercent,
  formatPnl,
  formatPrice,
  formatSize,
  formatUsd,
  UNKNOWN,
} from '../../basics/numbers.ts';
import { later } from '../../kit/later.tsx';
import { NameButton } from '../../kit/NameButton.tsx';
import { type RowColumn, Rows } from '../../kit/Rows.tsx';
import { pnlClass } from '../../kit/tones.ts';
import type { Leg } from '../../market/market.ts';
import { quotedUnrealized } from '../../market/marks.ts';
import { dayResult } from '../../session/day-base.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useShape } from '../../terminal/use-market.ts';
import { usePositions } from '../../terminal/use-positions.ts';
import { mostTraded } from '../chain/core/interest.ts';
import { changeClass, changeText, indexText } from '../chain/MarketHead.tsx';
import './Glance.css';

const WatchGlance = later(async () => (await import('../watch/late.ts')).WatchGlance);

export function Glance(): ReactNode {
  const { stores } = useTerminal();
  const isWatching = useStore(stores.view, (view) => view.isWatching);
  return (
    <div className="glance">
      {isWatching && (
        <Suspense fallback={null}>
          <WatchGlance />
        </Suspense>
      )}
      <Markets />
      <MostTraded />
      <Money />
    </div>
  );
}

function Markets(): ReactNode {
  const { stores } = useTerminal();
  const instruments = useStore(stores.listing, (listing) => listing.instruments);
  const days = useStore(stores.days, (all) => all);
  type Instrument = (typeof instruments)[number];
  const columns: readonly RowColumn<Instrument>[] = [
    { head: 'Markets', cell: ({ symbol }) => <NameButton name={symbol} /> },
    { head: 'Price', cell: ({ spot }) => (spot > 0 ? formatPrice(spot) : UNKNOWN) },
    {
      head: '24 h',
      cell: ({ symbol, spot }) => changeText(days.get(symbol), spot),
      className: ({ symbol, spot }) => changeClass(days.get(symbol), spot),
    },
    { head: 'Vol', cell: ({ symbol }) => indexText(days.get(symbol)) },
  ];
  return <Rows label="Markets" items={instruments} keyOf={({ symbol }) => symbol} columns={columns} />;
}

const TRADED_MOST = 5;
/** Volumes move slowly. */
const EVERY_MS = 2_000;

/** The contracts of the chain on the screen with the largest volume. */
function MostTraded(): ReactNode {
  const { market, format, actions } = useTerminal();
  const shape = useShape();
  const [, setLook] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setLook((looks) => looks + 1), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const legs = mostTraded(shape?.legs ?? [], (leg) => market.value(leg, 'volume'), TRADED_MOST);
  if (legs.length === 0) return null;
  const columns: readonly RowColumn<Leg>[] = [
    {
      head: 'Most traded',
      cell: (leg) => (
        <button type="button" className="text-button" onClick={() => actions.pickPrice(leg, 'buy')}>
          {format.strike(leg.strike)} {leg.right === 'C' ? 'call' : 'put'}
        </button>
      ),
    },
    { head: 'Mark', cell: (leg) => formatPrice(market.value(leg, 'mark')) },
    { head: 'Volume', cell: (leg) => formatSize(market.value(leg, 'volume')) },
    { head: 'OI', cell: (leg) => formatSize(market.value(leg, 'oi')) },
  ];
  return <Rows label="Most traded" items={legs} keyOf={({ seriesId }) => seriesId} columns={columns} />;
}

/** Nothing before the account is known: panels of the account say why. */
function Money(): ReactNode {
  const { stores } = useTerminal();
  const account = useStore(stores.holdings, (holdings) => holdings.account);
  const day = useStore(stores.holdings, dayResult);
  const unrealized = quotedUnrealized(usePositions());
  if (account === null) return null;
  const { equity, buyingPower, maintenanceMargin } = account;
  const lines: readonly (readonly [label: string, text: string, tone?: string | undefined])[] = [
    ['Equity', formatUsd(equity)],
    ...(day === null ? [] : [['Day P&L', formatPnl(day, '$'), pnlClass(day)] as const]),
    ['Unrealised', formatPnl(unrealized, '$'), pnlClass(unrealized)],
    ['Buying power', formatUsd(buyingPower)],
    ['Margin used', equity > 0 ? formatPercent(maintenanceMargin / equity, 0) : UNKNOWN],
  ];
  return (
    <section>
      <h3>Account</h3>
      <dl>
        {lines.map(([label, text, tone]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={tone}>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
