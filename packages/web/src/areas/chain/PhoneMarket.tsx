/** A phone's market: the underlying, which opens the list of all, its price in large and its change of the day. */

import type { ReactNode } from 'react';
import { UNKNOWN } from '../../basics/numbers.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { changeClass, changeText, spanText } from './MarketHead.tsx';
import styles from './PhoneMarket.module.css';

export function PhoneMarket(): ReactNode {
  const { stores, format } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const chosen = useStore(stores.listing, ({ instruments }) =>
    instruments.find((one) => one.symbol === symbol),
  );
  const day = useStore(stores.days, (days) => (symbol === null ? undefined : days.get(symbol)));
  const spot = chosen?.spot ?? 0;
  const isOld = chosen?.feedFresh === false;
  return (
    <section className={styles.phoneMarket} aria-label="Underlying">
      <button
        type="button"
        aria-haspopup="dialog"
        title="All underlyings"
        disabled={symbol === null}
        onClick={() => stores.view.setState({ isSwitcherOpen: true })}
      >
        <strong>{symbol ?? UNKNOWN}</strong>
        <small className={changeClass(day, spot)} title={spanText(day)}>
          {changeText(day, spot)}
        </small>
      </button>
      <p
        className={isOld ? 'market-spot stale' : 'market-spot'}
        title={isOld ? 'No source has printed for a minute' : undefined}
      >
        {spot > 0 ? format.price(spot) : UNKNOWN}
      </p>
    </section>
  );
}
