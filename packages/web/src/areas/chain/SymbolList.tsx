/** The list behind `/`: type a part of a symbol, or a contract of any of them as in `SPX 5000p 18dec`; Enter takes the first. */

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { changeText, indexText } from './MarketHead.tsx';
import styles from './SymbolSwitcher.module.css';
import { useFoundContracts } from './use-found-contracts.ts';

export function SymbolList(): ReactNode {
  const { stores, actions, format } = useTerminal();
  const instruments = useStore(stores.listing, (listing) => listing.instruments);
  const days = useStore(stores.days, (state) => state);
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const shown = instruments.filter(({ symbol }) => symbol.includes(typed.trim().toUpperCase()));
  const take = (symbol: string) => {
    stores.view.setState({ isSwitcherOpen: false });
    actions.selectSymbol(symbol);
  };
  const { contracts, isLooking } = useFoundContracts(typed);
  const takeContract = (seriesId: string) => {
    stores.view.setState({ isSwitcherOpen: false });
    location.hash = seriesId;
  };
  const takeFirst = (event: FormEvent) => {
    event.preventDefault();
    const [first] = shown;
    if (first !== undefined) take(first.symbol);
    else if (contracts[0] !== undefined) takeContract(contracts[0]);
  };
  return (
    <form onSubmit={takeFirst}>
      <input
        ref={field}
        aria-label="Symbol or contract"
        placeholder="BTC, or a contract: SPX 5000p 18dec"
        autoComplete="off"
        maxLength={40}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <ul>
        {shown.map(({ symbol, spot }) => (
          <li key={symbol}>
            <button type="button" onClick={() => take(symbol)}>
              <strong>{symbol}</strong>
              <span>{spot > 0 ? format.price(spot) : '–'}</span>
              <span>{changeText(days.get(symbol), spot)}</span>
              <span className="muted">vol {indexText(days.get(symbol))}</span>
            </button>
          </li>
        ))}
        {contracts.map((seriesId) => (
          <li key={seriesId} className={styles.contract}>
            <button type="button" onClick={() => takeContract(seriesId)}>
              <strong>{seriesLabel(seriesId)}</strong>
            </button>
          </li>
        ))}
      </ul>
      {isLooking ? (
        <p className="muted">Looking for contracts…</p>
      ) : (
        shown.length + contracts.length === 0 && <p className="muted">Nothing of that name is listed here.</p>
      )}
    </form>
  );
}
