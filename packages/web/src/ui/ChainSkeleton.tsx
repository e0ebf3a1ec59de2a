/** Placeholder of a loading chain: the strikes are already known, the numbers are not. */

import type { ReactNode } from 'react';
import { strikeWindow } from '../core/chain/strike-window.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { ChainHead } from './ChainHead.tsx';
import { CALL_PLACES, type ChainSides, LIST_PLACES, PUT_PLACES } from './chain-columns.ts';

const UNKNOWN_ROWS = 20;

export function ChainSkeleton({ sides }: { readonly sides: ChainSides }): ReactNode {
  const { stores, format } = useTerminal();
  const listing = useStore(stores.listing, (state) => state);
  const instrument = listing.instruments.find(({ symbol }) => symbol === listing.symbol);
  if (instrument !== undefined && listing.expiryTs === null)
    return <NothingListed symbol={instrument.symbol} />;
  const known = listing.strikes.get(listing.expiryTs ?? 0) ?? [];
  const [from, to] = strikeWindow(
    known,
    instrument === undefined ? Number.NaN : instrument.spot || Number.NaN,
  );
  const strikes =
    known.length === 0 ? Array.from({ length: UNKNOWN_ROWS }, () => null) : known.slice(from, to);
  const before = sides === 'both' ? CALL_PLACES : [];
  const behind = sides === 'both' ? PUT_PLACES : LIST_PLACES;
  return (
    <div className="chain-scroll" aria-busy="true" data-testid="chain-loading">
      <table className="chain skeleton" data-sides={sides} aria-label="Loading the chain">
        <ChainHead sides={sides} />
        <tbody>
          {strikes.map((strike, i) => (
            <tr key={strike ?? `unknown ${i}`}>
              {before.map((place) => (
                <td key={`before ${place}`} className={place} />
              ))}
              <th scope="row" className="strike">
                {strike === null ? '–' : format.strike(strike)}
              </th>
              {behind.map((place) => (
                <td key={`behind ${place}`} className={place} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NothingListed({ symbol }: { readonly symbol: string }): ReactNode {
  return (
    <div className="nothing" data-testid="nothing-listed">
      <h2>No {symbol} contracts yet</h2>
      <p>
        Contracts are listed around the price of {symbol}, and no source has given one. They appear here by
        themselves as soon as one does.
      </p>
    </div>
  );
}
