/** Contracts of the chosen underlying by what a trader types: `95c 30nov`, `95000 put`. */

import { decimalToMicros, formatSeriesId, type Right } from '@venue/protocol';
import { expiryLabel } from '../dates.ts';
import type { Listing } from '../stores.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const RIGHTS: Readonly<Record<string, Right>> = {
  ...{ c: 'C', call: 'C', calls: 'C', p: 'P', put: 'P', puts: 'P' },
};
const FOUND_MAX = 8;

interface Asked {
  readonly strike: number;
  readonly right: Right | null;
  /** `30 nov`; null for any. */
  readonly date: string | null;
}

type Listed = Pick<Listing, 'symbol' | 'expiries' | 'expiryTs' | 'strikes'>;

/**
 * Ids of the listed contracts that a text means, those of the chosen expiry first; none for a text without a strike, or
 * with a word that is no part of a contract. A strike may be typed in thousands.
 */
export function findContracts(
  text: string,
  { symbol, expiries, expiryTs, strikes }: Listed,
  nowMs: number,
): string[] {
  const asked = symbol === null ? null : askedOf(text, symbol);
  if (symbol === null || asked === null) return [];
  const { strike, right, date } = asked;
  const found: string[] = [];
  for (const expiry of [...expiries].sort(
    (a, b) => Number(b === expiryTs) - Number(a === expiryTs) || a - b,
  )) {
    if (date !== null && !`${expiryLabel(expiry, nowMs).toLowerCase()} `.startsWith(`${date} `)) continue;
    const known = strikes.get(expiry) ?? [];
    const meant = [strike, strike * 1_000].find((one) => known.includes(one));
    const strikeMicros = meant === undefined ? undefined : decimalToMicros(meant);
    if (strikeMicros === undefined) continue;
    for (const one of right === null ? (['C', 'P'] as const) : [right])
      found.push(formatSeriesId({ symbol, expiryTs: expiry, right: one, strikeMicros }));
  }
  return found.slice(0, FOUND_MAX);
}

/** Null where it is no contract. */
function askedOf(text: string, symbol: string): Asked | null {
  const words =
    text
      .toLowerCase()
      .replaceAll(',', '')
      .match(/\d+(?:\.\d+)?|[^\s\d]+/g) ?? [];
  const numbers: number[] = [];
  let right: Right | null = null;
  let date: string | null = null;
  for (const word of words) {
    const month = MONTHS.indexOf(word.slice(0, 3));
    if (/^\d/.test(word)) numbers.push(Number(word));
    else if (RIGHTS[word] !== undefined) right = RIGHTS[word];
    else if (word === 'k' && numbers.length > 0) numbers.push(numbers.pop()! * 1_000);
    else if (month >= 0 && word.length >= 3 && numbers.length > 0) date = `${numbers.pop()} ${MONTHS[month]}`;
    else if (word !== symbol.toLowerCase()) return null;
  }
  const [strike] = numbers;
  return strike === undefined || numbers.length > 1 ? null : { strike, right, date };
}
