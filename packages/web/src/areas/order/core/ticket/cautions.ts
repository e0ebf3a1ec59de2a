/** Orders that need a confirmation before they are sent, because a slip would be expensive. */

import {
  MICROS_PER_UNIT,
  type OpenOrder,
  type OrderPreviewAnswer,
  type Position,
  parseSeriesId,
} from '@venue/protocol';
import { formatLimit, formatSize } from '../../../../basics/numbers.ts';
import { type SettlesNear, soldInTheMoney } from '../../../../market/settles-near.ts';
import { type Uncovered, uncoveredCalls } from '../payoff/uncovered.ts';
import { foreseen } from './foreseen.ts';
import type { TicketTerms } from './terms.ts';

/** A price must be past the mark by both of these. */
const PAST_MARK_SHARE = 0.1;
const PAST_MARK_USD = 1;
const BUYING_POWER_SHARE = 0.5;

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
  const { terms, preview, mark } = facts;
  const { side } = terms;
  const cautions: string[] = [];
  const price = judgedPrice(facts);
  const past = side === 'buy' ? price - mark : mark - price;
  if (past > mark * PAST_MARK_SHARE && past > PAST_MARK_USD) {
    const word = side === 'buy' ? 'above' : 'below';
    cautions.push(`The price is ${percent(past / mark)} ${word} the mark.`);
  }
  const sold = side === 'sell' ? soldInTheMoney(terms.seriesId, facts.settles) : null;
  if (sold !== null) cautions.push(sold);
  const power = preview === null ? facts.buyingPower : preview.before.buyingPower;
  const taken = preview === null ? takenAtMost(facts) : power - preview.after.buyingPower;
  if (power > 0 && taken > power * BUYING_POWER_SHARE) {
    const word = preview === null ? 'may take' : 'takes';
    cautions.push(`It ${word} ${percent(taken / power)} of your buying power.`);
  }
  const uncovered = uncoveredBy(facts);
  if (uncovered !== null) {
    const calls = uncovered.qty === 1 ? 'call' : 'calls';
    cautions.push(`Net short ${formatSize(uncovered.qty)} ${calls} of this expiry: unlimited loss.`);
  }
  const own = ownOrderMet(facts);
  if (own !== null) {
    cautions.push(
      `Your own order to ${own.side} at ${formatLimit(own.price)} is in its way: what would meet it is cancelled.`,
    );
  }
  return cautions;
}

/** The price that a person chose, or else the one at which it would trade: dollars, NaN without a quote. */
function judgedPrice(facts: CautionFacts): number {
  const { terms, isClosing = false, touch } = facts;
  if (terms.price !== undefined && !isClosing) return terms.price;
  const average = foreseen(facts)?.average ?? Number.NaN;
  return Number.isNaN(average) ? touch : average;
}

/**
 * The first order of the account itself that this one would meet, or null: the order trades with no own one, and stops
 * there (STP-1).
 */
function ownOrderMet({ terms, preview, resting }: CautionFacts): OpenOrder | null {
  const { side, price } = terms;
  if (terms.postOnly === true) return null;
  if (preview !== null && preview.code !== 'self-trade-prevented') return null;
  const sign = side === 'buy' ? 1 : -1;
  const furthest = price === undefined ? Number.POSITIVE_INFINITY : price * sign;
  const met = resting.filter((order) => order.side !== side && order.price * sign <= furthest);
  return met.sort((a, b) => (a.price - b.price) * sign)[0] ?? null;
}

/** Calls the book is short of after this order fills, if the order sells them; null for none. */
function uncoveredBy({ terms, preview, positions }: CautionFacts): Uncovered | null {
  const series = parseSeriesId(terms.seriesId);
  if (series === undefined || terms.side === 'buy' || series.right === 'P') return null;
  // It never sells more than is held.
  if (terms.reduceOnly === true) return null;
  const parts = foreseen({ terms, preview });
  const sold = parts === null ? terms.qty : parts.filled + parts.rested;
  const held = [...positions.values()]
    .filter(({ symbol }) => symbol === series.symbol)
    .map(({ optType, expiryTs, qty }) => ({ right: optType === 'call' ? 'C' : 'P', expiryTs, qty }) as const);
  const after = uncoveredCalls([...held, { ...series, qty: -sold }]);
  return after.find(({ expiryTs }) => expiryTs === series.expiryTs) ?? null;
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

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
