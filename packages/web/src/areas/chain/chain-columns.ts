/** The chain's columns and their names. */

import type { Column } from '../../market/market.ts';
import type { ChainChoice } from '../../view/columns.ts';

/** `both` has calls on the left and puts on the right; narrow screens list one of them. */
export type ChainSides = 'both' | 'call' | 'put';

/** The columns around the strike, including the account's own position. */
export type ChainPlace = Column | 'own';

/** Calls from the outside in, ending with the account's own position next to the strike. */
const CALL_PLACES: readonly ChainPlace[] = [
  ...(['oi', 'volume', 'delta', 'iv', 'mark', 'bidQty', 'bid', 'ask', 'askQty'] as const),
  'own',
];
/** Puts are mirrored, but a bid is always to the left of its ask. */
const PUT_PLACES: readonly ChainPlace[] = [
  'own',
  ...(['bidQty', 'bid', 'ask', 'askQty', 'mark', 'iv', 'delta', 'volume', 'oi'] as const),
];
/** After the strike, where only one side fits. */
const LIST_PLACES: readonly ChainPlace[] = ['own', 'bid', 'ask', 'mark', 'delta'];

/** The columns of a chain. The page's own are hidden by the style sheet where there is no room; of chosen ones only those that fit are here. */
export interface ChainPlaces {
  readonly isChosen: boolean;
  readonly call: readonly ChainPlace[];
  readonly put: readonly ChainPlace[];
  readonly list: readonly ChainPlace[];
}

const USUAL_PLACES: ChainPlaces = {
  isChosen: false,
  call: CALL_PLACES,
  put: PUT_PLACES,
  list: LIST_PLACES,
};

/** Px of a column with the type of a chain, and of both sizes. */
const WIDTHS: Readonly<Record<ChainChoice, number>> = {
  ...{ oi: 44, volume: 44, delta: 46, gamma: 70, theta: 66, vega: 58 },
  ...{ iv: 52, bidIv: 56, askIv: 56, mark: 74, size: 92 },
};
/** Strike, and of each side both prices and the own position. */
const STRIKE_PX = 70;
const PRICES_PX = 172;

/** The columns that fit into a width, in px, the chosen ones from the strike outwards. */
export function chainPlaces(chosen: readonly ChainChoice[] | null, widthPx: number | null): ChainPlaces {
  if (chosen === null) return USUAL_PLACES;
  const width = widthPx ?? 0;
  const both = fitting(chosen, (width - STRIKE_PX) / 2 - PRICES_PX);
  const outer = both.filter((one): one is OuterChoice => one !== 'size');
  const [bidQty, askQty] = both.includes('size') ? ([['bidQty'], ['askQty']] as const) : [[], []];
  const prices = [...bidQty, 'bid', 'ask', ...askQty] as const;
  const listed = fitting(
    chosen.filter((one): one is OuterChoice => one !== 'size'),
    width - STRIKE_PX - PRICES_PX,
  );
  return {
    isChosen: true,
    call: [...outer.toReversed(), ...prices, 'own'],
    put: ['own', ...prices, ...outer],
    list: ['own', 'bid', 'ask', ...listed],
  };
}

type OuterChoice = Exclude<ChainChoice, 'size'>;

function fitting<T extends ChainChoice>(chosen: readonly T[], roomPx: number): T[] {
  let left = roomPx;
  return chosen.filter((one) => {
    const fits = WIDTHS[one] <= left;
    if (fits) left -= WIDTHS[one];
    return fits;
  });
}

/** True if one of the columns comes only with the channel of tickers. */
export function needsGreeks(chosen: readonly ChainChoice[] | null): boolean {
  return chosen?.some((one) => GREEKS.has(one)) ?? false;
}

const GREEKS: ReadonlySet<ChainChoice> = new Set(['gamma', 'theta', 'vega', 'bidIv', 'askIv']);

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
  gamma: 'Γ',
  theta: 'Θ',
  vega: 'Vega',
  bidIv: 'Bid IV',
  askIv: 'Ask IV',
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
  delta: ['delta', 'Change in the option for a $1 move in the underlying, from the market maker'],
  oi: ['open interest', 'Open interest: contracts outstanding'],
  volume: ['volume', 'Contracts traded since listing, trades of an account with itself included'],
  gamma: ['gamma', 'Change in delta for a $1 move in the underlying'],
  theta: ['theta', 'Change in the option as a day passes, on its last day until expiry'],
  vega: ['vega', 'Change in the option for a point of volatility'],
  bidIv: ['bid volatility', 'Annualised volatility that the best bid implies'],
  askIv: ['ask volatility', 'Annualised volatility that the best ask implies'],
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
