/** Ladders that are refused, one for each rule that they break. */

import type { MicrosQuote } from '@venue/protocol';

export type Ladders = Pick<MicrosQuote, 'bids' | 'asks'>;

/** Made of good ladders: a crossed one, twice a price, no size, a wrong order, no price. */
export function malformedLadders({ bids, asks }: Ladders, crossedQty: number): Ladders[] {
  const price = asks![0]![0];
  return [
    { bids: [[price, crossedQty]], asks },
    {
      bids: [
        [price, 1],
        [price, 1],
      ],
      asks: null,
    },
    { bids, asks: [[price, 0]] },
    {
      bids,
      asks: [
        [price + 1, 5],
        [price, 5],
      ],
    },
    { bids: null, asks: [[0, 5]] },
  ];
}
