/** The tray's order in words. */

import { nameOfSpread } from '@venue/protocol/spreads';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { expiryLabel } from '../../../../basics/dates.ts';
import { formatExact, formatSize } from '../../../../basics/numbers.ts';
import type { Side } from '../../../../market/touch.ts';
import { type NamedLeg, namedLegs } from './legs.ts';
import type { TrayTerms } from './terms.ts';

/** A spread by the name that traders have for it. */
export interface SpreadName {
  /** True if one says that it is bought or sold. */
  readonly side: Side;
  /** `BTC 28 Nov 95/97/99 call butterfly` */
  readonly text: string;
  /** False where it has no name, and the text lists its legs. */
  readonly isKnown: boolean;
}

/** Throws `RangeError` for no legs, or for a name that is no contract. */
export function spreadName(legs: readonly SpreadLeg[], nowMs: number): SpreadName {
  const named = sorted(legs);
  const [first] = named;
  if (first === undefined) throw new RangeError('there are no legs');
  const expiries = [...new Set(named.map(({ expiryTs }) => expiryTs))].sort((a, b) => a - b);
  const dates = expiries.map((expiryTs) => expiryLabel(expiryTs, nowMs)).join('/');
  const known = nameOfSpread(named);
  const head = `${first.symbol} ${dates}`;
  if (known === null) return { side: 'buy', text: `${head}: ${listed(named, nowMs)}`, isKnown: false };
  return { side: known.side, text: `${head} ${shapeWords(named, known)}`, isKnown: true };
}

/** The kind alone, as a place says it whose heading has the name in full: `call butterfly`. */
export function shortName(legs: readonly SpreadLeg[]): Pick<SpreadName, 'side' | 'text'> {
  const kind = nameOfSpread(sorted(legs));
  return kind === null ? { side: 'buy', text: 'strategy' } : { side: kind.side, text: kind.word };
}

/** By strike, puts before calls. */
function sorted(legs: readonly SpreadLeg[]): NamedLeg[] {
  return namedLegs(legs).sort(
    (a, b) => a.strike - b.strike || b.right.localeCompare(a.right) || a.expiryTs - b.expiryTs,
  );
}

/** `95/97 call spread`. Those of a diagonal go with its expiries. */
function shapeWords(named: readonly NamedLeg[], { word }: { readonly word: string }): string {
  const isOfOneExpiry = named.every(({ expiryTs }) => expiryTs === named[0]!.expiryTs);
  const inOrder = isOfOneExpiry ? named : named.toSorted((a, b) => a.expiryTs - b.expiryTs);
  return `${strikeTexts([...new Set(inOrder.map(({ strike }) => strike))]).join('/')} ${word}`;
}

const WORDS = { C: 'call', P: 'put' } as const;

/** `+1 95,000 call, −2 97,000 call`, with the expiry of each where they differ. */
function listed(legs: readonly NamedLeg[], nowMs: number): string {
  const hasDates = new Set(legs.map(({ expiryTs }) => expiryTs)).size > 1;
  return legs
    .map(({ side, ratio, strike, right, expiryTs }) => {
      const date = hasDates ? `${expiryLabel(expiryTs, nowMs)} ` : '';
      return `${side === 'buy' ? '+' : '−'}${ratio} ${date}${strike.toLocaleString('en-US')} ${WORDS[right]}`;
    })
    .join(', ');
}

/** From here on strikes are said in thousands, if all of them are half thousands. */
const THOUSANDS_FROM = 10_000;

function strikeTexts(strikes: readonly number[]): string[] {
  const isInThousands = strikes.every((strike) => strike >= THOUSANDS_FROM && strike % 500 === 0);
  return strikes.map((strike) => (isInThousands ? strike / 1_000 : strike).toLocaleString('en-US'));
}

/**
 * The order up to its price.
 *
 * @param trades units that would trade now, if they are fewer than all
 * @example orderWords(order.terms, nowMs) // 'Buy 2 BTC 28 Nov 95/97/99 call butterfly at 112.00'
 */
