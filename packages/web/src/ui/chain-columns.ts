/** What the chain has for columns, and what they are called. */

import type { Column } from '../core/chain/market.ts';

/** `both` has calls on the left and puts on the right; a narrow screen has one of them as a list. */
export type ChainSides = 'both' | 'call' | 'put';

/** Where the own position and the strike stand among the numbers. */
export type ChainPlace = Column | 'own';

/** Calls from the outside in, next to the strike what the person has of them. */
export const CALL_PLACES: readonly ChainPlace[] = [
  ...(['oi', 'volume', 'delta', 'iv', 'mark', 'bidQty', 'bid', 'ask', 'askQty'] as const),
  'own',
];
/** Puts are mirrored, but a bid always stands left of its ask. */
export const PUT_PLACES: readonly ChainPlace[] = [
  'own',
  ...(['bidQty', 'bid', 'ask', 'askQty', 'mark', 'iv', 'delta', 'volume', 'oi'] as const),
];
/** Behind the strike, where one side is all there is room for. */
export const LIST_PLACES: readonly ChainPlace[] = ['own', 'bid', 'ask', 'mark', 'delta'];

export const LABELS: Readonly<Record<ChainPlace, string>> = {
  own: 'Own',
  bid: 'Bid',
  bidQty: 'Size',
  ask: 'Ask',
  askQty: 'Size',
  mark: 'Mark',
  iv: 'IV',
  delta: 'Δ',
  oi: 'OI',
  volume: 'Vol',
};

/** What a column is called where its neighbours are not seen, and what it means. */
export const MEANINGS: Readonly<Record<ChainPlace, readonly [name: string, meaning: string]>> = {
  own: ['own', 'Your position, and ◦ your resting orders'],
  bid: ['bid', 'Best bid: what a market sell gets'],
  bidQty: ['bid size', 'Contracts at the bid'],
  ask: ['ask', 'Best ask: what a market buy pays'],
  askQty: ['ask size', 'Contracts at the ask'],
  mark: ['mark', 'Mark: the middle of the book'],
  iv: ['implied volatility', 'Annualised implied volatility, from the market maker'],
  delta: ['delta', 'Change in the option for a $1 move in the underlying'],
  oi: ['open interest', 'Open interest: contracts outstanding'],
  volume: ['volume', 'Contracts traded since listing'],
};

/** A row in words, for who cannot see it: `95,000. Call: bid 1,200.00, …`. */
export function rowInWords(
  strike: string,
  sides: readonly (readonly [string, ReadonlyMap<string, string>])[],
): string {
  const words = sides.map(([side, values]) => {
    const said = [...values].map(([name, text]) => `${name} ${text === '–' ? 'none' : text}`);
    return `${side}: ${said.join(', ')}`;
  });
  return `Strike ${strike}. ${words.join('. ')}.`;
}
