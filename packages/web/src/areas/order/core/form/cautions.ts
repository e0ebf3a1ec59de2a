/** Reasons to confirm an order that one contract and several legs have in common, because a slip would be expensive. */

import type { Position } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { formatSize } from '../../../../basics/numbers.ts';
import { type SettlesNear, soldInTheMoney } from '../../../../market/settles-near.ts';
import type { PayoffLeg } from '../payoff/payoff-leg.ts';
import { type Uncovered, uncoveredCalls } from '../payoff/uncovered.ts';

/** A price must be past another by both of these. */
const PAST_SHARE = 0.1;
const PAST_USD = 1;
const BUYING_POWER_SHARE = 0.5;

/** True where an order pays so much more than a price that it may be a slip; both in dollars. */
export function isFarPast(more: number, price: number): boolean {
  return more > price * PAST_SHARE && more > PAST_USD;
}

/** The first leg sold in the money by the estimate of its expiry. */
export function soldCaution(
  legs: readonly Pick<SpreadLeg, 'seriesId' | 'side'>[],
  settlesNear: (seriesId: string) => SettlesNear | null,
): string | null {
  const sold = legs.filter(({ side }) => side === 'sell');
  const told = sold.map(({ seriesId }) => soldInTheMoney(seriesId, settlesNear(seriesId)));
  return told.find((one) => one !== null) ?? null;
}

/** @param taken of the buying power, in dollars */
export function powerCaution(taken: number, power: number, verb: 'takes' | 'may take'): string | null {
  if (!(power > 0 && taken > power * BUYING_POWER_SHARE)) return null;
  return `It ${verb} ${percent(taken / power)} of your buying power.`;
}

type Calls = Pick<PayoffLeg, 'right' | 'expiryTs' | 'qty'>;

/** The calls that positions in an underlying leave uncovered together with these legs. */
export function uncoveredWith(
  legs: readonly Calls[],
  symbol: string | undefined,
  positions: ReadonlyMap<string, Position>,
): readonly Uncovered[] {
  const held = [...positions.values()]
    .filter((position) => position.symbol === symbol)
    .map(({ optType, expiryTs, qty }): Calls => ({ right: optType === 'call' ? 'C' : 'P', expiryTs, qty }));
  return uncoveredCalls([...held, ...legs]);
}

export function uncoveredCaution({ qty }: Uncovered, which: 'this' | 'an'): string {
  return `Net short ${formatSize(qty)} ${qty === 1 ? 'call' : 'calls'} of ${which} expiry: unlimited loss.`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
