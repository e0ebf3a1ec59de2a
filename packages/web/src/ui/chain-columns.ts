/** The chain's columns and their names. */

import type { Column } from '../core/chain/market.ts';

/** `both` has calls on the left and puts on the right; narrow screens list one of them. */
export type ChainSides = 'both' | 'call' | 'put';

/** The columns around the strike, including the account's own position. */
export type ChainPlace = Column | 'own';

/** Calls from the outside in, ending with the account's own position next to the strike. */
export const CALL_PLACES: readonly ChainPlace[] = [
  ...(['oi', 'volume', 'delta', 'iv', 'mark', 'bidQty', 'bid', 'ask', 'askQty'] as const),
  'own',
];
/** Puts are mirrored, but a bid is always to the left of its ask. */
export const PUT_PLACES: readonly ChainPlace[] = [
  'own',
  ...(['bidQty', 'bid', 'ask', 'askQty', 'mark', 'iv', 'delta', 'volume', 'oi'] as const),
];
/** After the strike, where only one side fits. */
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

/** A column's full name for use without its neighbours, and its meaning. */
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

/** A row in words, for screen readers: `95,000. Call: bid 1,200.00, …`. */
export function rowInWords(
  strike: string,
  sides: readonly (readonly [string, ReadonlyMap<string, string>])[],
): string {
  const words = sides.map(([side, values]) => {
    const figures = [...values].map(([name, text]) => `${name} ${text === '–' ? 'none' : text}`);
    return `${side}: ${figures.join(', ')}`;
  });
  return `Strike ${strike}. ${words.join('. ')}.`;
}
