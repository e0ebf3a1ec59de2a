/** Says what is wrong with the legs of a combo, where the venue says `malformed` (CMB-1). */

import { COMBO_LEGS_MAX, COMBO_LEGS_MIN, LEG_RATIO_MAX, underlyingOf } from '@venue/protocol';

interface LegLike {
  readonly seriesId: string;
  readonly side: string;
  readonly ratio: number;
}

/**
 * Throws `RangeError` unless the legs make a combo: two to four, each bought or sold, with a whole ratio of 1 to 10, of
 * distinct series of one underlying.
 *
 * @example checkLegs(straddle(await venue.market.chain('BTC', expiryTs), { side: 'buy' }).legs)
 */
export function checkLegs(legs: readonly LegLike[]): void {
  const count = Array.isArray(legs) ? legs.length : 0;
  if (count < COMBO_LEGS_MIN || count > COMBO_LEGS_MAX)
    throw new RangeError(`a combo has ${COMBO_LEGS_MIN} to ${COMBO_LEGS_MAX} legs, not ${count}`);
  // Not the list itself, whose holes `forEach` passes over.
  Array.from(legs).forEach(checkLeg);
  const ids = legs.map(({ seriesId }) => seriesId);
  if (new Set(ids).size < count) throw new RangeError('each leg of a combo is of another contract');
  if (new Set(ids.map(underlyingOf)).size > 1)
    throw new RangeError('the legs of a combo are of one underlying');
}

function checkLeg(leg: LegLike | undefined, place: number): void {
  const { seriesId, side, ratio } = leg ?? {};
  const check = (isRight: boolean, rule: string, value: unknown) => {
    if (!isRight) throw new RangeError(`legs[${place}].${rule}, not ${value}`);
  };
  check(typeof seriesId === 'string', 'seriesId must be a text', seriesId);
  check(side === 'buy' || side === 'sell', 'side must be buy or sell', side);
  const isRatio = Number.isInteger(ratio) && ratio! >= 1 && ratio! <= LEG_RATIO_MAX;
  check(isRatio, `ratio is a whole number from 1 to ${LEG_RATIO_MAX}`, ratio);
}
