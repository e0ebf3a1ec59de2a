/** Headings of the chain's columns. */

import type { ReactNode } from 'react';
import { type ChainPlace, type ChainPlaces, type ChainSides, LABELS, MEANINGS } from './chain-columns.ts';

interface ChainHeadProps {
  readonly sides: ChainSides;
  readonly places: ChainPlaces;
}

export function ChainHead({ sides, places }: ChainHeadProps): ReactNode {
  return (
    <thead>
      <tr>
        {sides === 'both' && headsOf('call', places.call)}
        <th className="strike" scope="col">
          Strike
        </th>
        {sides === 'both' && headsOf('put', places.put)}
        {sides !== 'both' && headsOf(sides, places.list)}
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
