/** Combos that need a confirmation before they are sent, because a slip would be expensive. */

import type { ComboPreviewAnswer, Position } from '@venue/protocol';
import { formatPercent, formatPrice, formatSize } from '../../../../basics/numbers.ts';
import { type SettlesNear, soldInTheMoney } from '../../../../market/settles-near.ts';
import { uncoveredCalls } from '../payoff/uncovered.ts';
import { turningOver } from './closing.ts';
import { namedLegs } from './legs.ts';
import type { Nets } from './net.ts';
import { type TrayTerms, tradesNothing } from './terms.ts';
import { nothingWords } from './words.ts';

/** A net must be past the books by both of these. */
const PAST_SHARE = 0.1;
const PAST_USD = 1;
const BUYING_POWER_SHARE = 0.5;

export interface TrayFacts {
  readonly terms: TrayTerms;
  readonly preview: ComboPreviewAnswer | null;
  /** What a unit costs by the books. */
  readonly nets: Nets;
  /** What its legs cost together if all of them were bought, at the middle of the books; NaN where one has none. */
  readonly gross: number;
  readonly isClosing: boolean;
  /** The price that a contract's expiry settles near; null but in its last half hour. */
  readonly settlesNear: (seriesId: string) => SettlesNear | null;
  readonly positions: ReadonlyMap<string, Position>;
}

/** Reasons to confirm a combo, each a sentence; empty for most. */
export function trayCautions(facts: TrayFacts): string[] {
  return [
    ...[nothing(facts), pastBooks(facts), inTheMoney(facts)],
    ...[ofBuyingPower(facts), uncovered(facts), turnedOver(facts)],
  ].filter((caution) => caution !== null);
}

/** It would be sent in vain, unless the books come to it on the way. */
function nothing({ terms, preview, nets }: TrayFacts): string | null {
  return tradesNothing(preview) ? nothingWords(terms, nets.touch) : null;
}

/** Beyond the touch, or at the touch of books so wide that their legs cost much more than at the middle. */
function pastBooks({ terms, nets, gross }: TrayFacts): string | null {
  const pastTouch = terms.net - nets.touch;
  if (pastTouch > Math.abs(nets.touch) * PAST_SHARE && pastTouch > PAST_USD)
    return `A unit is ${formatPrice(pastTouch)} worse than its books offer now.`;
  const pastMid = terms.net - nets.mid;
  if (!(pastMid > gross * PAST_SHARE && pastMid > PAST_USD)) return null;
  return `Its books are wide: a unit is ${formatPrice(pastMid)} worse than their middle.`;
}

/** The first leg that it sells in the money by the estimate of its expiry. */
function inTheMoney({ terms, settlesNear }: TrayFacts): string | null {
  const sold = terms.legs.filter(({ side }) => side === 'sell');
  const told = sold.map(({ seriesId }) => soldInTheMoney(seriesId, settlesNear(seriesId)));
  return told.find((one) => one !== null) ?? null;
}

function ofBuyingPower({ preview }: TrayFacts): string | null {
  if (preview === null) return null;
  const { before, after } = preview;
  const share = (before.buyingPower - after.buyingPower) / before.buyingPower;
  if (!(before.buyingPower > 0 && share > BUYING_POWER_SHARE)) return null;
  return `It takes ${formatPercent(share, 0)} of your buying power.`;
}

/** Calls of an expiry that the order leaves sold and not covered, if it makes them more. */
function uncovered({ terms, positions }: TrayFacts): string | null {
  const legs = namedLegs(terms.legs);
  const symbol = legs[0]?.symbol;
  const held = [...positions.values()]
    .filter((position) => position.symbol === symbol)
    .map(({ optType, expiryTs, qty }) => ({ right: optType === 'call' ? 'C' : 'P', expiryTs, qty }) as const);
  const own = legs.map(({ right, expiryTs, side, ratio }) => ({
    ...{ right, expiryTs },
    qty: (side === 'buy' ? ratio : -ratio) * terms.qty,
  }));
  const before = new Map(uncoveredCalls(held).map(({ expiryTs, qty }) => [expiryTs, qty]));
  const worse = uncoveredCalls([...held, ...own]).find(
    ({ expiryTs, qty }) => qty > (before.get(expiryTs) ?? 0),
  );
  if (worse === undefined) return null;
  const calls = worse.qty === 1 ? 'call' : 'calls';
  return `Net short ${formatSize(worse.qty)} ${calls} of an expiry: unlimited loss.`;
}

function turnedOver({ terms, isClosing, positions }: TrayFacts): string | null {
  if (!isClosing) return null;
  const qtyOf = (seriesId: string) => positions.get(seriesId)?.qty ?? 0;
  return turningOver(terms.legs, { units: terms.qty, qtyOf }).length === 0
    ? null
    : 'You hold less by now than this closes: the rest of it would open the reverse.';
}
