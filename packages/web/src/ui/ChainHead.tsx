/** Headings of the chain's columns. */

import type { ReactNode } from 'react';
import {
  CALL_PLACES,
  type ChainPlace,
  type ChainSides,
  LABELS,
  LIST_PLACES,
  MEANINGS,
  PUT_PLACES,
} from './chain-columns.ts';

export function ChainHead({ sides }: { readonly sides: ChainSides }): ReactNode {
  return (
    <thead>
      <tr>
        {sides === 'both' && headsOf('call', CALL_PLACES)}
        <th className="strike" scope="col">
          Strike
        </th>
        {sides === 'both' && headsOf('put', PUT_PLACES)}
        {sides !== 'both' && headsOf(sides, LIST_PLACES)}
      </tr>
    </thead>
  );
}

function headsOf(side: 'call' | 'put', places: readonly ChainPlace[]): ReactNode {
  return places.map((place) => {
    const [name, meaning] = MEANINGS[place];
    return (
      <th
        key={`${side} ${place}`}
        scope="col"
        className={`${side} ${place}`}
        title={meaning}
        aria-label={`${side === 'call' ? 'Call' : 'Put'} ${name}`}
      >
        {LABELS[place]}
      </th>
    );
  });
}
