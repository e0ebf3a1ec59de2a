/** The reserve of a quote set (QTS-4). */

import {
  clampMicros,
  insufficientBuyingPower,
  insufficientMargin,
  MICROS_MAX,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeilClamped,
  type RejectReason,
} from '@venue/protocol';
import { ENTRY_MARGIN } from '@venue/protocol/margin';
import { BUY } from '../book/book.ts';
import type { Sid } from '../state/ids.ts';
import { SET_LEVEL_RESERVE_MICROS } from '../state/limits.ts';
import { hasQuotes, ownerOfSet, type QuoteSet, type QuotesNeed } from '../state/quote-sets.ts';
import type { Series, Side } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { marginMicros, riskOf } from './margin.ts';
import type { Risk } from './risk.ts';
import { needOfRow, needOfSet } from './set-needs.ts';
import { marginUnitMicros } from './units.ts';

/** A quote that stands, or would. */
export interface Quote {
  readonly side: Side;
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
}

/**
 * The need of a set's quotes at the current marks and spots: a bid counts its price, an ask its entry unit, no long
 * netted. All need the sum, but no more can trade than contracts are left of the allowance.
 */
export class SetNeed {
  readonly #state: State;
  #sum = 0;
  #highestUnitMicros = 0;
  #levels = 0;
  hasAsks = false;

  constructor(state: State) {
    this.#state = state;
  }

  add(series: Series, { side, priceMicros, qtyMicros }: Quote): void {
    if (side === 'sell') this.hasAsks = true;
    const each = side === 'buy' ? priceMicros : marginUnitMicros(this.#state, series, ENTRY_MARGIN);
    this.#sum = Math.min(this.#sum + marginMicros(each, qtyMicros), MICROS_MAX);
    this.#highestUnitMicros = Math.max(this.#highestUnitMicros, each);
    this.#levels += 1;
  }

  /** Adds the set's resting quotes that are included. */
  addStanding(set: QuoteSet, includes: (sid: Sid, quote: Quote) => boolean): this {
    const { orders } = this.#state;
    for (let h = orders.firstOf(ownerOfSet(set)); h !== null; h = orders.nextOf(h)) {
      const sid = orders.book(h) as Sid;
      const quote = {
        side: orders.side(h) === BUY ? 'buy' : 'sell',
        priceMicros: orders.price(h),
        qtyMicros: orders.remaining(h),
      } as const;
      if (includes(sid, quote)) this.add(this.#state.series[sid]!, quote);
    }
    return this;
  }

  /** Adds all resting quotes of a set. Rows that did not change cost nothing. */
  addAll(set: QuoteSet): this {
    // A copy is asked once or twice: to make its sums costs more than it saves.
    if (this.#state.quoteSets.isCopy) return this.addRows(set, () => true);
    return this.#add(needOfSet(this.#state, set));
  }

  /** Adds those of the rows that are included. Rows that did not change cost no look at their quotes. */
  addRows(set: QuoteSet, includes: (sid: Sid) => boolean): this {
    for (const row of set.rows.values())
      if (hasQuotes(row) && includes(row.sid)) this.#add(needOfRow(this.#state, row));
    return this;
  }

  #add({ sumMicros, highestUnitMicros, levels, hasAsks }: QuotesNeed): this {
    if (hasAsks) this.hasAsks = true;
    this.#sum = Math.min(this.#sum + sumMicros, MICROS_MAX);
    this.#highestUnitMicros = Math.max(this.#highestUnitMicros, highestUnitMicros);
    this.#levels += levels;
    return this;
  }

  /** Enough for whatever trades of what is left of the allowance, and a cent for every level (QTS-4). */
  reserveMicros(leftMicros: Micros): Micros {
    return clampMicros(Math.max(this.#coverMicros(leftMicros), this.#centsMicros));
  }

  /**
   * The reserve of quotes that stand. A fill of less than a level's cent frees nothing; what then is not there of the
   * cents is let go, so that no fill takes buying power below zero.
   */
  retakenMicros(leftMicros: Micros, haveMicros: () => Micros): Micros {
    const cover = this.#coverMicros(leftMicros);
    if (cover >= this.#centsMicros) return clampMicros(cover);
    return clampMicros(Math.max(cover, Math.min(this.#centsMicros, haveMicros())));
  }

  #coverMicros(leftMicros: Micros): number {
    return Math.min(this.#sum, mulDivCeilClamped(this.#highestUnitMicros, leftMicros, MICROS_PER_UNIT));
  }

  get #centsMicros(): number {
    return this.#levels * SET_LEVEL_RESERVE_MICROS;
  }
}

/** Buying power of a set's account, its reserve released; `risk` is the account's. */
export function meansMicros(
  state: State,
  set: QuoteSet,
  risk: Pick<Risk, 'lockedMicros'> = riskOf(state, state.accounts[set.account]!),
): Micros {
  const { cashMicros } = state.accounts[set.account]!;
  return clampMicros(clampMicros(cashMicros - risk.lockedMicros) + set.reserveMicros);
}

/** The reserve that a set would have, and whether there are asks in it. */
export interface WantedReserve {
  readonly reserveMicros: Micros;
  readonly hasAsks: boolean;
}

/** Why buying power does not cover a new reserve of a set, its old one released; null if it does. Nothing needs nothing. */
export function reserveRefusal(
  { reserveMicros: needMicros, hasAsks }: WantedReserve,
  have: () => Micros,
): RejectReason | null {
  if (needMicros === 0) return null;
  const haveMicros = have();
  if (needMicros <= haveMicros) return null;
  const amounts = { needMicros, haveMicros };
  return hasAsks ? insufficientMargin(amounts) : insufficientBuyingPower(amounts);
}
