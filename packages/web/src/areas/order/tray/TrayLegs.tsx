/** The legs with ratio and side: each can be turned, moved, multiplied and taken away. */

import { LEG_RATIO_MAX } from '@venue/protocol';
import type { ReactNode } from 'react';
import { formatPrice } from '../../../basics/numbers.ts';
import type { Tray } from '../core/form/order.ts';
import type { TrayDesk } from '../core/tray/desk.ts';
import { type NamedLeg, namedLegs } from '../core/tray/legs.ts';
import { emptyLegs, type QuoteOf } from '../core/tray/net.ts';
import { contractWords, legWords } from '../core/tray/words.ts';

interface TrayLegsProps {
  readonly desk: TrayDesk;
  readonly tray: Tray;
  readonly quoteOf: QuoteOf;
}

export function TrayLegs({ desk, tray, quoteOf }: TrayLegsProps): ReactNode {
  const empty = emptyLegs(tray.legs, quoteOf);
  const named = namedLegs(tray.legs);
  // The title has the date of legs that share it.
  const hasDate = new Set(named.map(({ expiryTs }) => expiryTs)).size > 1;
  const rows = named.map((leg, place) => ({ leg, place }));
  // As on the chain.
  rows.sort(({ leg: a }, { leg: b }) => a.expiryTs - b.expiryTs || a.strike - b.strike);
  return (
    <ul className="tray-legs" aria-label="Legs">
      {rows.map(({ leg, place }) => (
        // A leg that moves is another series in the same place, and keeps the focus.
        <Leg key={place} {...{ desk, leg, quoteOf, hasDate }} isEmpty={empty.includes(tray.legs[place]!)} />
      ))}
    </ul>
  );
}

const RATIOS = Array.from({ length: LEG_RATIO_MAX }, (_, i) => i + 1);

interface LegProps extends Pick<TrayLegsProps, 'desk' | 'quoteOf'> {
  readonly leg: NamedLeg;
  readonly isEmpty: boolean;
  readonly hasDate: boolean;
}

function Leg({ desk, leg, quoteOf, isEmpty, hasDate }: LegProps): ReactNode {
  const { seriesId, side, ratio } = leg;
  const words = legWords(leg, Date.now());
  const quote = quoteOf(seriesId);
  const price = quote === null ? Number.NaN : side === 'buy' ? quote.ask : quote.bid;
  return (
    <li>
      <button
        type="button"
        className={`chip ${side}`}
        aria-label={`${side === 'buy' ? 'Buy' : 'Sell'} ${words}. Turn it round`}
        onClick={() => desk.turn(seriesId)}
      >
        {side === 'buy' ? 'Buy' : 'Sell'}
      </button>
      <select
        aria-label={`Contracts of ${words} a unit`}
        value={ratio}
        onChange={({ target }) => desk.setRatio(seriesId, Number(target.value))}
      >
        {RATIOS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <span>{hasDate ? words : contractWords(leg)}</span>
      <span className="leg-moves">
        <button
          type="button"
          aria-label={`Lower strike for ${words}`}
          onClick={() => desk.step(seriesId, -1)}
        >
          ‹
        </button>
        <button
          type="button"
          aria-label={`Higher strike for ${words}`}
          onClick={() => desk.step(seriesId, 1)}
        >
          ›
        </button>
      </span>
      <span className={isEmpty ? 'leg-price fault' : 'leg-price'}>
        {isEmpty ? `no ${side === 'buy' ? 'ask' : 'bid'}` : formatPrice(price)}
      </span>
      <button
        type="button"
        className="close"
        aria-label={`Remove ${words}`}
        onClick={() => desk.remove(seriesId)}
      >
        ✕
      </button>
    </li>
  );
}
