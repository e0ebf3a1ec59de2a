/** The list behind `/`: type a part of a name, Enter takes the first. */

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { changeText, indexText } from './MarketHead.tsx';

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
  const takeFirst = (event: FormEvent) => {
    event.preventDefault();
    const [first] = shown;
    if (first !== undefined) take(first.symbol);
  };
  return (
    <form onSubmit={takeFirst}>
      <input
        ref={field}
        aria-label="Symbol"
        placeholder="Symbol"
        autoComplete="off"
        maxLength={20}
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
      </ul>
      {shown.length === 0 && <p className="muted">Nothing of that name is listed here.</p>}
    </form>
  );
}
