/** Positions as legs: positions of an underlying closed by one order, or moved to the next expiry. */

import { microsToDecimal, toMicros } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { microsOf } from '../../../../basics/micros.ts';
import { qtyFieldText } from '../../../../basics/numbers.ts';
import type { Tray } from '../form/order.ts';
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
  const legs = positions.map((position) => closeLeg(position, unit));
  return { legs: inOrder(legs), qty: unitsText(unit), isClosing: true };
}

/** Expiries after those of the positions that list all their strikes, in Unix seconds, ascending. */
export function rollTargets(
  positions: readonly Held[],
  strikes: ReadonlyMap<number, readonly number[]>,
): number[] {
  const held = namedLegs(positions.map(({ seriesId }) => ({ seriesId, side: 'buy', ratio: 1 })));
  const isLater = (expiryTs: number) => held.every((leg) => expiryTs > leg.expiryTs);
  return [...strikes.keys()]
    .filter(
      (expiryTs) => isLater(expiryTs) && held.every(({ strike }) => strikes.get(expiryTs)!.includes(strike)),
    )
    .sort((a, b) => a - b);
}

/**
 * Closes a position, or the legs of a strategy, and opens the same at a later expiry that lists the strikes: the one asked
 * for, or else the next. Throws `RangeError` where none does.
 *
 * @param positions such as `canRoll` says yes to
 * @param strikes listed strikes of each expiry, in dollars by Unix seconds
 */
export function rollOf(
  positions: readonly Held[],
  strikes: ReadonlyMap<number, readonly number[]>,
  toExpiryTs?: number,
): Taken & Pick<Tray, 'rolls'> {
  const unit = commonMicros(positions);
  const close = namedLegs(positions.map((position) => closeLeg(position, unit)));
  const targets = rollTargets(positions, strikes);
  const expiryTs = targets.find((one) => toExpiryTs === undefined || one === toExpiryTs);
  if (expiryTs === undefined) throw new RangeError(`No later expiry lists ${strikesText(close)}.`);
  const open = close.map((leg): SpreadLeg => {
    const side = leg.side === 'buy' ? 'sell' : 'buy';
    return { seriesId: seriesAt(leg, { expiryTs }), side, ratio: leg.ratio };
  });
  const legs = inOrder([...close.map(({ seriesId, side, ratio }) => ({ seriesId, side, ratio })), ...open]);
  return { legs, qty: unitsText(unit), isClosing: false, rolls: positions };
}

function closeLeg({ seriesId, qty }: Held, unitMicros: number): SpreadLeg {
  const ratio = microsOf(Math.abs(qty)) / unitMicros;
  return { seriesId, side: qty > 0 ? 'sell' : 'buy', ratio };
}

function unitsText(unitMicros: number): string {
  return qtyFieldText(microsToDecimal(toMicros(unitMicros)));
}

function strikesText(legs: readonly { readonly strike: number }[]): string {
  const texts = [...new Set(legs.map(({ strike }) => strike.toLocaleString('en-US')))];
  return `the ${texts.length === 1 ? 'strike' : 'strikes'} ${texts.join(' and ')}`;
}

/** The legs of a close that would open the reverse of what is held, as the positions have changed since. */
export function turningOver(
  legs: readonly SpreadLeg[],
  { units, qtyOf }: { readonly units: number; readonly qtyOf: (seriesId: string) => number },
): SpreadLeg[] {
  return legs.filter(({ seriesId, side, ratio }) => {
    const held = qtyOf(seriesId) * (side === 'sell' ? 1 : -1);
    return microsOf(ratio * units) > microsOf(held);
  });
}
