/** Combos that need a confirmation before they are sent, because a slip would be expensive. */

import type { ComboPreviewAnswer, Position } from '@venue/protocol';
import { formatPrice } from '../../../../basics/numbers.ts';
import type { SettlesNear } from '../../../../market/settles-near.ts';
import { isFarPast, powerCaution, soldCaution, uncoveredCaution, uncoveredWith } from '../form/cautions.ts';
import { turningOver } from './closing.ts';
import { namedLegs } from './legs.ts';
import type { Nets } from './net.ts';
import { type TrayTerms, tradesNothing } from './terms.ts';
import { nothingWords } from './words.ts';

export interface TrayFacts {
  readonly terms: TrayTerms;
  readonly preview: ComboPreviewAnswer | null;
  /** The cost of a unit by the books. */
  readonly nets: Nets;
  /** The cost of its legs together if all of them were bought, at the middle of the books; NaN where one has none. */
  readonly gross: number;
  readonly isClosing: boolean;
  /** The price that a contract's expiry settles near; null but in its last half hour. */
  readonly settlesNear: (seriesId: string) => SettlesNear | null;
  readonly positions: ReadonlyMap<string, Position>;
}

/** Reasons to confirm a combo, each a sentence; empty for most. */
export function trayCautions(facts: TrayFacts): string[] {
  const all = [
    nothing(facts),
    pastBooks(facts),
    soldCaution(facts.terms.legs, facts.settlesNear),
    ofPower(facts),
    uncovered(facts),
    turnedOver(facts),
  ];
  return all.filter((one) => one !== null);
}

/** It would be sent in vain, unless the books come to it on the way. */
function nothing({ terms, preview, nets }: TrayFacts): string | null {
  return tradesNothing(preview) ? nothingWords(terms, nets.touch) : null;
}

/** Beyond the touch, or at the touch of books so wide that their legs cost much more than at the middle. */
function pastBooks({ terms, nets, gross }: TrayFacts): string | null {
  const pastTouch = terms.net - nets.touch;
  if (isFarPast(pastTouch, Math.abs(nets.touch)))
    return `A unit is ${formatPrice(pastTouch)} worse than its books offer now.`;
  const pastMid = terms.net - nets.mid;
  if (!isFarPast(pastMid, gross)) return null;
  return `Its books are wide: a unit is ${formatPrice(pastMid)} worse than their middle.`;
}

function ofPower({ preview }: TrayFacts): string | null {
  if (preview === null) return null;
  const power = preview.before.buyingPower;
  return powerCaution(power - preview.after.buyingPower, power, 'takes');
}

/** Calls of an expiry that the order leaves sold and not covered, if it makes them more. */
function uncovered({ terms, positions }: TrayFacts): string | null {
  const legs = namedLegs(terms.legs);
  const symbol = legs[0]?.symbol;
  const own = legs.map(({ right, expiryTs, side, ratio }) => ({
    ...{ right, expiryTs },
    qty: (side === 'buy' ? ratio : -ratio) * terms.qty,
  }));
  const before = uncoveredWith([], symbol, positions);
  const shortOf = (at: number) => before.find(({ expiryTs }) => expiryTs === at)?.qty ?? 0;
  const worse = uncoveredWith(own, symbol, positions).find(({ expiryTs, qty }) => qty > shortOf(expiryTs));
  return worse === undefined ? null : uncoveredCaution(worse, 'an');
}

function turnedOver({ terms, isClosing, positions }: TrayFacts): string | null {
  if (!isClosing) return null;
  const qtyOf = (seriesId: string) => positions.get(seriesId)?.qty ?? 0;
  return turningOver(terms.legs, { units: terms.qty, qtyOf }).length === 0
    ? null
    : 'You hold less by now than this closes: the rest of it would open the reverse.';
}
