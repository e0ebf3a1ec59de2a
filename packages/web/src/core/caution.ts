/** Orders that are asked about once more before they are sent: a slip of the hand in them is dear. */

import { MICROS_PER_UNIT, type OrderPreviewAnswer, parseSeriesId } from '@venue/protocol';
import type { OrderTerms } from '@venue/sdk/browser';

/** Past the mark by both of these. */
const PAST_MARK_SHARE = 0.1;
const PAST_MARK_USD = 1;
const BUYING_POWER_SHARE = 0.5;

export interface CautionFacts {
  readonly terms: OrderTerms;
  /** What the venue would make of it; null while that is not known. */
  readonly preview: OrderPreviewAnswer | null;
  /** Dollars, NaN while there is none. */
  readonly mark: number;
  /** Dollars, what an order of its side meets now; NaN where nobody quotes. */
  readonly touch: number;
  /** Contracts held of the series, negative for a short. */
  readonly held: number;
  /** Dollars, as the page has last heard. */
  readonly buyingPower: number;
}

/** Why an order is asked about, each a sentence; empty for most orders. */
export function cautionsOf(facts: CautionFacts): string[] {
  const { terms, preview, mark, touch, held } = facts;
  const { side, qty } = terms;
  const cautions: string[] = [];
  const price = terms.price ?? (preview === null ? touch : averageOf(preview));
  const past = side === 'buy' ? price - mark : mark - price;
  if (past > mark * PAST_MARK_SHARE && past > PAST_MARK_USD) {
    const word = side === 'buy' ? 'above' : 'below';
    cautions.push(`The price is ${percent(past / mark)} ${word} the mark.`);
  }
  const power = preview === null ? facts.buyingPower : preview.before.buyingPower;
  const taken = preview === null ? takenAtMost(facts) : power - preview.after.buyingPower;
  if (power > 0 && taken > power * BUYING_POWER_SHARE) {
    const word = preview === null ? 'may take' : 'takes';
    cautions.push(`It ${word} ${percent(taken / power)} of your buying power.`);
  }
  if (side === 'sell' && /-C-/.test(terms.seriesId) && qty > Math.max(0, held)) {
    cautions.push('It sells calls that you do not hold: what that can lose has no limit.');
  }
  return cautions;
}

/**
 * Dollars that what an order opens may cost, from its terms alone: a buy its premium, a put that is sold its strike. What
 * a call that is sold takes cannot be told from them, and is asked about anyway.
 */
function takenAtMost({ terms, mark, touch, held }: CautionFacts): number {
  const { side, qty, seriesId } = terms;
  const closing = Math.max(0, side === 'buy' ? -held : held);
  const opening = Math.max(0, qty - closing);
  const quoted = Number.isNaN(touch) ? mark : touch;
  if (side === 'buy') return opening * (terms.price ?? quoted);
  const series = parseSeriesId(seriesId);
  return series?.right === 'P' ? (opening * series.strikeMicros) / MICROS_PER_UNIT : 0;
}

/** Dollars a contract over the fills of a market order. */
function averageOf(preview: OrderPreviewAnswer | null): number {
  const fills = preview?.fills ?? [];
  const qty = fills.reduce((sum, fill) => sum + fill.qty, 0);
  return fills.reduce((sum, fill) => sum + fill.price * fill.qty, 0) / qty;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
