/** Contracts by what a trader types, of any underlying: `95c 30nov`, `SPX 5000p 18dec`, `95000 put`. */

import { decimalToMicros, formatSeriesId, microsToDecimal, type Right } from '@venue/protocol';
import { expiryLabel } from '../basics/dates.ts';
import { parseAmount } from '../basics/numbers.ts';
import type { Listing } from './state.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const RIGHTS: Readonly<Record<string, Right>> = {
  ...{ c: 'C', call: 'C', calls: 'C', p: 'P', put: 'P', puts: 'P' },
};
const FOUND_MAX = 12;

interface Asked {
  /** Null for any. */
  readonly symbol: string | null;
  /** Readings of the strike: a group of digits may be thousands or decimals. */
  readonly strikes: readonly number[];
  readonly right: Right | null;
  /** `30 nov`; null for any. */
  readonly date: string | null;
}

/** The listed contracts of an underlying. */
export interface Listed {
  readonly symbol: string;
  /** Unix seconds. */
  readonly expiries: readonly number[];
  /** Strikes of each expiry. */
  readonly strikes: Listing['strikes'];
}

/** The underlyings whose contracts a text may mean, of those given: none for a text without a strike. */
export function symbolsAsked(text: string, symbols: readonly string[]): readonly string[] {
  const asked = askedOf(text, symbols);
  if (asked === null) return [];
  return asked.symbol === null ? symbols : [asked.symbol];
}

interface Place {
  /** The expiry on the screen, whose contracts come first. */
  readonly expiryTs: number | null;
  readonly nowMs: number;
}

/**
 * Ids of the listed contracts that a text means, by underlying in the order given; none for a text without a strike, or
 * with a word that is no part of a contract. A strike may be typed in thousands. Where there are too many, each
 * underlying has its nearest ones.
 */
export function findContracts(text: string, listed: readonly Listed[], place: Place): string[] {
  const symbols = listed.map(({ symbol }) => symbol);
  const asked = askedOf(text, symbols);
  if (asked === null) return [];
  const meant = listed.filter(({ symbol }) => asked.symbol === null || asked.symbol === symbol);
  return inTurns(
    meant.map((one) => foundIn(one, asked, place)),
    FOUND_MAX,
  ).flat();
}

function foundIn({ symbol, expiries, strikes }: Listed, asked: Asked, { expiryTs, nowMs }: Place): string[] {
  const { right, date } = asked;
  const found: string[] = [];
  for (const expiry of expiries.toSorted(
    (a, b) => Number(b === expiryTs) - Number(a === expiryTs) || a - b,
  )) {
    if (date !== null && !`${expiryLabel(expiry, nowMs).toLowerCase()} `.startsWith(`${date} `)) continue;
    const known = strikes.get(expiry) ?? [];
    const meant = [...asked.strikes, ...asked.strikes.map((one) => one * 1_000)].find((one) =>
      known.includes(one),
    );
    const strikeMicros = meant === undefined ? undefined : decimalToMicros(meant);
    if (strikeMicros === undefined) continue;
    for (const one of right === null ? (['C', 'P'] as const) : [right])
      found.push(formatSeriesId({ symbol, expiryTs: expiry, right: one, strikeMicros }));
  }
  return found;
}

/** The first of each list, then the second of each, until there are so many. */
function inTurns<T>(lists: readonly (readonly T[])[], most: number): T[][] {
  const taken = lists.map((): T[] => []);
  let count = 0;
  for (let turn = 0; lists.some((list) => turn < list.length); turn++)
    for (const [i, list] of lists.entries()) {
      if (turn >= list.length || count >= most) continue;
      taken[i]!.push(list[turn]!);
      count += 1;
    }
  return taken;
}

/** Null where it is no contract. */
function askedOf(text: string, symbols: readonly string[]): Asked | null {
  const numbers: string[] = [];
  let symbol: string | null = null;
  let right: Right | null = null;
  let isThousands = false;
  let date: string | null = null;
  for (const word of wordsOf(text, symbols)) {
    const month = MONTHS.indexOf(word.slice(0, 3));
    if (symbols.includes(word.toUpperCase()) && symbol === null) symbol = word.toUpperCase();
    else if (/^\d/.test(word)) numbers.push(word);
    else if (RIGHTS[word] !== undefined) right = RIGHTS[word];
    else if (word === 'k' && numbers.length > 0) isThousands = true;
    else if (month >= 0 && word.length >= 3 && numbers.length > 0)
      date = `${Number(numbers.pop())} ${MONTHS[month]}`;
    else return null;
  }
  const [strike] = numbers;
  if (strike === undefined || numbers.length > 1) return null;
  const strikes = readingsOf(strike).map((one) => (isThousands ? one * 1_000 : one));
  return { symbol, strikes, right, date };
}

/** Readings of a typed number: both, where it could be thousands or decimals. */
function readingsOf(text: string): readonly number[] {
  const typed = parseAmount(text);
  if (typed.ok) return [microsToDecimal(typed.micros)];
  if (typed.fault !== 'ambiguous') return [];
  const digits = text.replace(/[.,]/, '');
  return [Number(digits), Number(digits) / 1_000];
}

/** An underlying's name is one word, whatever is in it; anything else comes apart where digits begin or end. */
function wordsOf(text: string, symbols: readonly string[]): string[] {
  const parts = text.toLowerCase().split(/\s+/);
  return parts.flatMap((part) =>
    symbols.includes(part.toUpperCase()) ? part : (part.match(/\d+(?:[.,]\d+)*|\D+/g) ?? []),
  );
}
