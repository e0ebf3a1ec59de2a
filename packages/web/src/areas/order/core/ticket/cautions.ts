/** Orders that need a confirmation before they are sent, because a slip would be expensive. */

import {
  MICROS_PER_UNIT,
  type OpenOrder,
  type OrderPreviewAnswer,
  type Position,
  parseSeriesId,
} from '@venue/protocol';
import { formatLimit } from '../../../../basics/numbers.ts';
import type { SettlesNear } from '../../../../market/settles-near.ts';
import {
  isFarPast,
  percent,
  powerCaution,
  soldCaution,
  uncoveredCaution,
  uncoveredWith,
} from '../form/cautions.ts';
import { foreseen } from './foreseen.ts';
import type { TicketTerms } from './terms.ts';

export interface CautionFacts {
  readonly terms: TicketTerms;
  /** True while the limit is only a close's bound beyond the touch, which no person chose. */
  readonly isClosing?: boolean;
  /** The venue's preview; null while unknown. */
  readonly preview: OrderPreviewAnswer | null;
  /** Dollars, NaN while there is none. */
  readonly mark: number;
  /** Dollars, the best opposite price; NaN without a quote. */
  readonly touch: number;
  /** All positions, in any underlying. */
  readonly positions: ReadonlyMap<string, Position>;
  /** The account's own resting orders of the series. */
  readonly resting: readonly OpenOrder[];
  /** Dollars, as last read. */
  readonly buyingPower: number;
  /** The price that the contract's expiry settles near; null but in its last half hour. */
  readonly settles: SettlesNear | null;
}

/** Reasons to confirm an order, each a sentence; empty for most orders. */
export function cautionsOf(facts: CautionFacts): string[] {
  const { terms, settles } = facts;
  const all = [
    pastMark(facts),
    soldCaution([terms], () => settles),
    ofPower(facts),
    uncovered(facts),
    ownOrder(facts),
  ];
  return all.filter((one) => one !== null);
}

function pastMark(facts: CautionFacts): string | null {
  const { terms, mark } = facts;
  const price = judgedPrice(facts);
  const past = terms.side === 'buy' ? price - mark : mark - price;
  if (!isFarPast(past, mark)) return null;
  return `The price is ${percent(past / mark)} ${terms.side === 'buy' ? 'above' : 'below'} the mark.`;
}

function ofPower(facts: CautionFacts): string | null {
  const { preview, buyingPower } = facts;
  if (preview === null) return powerCaution(takenAtMost(facts), buyingPower, 'may take');
  const power = preview.before.buyingPower;
  return powerCaution(power - preview.after.buyingPower, power, 'takes');
}

/** The price that a person chose, or else the one at which it would trade: dollars, NaN without a quote. */
function judgedPrice(facts: CautionFacts): number {
  const { terms, isClosing = false, touch } = facts;
  if (terms.price !== undefined && !isClosing) return terms.price;
  const average = foreseen(facts)?.average ?? Number.NaN;
  return Number.isNaN(average) ? touch : average;
}

/** The first order of the account itself that this one would meet: it trades with no own one, and stops there (STP-1). */
function ownOrder({ terms, preview, resting }: CautionFacts): string | null {
  const { side, price } = terms;
  if (terms.postOnly === true) return null;
  if (preview !== null && preview.code !== 'self-trade-prevented') return null;
  const sign = side === 'buy' ? 1 : -1;
  const furthest = price === undefined ? Number.POSITIVE_INFINITY : price * sign;
  const met = resting.filter((order) => order.side !== side && order.price * sign <= furthest);
  const [own] = met.sort((a, b) => (a.price - b.price) * sign);
  if (own === undefined) return null;
  return `Your own order to ${own.side} at ${formatLimit(own.price)} is in its way: what would meet it is cancelled.`;
}

/** Calls the book is short of after this order fills, if the order sells them. */
function uncovered({ terms, preview, positions }: CautionFacts): string | null {
  const series = parseSeriesId(terms.seriesId);
  if (series === undefined || terms.side === 'buy' || series.right === 'P') return null;
  // It never sells more than is held.
  if (terms.reduceOnly === true) return null;
  const parts = foreseen({ terms, preview });
  const sold = parts === null ? terms.qty : parts.filled + parts.rested;
  const after = uncoveredWith([{ ...series, qty: -sold }], series.symbol, positions);
  const own = after.find(({ expiryTs }) => expiryTs === series.expiryTs);
  return own === undefined ? null : uncoveredCaution(own, 'this');
}

/**
 * Dollars that the opening part of an order may cost, from its terms alone: the premium of a buy, the strike of a sold
 * put. The margin of a sold call cannot be derived from them, and sold calls need confirmation anyway.
 */
function takenAtMost({ terms, mark, touch, positions }: CautionFacts): number {
  const { side, qty, seriesId } = terms;
  const held = positions.get(seriesId)?.qty ?? 0;
  const closing = Math.max(0, side === 'buy' ? -held : held);
  const opening = Math.max(0, qty - closing);
  const quoted = Number.isNaN(touch) ? mark : touch;
  if (side === 'buy') return opening * (terms.price ?? quoted);
  const series = parseSeriesId(seriesId);
  return series?.right === 'P' ? (opening * series.strikeMicros) / MICROS_PER_UNIT : 0;
}