export function orderWords({ legs, qty, net }: TrayTerms, nowMs: number, trades = qty): string {
  const { side, text } = spreadName(legs, nowMs);
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${sizeWords({ qty, trades })} ${text} ${netWords(net, side)}`;
}

/** Units of an order, and how many of them would trade now if they are fewer. */
interface Size {
  readonly qty: number;
  readonly trades?: number;
}

export function sizeWords({ qty, trades = qty }: Size): string {
  return trades < qty ? `${formatSize(trades)} of ${formatSize(qty)}` : formatSize(qty);
}

/**
 * The close of what is held, by the name of that: its title, and with units what its notice begins with.
 *
 * @param legs of the order, the reverse of what is held
 * @example closingWords(legs, nowMs, { qty: 0.5 }) // 'Close 0.5 BTC 28 Nov 90/92/97/99 iron condor'
 */
export function closingWords(legs: readonly SpreadLeg[], nowMs: number, size?: Size): string {
  return `Close ${size === undefined ? '' : `${sizeWords(size)} `}${spreadName(closingParts(legs), nowMs).text}`;
}

/** The legs that are held, where these close them. */
export function closingParts(legs: readonly SpreadLeg[]): SpreadLeg[] {
  return legs.map((leg) => ({ ...leg, side: leg.side === 'buy' ? 'sell' : 'buy' }));
}

/**
 * An order of which nothing would trade, and why.
 *
 * @param touch what a unit costs by the books; NaN where a leg has none
 * @example nothingWords(order.terms, 325) // 'Nothing would trade at 237.50: the books are at 325.00.'
 */
export function nothingWords({ legs, qty, net, tif }: TrayTerms, touch: number): string {
  const { side } = spreadName(legs, Date.now());
  const nothing = `Nothing would trade ${netWords(net, side)}`;
  if (touch > net) return `${nothing}: the books are ${netWords(touch, side)}.`;
  return tif === 'fok' ? `${nothing}: the books do not hold all ${formatSize(qty)}.` : `${nothing}.`;
}

/** The move of a position or strategy to a later expiry, as title and notice have it. */
export function rollWords(terms: Pick<TrayTerms, 'legs' | 'qty'>, nowMs: number): string {
  const { what, dates } = rollParts(terms, nowMs);
  return `${what}, ${dates}`;
}

/** The same in two: `Roll +1 95/97 call spread` and `28 Nov → 5 Dec`. */
export function rollParts({ legs, qty }: Pick<TrayTerms, 'legs' | 'qty'>, nowMs: number) {
  const named = sorted(legs);
  const expiries = named.map(({ expiryTs }) => expiryTs);
  const [fromTs, toTs] = [Math.min(...expiries), Math.max(...expiries)];
  const to = named.filter(({ expiryTs }) => expiryTs === toTs);
  const [first] = to;
  if (first === undefined || fromTs === toTs) throw new RangeError('a roll has two expiries');
  const kind = nameOfSpread(to);
  const what = kind === null ? contractWords(first) : shapeWords(to, kind);
  const size = `${(kind ?? first).side === 'buy' ? '+' : '−'}${formatSize(qty)}`;
  return {
    what: `Roll ${size} ${what}`,
    dates: `${expiryLabel(fromTs, nowMs)} → ${expiryLabel(toTs, nowMs)}`,
  };
}

/** A price as one says it of a spread that is bought or sold: only the unexpected direction needs a word. */
export function netWords(net: number, side: Side): string {
  const amount = formatExact(Math.abs(net));
  if (net === 0 || net < 0 === (side === 'sell')) return `at ${amount}`;
  return side === 'buy' ? `for a credit of ${amount}` : `at a cost of ${amount}`;
}

/** A leg in words: `28 Nov 95,000 call`. */
export function legWords(leg: NamedLeg, nowMs: number): string {
  return `${expiryLabel(leg.expiryTs, nowMs)} ${contractWords(leg)}`;
}

/** The same beside its date: `95,000 call`. */
export function contractWords({ strike, right }: Pick<NamedLeg, 'strike' | 'right'>): string {
  return `${strike.toLocaleString('en-US')} ${WORDS[right]}`;
}

/** The note on legs of several expiries; null for one expiry. */
export function calendarNote(legs: readonly SpreadLeg[]): string | null {
  const named = namedLegs(legs);
  if (new Set(named.map(({ expiryTs }) => expiryTs)).size < 2) return null;
  return 'Its expiries settle at prices of their own: the far leg covers nothing, and what is sold is margined as if it stood alone.';
}
