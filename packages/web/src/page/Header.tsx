/** The top bar: venue and mode, freshness of the data, prices of the underlyings, and the account. */

import type { ReactNode } from 'react';
import { SessionMenu } from '../areas/account/SessionMenu.tsx';
import { changeClass, changeText, indexText, spanText } from '../areas/chain/MarketHead.tsx';
import { PhoneMarket } from '../areas/chain/PhoneMarket.tsx';
import { formatPnl, formatUsd } from '../basics/numbers.ts';
import { momentLabel } from '../basics/time-label.ts';
import { pnlClass } from '../kit/tones.ts';
import { useMatches } from '../kit/use-size.ts';
import { clockText } from '../market/venue-clock.ts';
import { dayResult, sinceWords } from '../session/day-base.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import { equityNote, usePositions } from '../terminal/use-positions.ts';
import styles from './Header.module.css';
import { LinkSign } from './LinkSign.tsx';
import { Tools } from './Tools.tsx';

export function Header(): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const isSimulated = useStore(stores.link, (link) => link.simulatedPrices);
  const isPhone = useMatches('(width < 768px)');
  return (
    <header className="header" data-mode={mode ?? 'unknown'}>
      <h1 className={styles.brand}>Venue</h1>
      {mode === 'paper' && (
        <span className={styles.mode} title="Test money: nothing here is worth anything">
          PAPER
        </span>
      )}
      {mode === 'deposits' && (
        <span className={`${styles.mode} ${styles.real}`} title="Real stablecoin, held by the vault">
          REAL MONEY
        </span>
      )}
      {isSimulated && (
        <span className={styles.mode} title="Prices come from a simulator or a recording, not from a market">
          SIMULATED<span className={styles.modeNoun}> PRICES</span>
        </span>
      )}
      {isPhone ? <PhoneMarket /> : <Symbols />}
      <LinkSign />
      <ClockSign />
      <AccountSign />
      <SessionMenu />
      <Tools />
    </header>
  );
}

function Symbols(): ReactNode {
  const { stores, actions, format } = useTerminal();
  const instruments = useStore(stores.listing, (listing) => listing.instruments);
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  return (
    <nav className={styles.symbols} aria-label="Underlyings">
      {instruments.map((one) => (
        <button
          key={one.symbol}
          type="button"
          aria-current={one.symbol === symbol}
          onClick={() => actions.selectSymbol(one.symbol)}
          title={one.feedFresh ? undefined : 'No source has printed for a minute'}
        >
          {one.symbol}{' '}
          <span className={one.feedFresh ? 'spot' : 'spot stale'}>
            {one.spot > 0 ? format.price(one.spot) : '–'}
            {!one.feedFresh && ' old'}
          </span>
          <SymbolDay symbol={one.symbol} spot={one.spot} isChosen={one.symbol === symbol} />
        </button>
      ))}
    </nav>
  );
}

interface SymbolDayProps {
  readonly symbol: string;
  readonly spot: number;
  readonly isChosen: boolean;
}

/** Under the price where there is room: the day's change, and of the chosen one the 30-day volatility index. */
function SymbolDay({ symbol, spot, isChosen }: SymbolDayProps): ReactNode {
  const { stores } = useTerminal();
  const day = useStore(stores.days, (days) => days.get(symbol));
  return (
    <small className={styles.symbolDay} aria-hidden="true">
      <span className={changeClass(day, spot)} title={spanText(day)}>
        {changeText(day, spot)}
      </span>
      {isChosen && <span title="30-day volatility">vol {indexText(day)}</span>}
    </small>
  );
}

/** Everything is timed by the venue, but a wrong local clock still deserves a warning. */
function ClockSign(): ReactNode {
  const { stores } = useTerminal();
  const text = useStore(stores.link, ({ clockAheadMs }) => clockText(clockAheadMs));
  if (text === null) return null;
  return (
    <span className={`${styles.clockSign} warning`} title={text}>
      {text}
    </span>
  );
}

function AccountSign(): ReactNode {
  const { stores } = useTerminal();
  const equity = useStore(stores.holdings, ({ account }) => account?.equity ?? null);
  const buyingPower = useStore(stores.holdings, ({ account }) => account?.buyingPower ?? null);
  const { sign, text } = equityNote(usePositions());
  if (equity === null || buyingPower === null) return null;
  return (
    <>
      <DaySign sign={sign} />
      <dl className={styles.sums}>
        <dt>Equity</dt>
        <dd title={text ?? undefined}>
          {sign}
          {formatUsd(equity)}
        </dd>
        <dt className={styles.wideOnly}>Buying power</dt>
        <dd className={styles.wideOnly}>{formatUsd(buyingPower)}</dd>
      </dl>
    </>
  );
}

/** The account's result today, and since when; a phone has it among the account's money. */
function DaySign({ sign }: { readonly sign: string }): ReactNode {
  const { stores } = useTerminal();
  const result = useStore(stores.holdings, dayResult);
  const base = useStore(stores.holdings, ({ dayBase }) => dayBase);
  if (result === null || base === null) return null;
  return (
    <dl
      className={`${styles.sums} ${styles.daySum}`}
      title="Equity now, less that of the day's beginning and what was paid in since"
    >
      <dt>Day P&L</dt>
      <dd className={pnlClass(result)}>
        {sign}
        {formatPnl(result, '$')}
      </dd>
      <dd className={styles.since}>{sinceWords(base, momentLabel)}</dd>
    </dl>
  );
}
