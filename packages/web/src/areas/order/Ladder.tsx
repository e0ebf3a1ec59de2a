/** The ticket's other view: the contract's book, whose prices can be pressed, beside what has traded. */

import { parseSeriesId, type Trade } from '@venue/protocol';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import {
  formatPrice,
  formatSize,
  priceDecimals,
  priceFieldText,
  sizeDecimals,
} from '../../basics/numbers.ts';
import { momentLabel } from '../../basics/time-label.ts';
import { noBookText } from '../../market/books.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useBookOrError } from '../../terminal/use-books.ts';
import { ladderOf, PRINTS_KEPT, withPrints } from './core/ladder.ts';
import './Ladder.css';

interface LadderProps {
  readonly seriesId: string;
}

export function Ladder({ seriesId }: LadderProps): ReactNode {
  return (
    <div className="ladder">
      <Rungs seriesId={seriesId} />
      <Prints seriesId={seriesId} />
    </div>
  );
}

function Rungs({ seriesId }: LadderProps): ReactNode {
  const { desk, stores } = useTerminal();
  const { book, error } = useBookOrError(seriesId);
  const own = useStore(stores.holdings, ({ orders }) => orders.get(seriesId));
  if (book === null) return <p className="muted">{noBookText(seriesLabel(seriesId), error)}</p>;
  const rungs = ladderOf(book, own);
  if (rungs.length === 0) return <p className="muted">No bids or offers right now.</p>;
  const decimals = priceDecimals(rungs.map(({ price }) => price));
  const sizes = sizeDecimals(rungs.map(({ qty }) => qty));
  return (
    <ol className="rungs" aria-label="Ladder">
      {rungs.map(({ takes, price, qty, share, ownQty }) => (
        <li key={`${takes} ${price}`}>
          <button
            type="button"
            className={takes === 'buy' ? 'ask' : 'bid'}
            style={{ '--share': `${Math.round(share * 100)}%` } as CSSProperties}
            title={`Press to ${takes} at ${formatPrice(price, decimals)}`}
            onClick={() => desk.edit({ side: takes, kind: 'limit', price: priceFieldText(price) })}
          >
            <span>
              {formatSize(qty, sizes)}
              {ownQty > 0 && <small> ◦{formatSize(ownQty)}</small>}
            </span>
            <span className="price">{formatPrice(price, decimals)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Prints({ seriesId }: LadderProps): ReactNode {
  const prints = usePrints(seriesId);
  if (prints === null) return <p className="muted">Reading what has traded…</p>;
  if (prints.length === 0) return <p className="muted">Nothing has traded.</p>;
  const decimals = priceDecimals(prints.map(({ price }) => price));
  return (
    <table className="prints" aria-label="Time and sales">
      <tbody>
        {prints.map(({ id, side, price, qty, ts }) => (
          <tr
            key={id}
            className={side === 'buy' ? 'long' : 'short'}
            title={`Aggressor: ${side === 'buy' ? 'buyer' : 'seller'}`}
          >
            <td>{formatPrice(price, decimals)}</td>
            <td>
              {side === 'buy' ? '+' : '−'}
              {formatSize(qty)}
            </td>
            <td className="muted">{momentLabel(ts)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Null before they are read. */
function usePrints(seriesId: string): readonly Trade[] | null {
  const { channels, client } = useTerminal();
  const [known, setKnown] = useState<{ readonly of: string; readonly prints: readonly Trade[] } | null>(null);
  useEffect(() => {
    let isGone = false;
    const take = (trades: readonly Trade[]) => {
      if (isGone) return;
      setKnown((before) => {
        const prints = before?.of === seriesId ? before.prints : [];
        return { of: seriesId, prints: withPrints(prints, trades, seriesId) };
      });
    };
    client.market.trades({ seriesId, limit: PRINTS_KEPT }).then(take, () => take([]));
    const symbol = parseSeriesId(seriesId)!.symbol;
    const end = channels.listen(`trades:${symbol}`, { onMessage: ({ trades }) => take(trades) });
    return () => {
      isGone = true;
      end();
    };
  }, [channels, client, seriesId]);
  return known?.of === seriesId ? known.prints : null;
}
