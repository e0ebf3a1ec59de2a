/** Positions as legs: all that is held of an underlying closed by one order, or one position moved to the next expiry. */

import { COMBO_LEGS_MAX, COMBO_LEGS_MIN, LEG_RATIO_MAX, MICROS_PER_UNIT, microsToDecimal, toMicros } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { qtyText } from '../chain/step.ts';
import type { Tray } from '../stores.ts';
import { inOrder, namedLegs, seriesAt } from './legs.ts';

/** Contracts held, negative for a short. */
export interface Held {
  readonly seriesId: string;
  readonly qty: number;
}

/** What the tray takes over: legs, units, and whether they only reduce what is held. */
export type Taken = Pick<Tray, 'legs' | 'qty' | 'isClosing'>;

/**
 * One order that closes all of these positions of one underlying; null where no combo does: one position or more than
 * four, or quantities whose ratio takes a number above ten.
 *
 * @example closeOf([{ seriesId: low, qty: 2 }, { seriesId: high, qty: -4 }]) // 2 units of: sell 1 low, buy 2 high
 */
export function closeOf(positions: readonly Held[]): Taken | null {
  if (positions.length < COMBO_LEGS_MIN || positions.length > COMBO_LEGS_MAX) return null;
  const sizes = positions.map(({ qty }) => Math.round(Math.abs(qty) * MICROS_PER_UNIT));
  const unit = sizes.reduce(commonDivisor);
  if (unit === 0 || sizes.some((size) => size / unit > LEG_RATIO_MAX)) return null;
  const legs = positions.map(
    ({ seriesId, qty }, i): SpreadLeg => ({
      seriesId,
      side: qty > 0 ? 'sell' : 'buy',
      ratio: sizes[i]! / unit,
    }),
  );
  return { legs: inOrder(legs), qty: qtyText(microsToDecimal(toMicros(unit))), isClosing: true };
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/**
 * Closes a position and opens the same at the next expiry that lists its strike. Throws `RangeError` where none does.
 *
 * @param strikes listed strikes of each expiry, in dollars by Unix seconds
 */
export function rollOf(
  { seriesId, qty }: Held,
  strikes: ReadonlyMap<number, readonly number[]>,
): Taken {
  const [held] = namedLegs([{ seriesId, side: qty > 0 ? 'sell' : 'buy', ratio: 1 }]);
  const later = [...strikes.keys()].filter((expiryTs) => expiryTs > held!.expiryTs).sort((a, b) => a - b);
  const expiryTs = later.find((one) => strikes.get(one)!.includes(held!.strike));
  if (expiryTs === undefined)
    throw new RangeError(`No later expiry lists the strike ${held!.strike.toLocaleString('en-US')}.`);
  const close: SpreadLeg = { seriesId, side: held!.side, ratio: 1 };
  const open: SpreadLeg = {
    seriesId: seriesAt(held!, { expiryTs }),
    side: held!.side === 'buy' ? 'sell' : 'buy',
    ratio: 1,
  };
  return { legs: inOrder([close, open]), qty: qtyText(Math.abs(qty)), isClosing: false };
}

/** The legs of a close that would open the reverse of what is held, as the positions have changed since. */
export function turningOver(
  legs: readonly SpreadLeg[],
  { units, qtyOf }: { readonly units: number; readonly qtyOf: (seriesId: string) => number },
): SpreadLeg[] {
  return legs.filter(({ seriesId, side, ratio }) => {
    const held = qtyOf(seriesId) * (side === 'sell' ? 1 : -1);
    return Math.round(ratio * units * MICROS_PER_UNIT) > Math.round(held * MICROS_PER_UNIT);
  });
}
