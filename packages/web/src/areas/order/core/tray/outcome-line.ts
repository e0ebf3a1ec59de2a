/** The outcome of an order in one line, for the place over its button. */

import type { Outcome } from '@venue/sdk/spreads';
import { inMicros } from '../../../../basics/micros.ts';
import { formatPnl, formatPrice, formatUsd } from '../../../../basics/numbers.ts';
import type { Counted, HeldOutcome } from './terms.ts';

/** From here on cents of a break-even say nothing. */
const WHOLE_FROM = 1_000;

/**
 * @param of the part that the figures are for; null for the whole order
 * @param estimate what the expiry settles near, beside which its break-evens stand; undefined but in its last half hour
 * @example outcomeLine(outcome, null) // 'Max loss $215.00 · max profit $285.00 · break-even 94,195 and 95,805'
 */
export function outcomeLine(
  { greatestLoss, greatestGain, breakEvens }: Outcome,
  of: string | null,
  estimate?: number,
): string {
  const parts = [`max loss ${boundText(greatestLoss)}`, `max profit ${boundText(greatestGain)}`];
  const near = estimate === undefined ? '' : ` (settles near ${evenText(estimate)})`;
  if (breakEvens.length > 0) parts.push(`break-even ${breakEvens.map(evenText).join(' and ')}${near}`);
  const line = parts.join(' · ');
  return of === null ? `${line.charAt(0).toUpperCase()}${line.slice(1)}` : `${of}: ${line}`;
}

/** @param amount null without a limit */
export function boundText(amount: number | null): string {
  if (amount === null) return 'unlimited';
  return amount <= 0 ? 'none' : formatUsd(amount);
}

/**
 * The outcome of a close: what it realises, if known, and what the book is after it, if that still depends on a price.
 *
 * @example closeLine(-4, { hasFee: true }, after) // 'Realises −$4.00 after its fee · Positions after: max loss $215.00 · …'
 */
export function closeLine(
  realized: number | null,
  { hasFee }: Pick<Counted, 'hasFee'>,
  after: HeldOutcome | null,
): string {
  const parts: string[] = [];
  if (realized !== null) parts.push(realisedText(realized, hasFee));
  if (after !== null && !isLevel(after))
    parts.push(outcomeLine(after, `Positions after${after.hasManyExpiries ? ', held to expiry' : ''}`));
  return parts.join(' · ');
}

/** @param hasFee true where the venue has said the fee, and it is taken off */
export function realisedText(realized: number, hasFee: boolean): string {
  return `Realises ${formatPnl(realized, '$')} ${hasFee ? 'after' : 'before'} its fee`;
}

/** True of a book that is worth the same at every price, as an empty one is. */
function isLevel({ greatestLoss, greatestGain }: Outcome): boolean {
  return greatestLoss !== null && greatestGain !== null && inMicros(greatestLoss + greatestGain) === 0;
}

function evenText(at: number): string {
  return at >= WHOLE_FROM ? Math.round(at).toLocaleString('en-US') : formatPrice(at);
}
