/** Positions as legs: all that is held of an underlying closed by one order, or one position moved to the next expiry. */

import { MICROS_PER_UNIT, microsToDecimal, toMicros } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { qtyText } from '../chain/step.ts';
import type { Tray } from '../stores.ts';
import { commonMicros, type Held, isCombo } from './is-combo.ts';
import { inOrder, namedLegs, seriesAt } from './legs.ts';

/** Legs and units that the tray takes over; `isClosing` if they only reduce a position. */
export type Taken = Pick<Tray, 'legs' | 'qty' | 'isClosing'>;

/**
 * One order that closes all of these positions of one underlying; null where no combo does.
 *
 * @example closeOf([{ seriesId: low, qty: 2 }, { seriesId: high, qty: -4 }]) // 2 units of: sell 1 low, buy 2 high
 */
export function closeOf(positions: readonly Held[]): Taken | null {
  if (!isCombo(positions)) return null;
  const unit = commonMicros(positions);
  const legs = positions.map(
    ({ seriesId, qty }): SpreadLeg => ({
      seriesId,
      side: qty > 0 ? 'sell' : 'buy',
      ratio: Math.round(Math.abs(qty) * MICROS_PER_UNIT) / unit,
    }),
  );
  return { legs: inOrder(legs), qty: qtyText(microsToDecimal(toMicros(unit))), isClosing: true };
}

/** Later expiries that list the strike of a position, in Unix seconds, ascending. */
export function rollTargets(seriesId: string, strikes: ReadonlyMap<number, readonly number[]>): number[] {
  const [held] = namedLegs([{ seriesId, side: 'buy', ratio: 1 }]);
  return [...strikes.keys()]
    .filter((expiryTs) => expiryTs > held!.expiryTs && strikes.get(expiryTs)!.includes(held!.strike))
    .sort((a, b) => a - b);
}

/**
 * Closes a position and opens the same at a later expiry that lists its strike: the one asked for, or else the next.
 * Throws `RangeError` where none does.
 *
 * @param strikes listed strikes of each expiry, in dollars by Unix seconds
 */
export function rollOf(
  { seriesId, qty }: Held,
  strikes: ReadonlyMap<number, readonly number[]>,
  toExpiryTs?: number,
): Taken & Pick<Tray, 'rolls'> {
  const [held] = namedLegs([{ seriesId, side: qty > 0 ? 'sell' : 'buy', ratio: 1 }]);
  const targets = rollTargets(seriesId, strikes);
  const expiryTs = targets.find((one) => toExpiryTs === undefined || one === toExpiryTs);
  if (expiryTs === undefined)
    throw new RangeError(`No later expiry lists the strike ${held!.strike.toLocaleString('en-US')}.`);
  const close: SpreadLeg = { seriesId, side: held!.side, ratio: 1 };
  const open: SpreadLeg = {
    seriesId: seriesAt(held!, { expiryTs }),
    side: held!.side === 'buy' ? 'sell' : 'buy',
    ratio: 1,
  };
  const legs = inOrder([close, open]);
  return { legs, qty: qtyText(Math.abs(qty)), isClosing: false, rolls: { seriesId, qty } };
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
