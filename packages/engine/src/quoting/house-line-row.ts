/**
 * Checks a row of quotes against the maker's line, at the mark that the row would leave in its series (HOUSE-1,
 * FINE-15).
 */

import {
  clampMicros,
  houseLineExceeded,
  type Micros,
  type MicrosLevel,
  type RejectReason,
  toMicros,
  ZERO,
} from '@venue/protocol';
import { BUY, type OrderHandle, SELL } from '../book/book.ts';
import { midMicros } from '../risk/marks.ts';
import { marksByModel, positionMarkMicros } from '../risk/risk-marks.ts';
import { costMicros } from '../state/cost.ts';
import { FillableWalk } from '../state/fillable-walk.ts';
import { MAKER } from '../state/ids.ts';
import type { Position } from '../state/positions.ts';
import type { Series, Side } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { exposureMicros, type HouseLine } from './house-line.ts';

/** The maker's ladders in a series after a row, best first. */
export interface Ladders {
  readonly bids: readonly MicrosLevel[];
  readonly asks: readonly MicrosLevel[];
}

/**
 * Why a row may not be applied, or null. Its worst fill may not take the maker past its line. A row that exposes the
 * maker no more than its current position, now or at the mark after the row, is always allowed: past its line, and
 * whatever mark others have set, the maker can still quote to reduce (OWN-10).
 */
export function houseLineRefusal(
  state: State,
  line: HouseLine,
  series: Series,
  { ladders, position, exposureMicros: now }: MakerRow,
): RejectReason | null {
  const held = position?.qtyMicros ?? 0;
  // No row of anybody moves a mark of the model out of its band, so the mark of the moment serves.
  const markMicros = marksByModel(state)
    ? positionMarkMicros(state, series)
    : markLeftMicros(state, series, ladders, position);
  const at: Holding = { state, series, held, markMicros };
  const worst = toMicros(Math.max(boughtMicros(at, ladders.bids), soldMicros(at, ladders.asks)));
  const headroom = line.headroomMicros(now);
  if (worst <= headroom) return null;
  if (worst <= Math.max(now, exposureMicros(state, series, held, markMicros))) return null;
  return houseLineExceeded({ needMicros: worst, headroomMicros: headroom });
}

/** The maker's ladders after the row, and its current position. */
export interface MakerRow {
  readonly ladders: Ladders;
  /** Undefined if the maker was never active in the series. */
  readonly position: Position | undefined;
  /** Exposure of the current position at the current mark. */
  readonly exposureMicros: Micros;
}

/**
 * The mark of a series after the ladders have been placed and have traded with other accounts' resting orders (MARK-1,
 * OWN-60).
 */
function markLeftMicros(
  state: State,
  series: Series,
  { bids, asks }: Ladders,
  position: Position | undefined,
): Micros {
  const others =
    series.restingBuyMicros - (position?.restingBuyMicros ?? 0) ||
    series.restingSellMicros - (position?.restingSellMicros ?? 0);
  // Usually only the maker has orders here, and no order needs to be read.
  if (others === 0) return midMicros(priceOf(bids[0]), priceOf(asks[0])) ?? ZERO;
  const walk = new FillableWalk(state);
  const at = { state, series, walk };
  const buying = meet(at, 'buy', bids);
  const selling = meet(at, 'sell', asks);
  // Only now is known which quote sets leave with their last fill, whichever side it was on.
  const bid = betterOf(Math.max, buying.own, priceMet(at, selling));
  return midMicros(bid, betterOf(Math.min, selling.own, priceMet(at, buying))) ?? ZERO;
}

function priceOf(level: MicrosLevel | undefined): Micros | null {
  return level === undefined ? null : toMicros(level[0]);
}

function betterOf(pick: typeof Math.max, one: Micros | null, other: Micros | null): Micros | null {
  return one === null || other === null ? (one ?? other) : toMicros(pick(one, other));
}

interface Meeting {
  readonly state: State;
  readonly series: Series;
  readonly walk: FillableWalk;
}

/** The best price that remains of a ladder, and the order at which it stopped with what is left of that. */
interface Left {
  readonly own: Micros | null;
  readonly h: OrderHandle | null;
  readonly left: number;
}

/** The result of trading a ladder against other accounts' orders, in priority; changes nothing. */
function meet(at: Meeting, side: Side, levels: readonly MicrosLevel[]): Left {
  const { walk, series } = at;
  const { orders } = at.state;
  let h = passOwn(at, series.book.best(side === 'buy' ? SELL : BUY));
  let left = h === null ? ZERO : walk.fillableMicros(h);
  for (let k = 0; k < levels.length; k++) {
    const price = levels[k]![0];
    let wanted = levels[k]![1];
    while (
      h !== null &&
      wanted > 0 &&
      (side === 'buy' ? orders.price(h) <= price : orders.price(h) >= price)
    ) {
      const traded = Math.min(wanted, left);
      walk.take(h, traded);
      wanted -= traded;
      left = toMicros(left - traded);
      if (left > 0) continue;
      h = passOwn(at, series.book.next(h));
      left = h === null ? ZERO : walk.fillableMicros(h);
    }
    if (wanted > 0) return { own: toMicros(price), h, left };
  }
  return { own: null, h, left };
}

/** The best price that remains of the orders on which a ladder stopped. */
function priceMet(at: Meeting, { h, left }: Left): Micros | null {
  if (h === null) return null;
  const stays = at.walk.fillableMicros(h, toMicros(left)) > 0;
  const first = stays ? h : passOwn(at, at.series.book.next(h));
  return first === null ? null : at.state.orders.price(first);
}

/** The first order, starting with this one, that is not the maker's and may still trade. */
function passOwn({ state, series, walk }: Meeting, from: OrderHandle | null): OrderHandle | null {
  const { orders } = state;
  let h = from;
  while (h !== null && (orders.owner(h) === MAKER || walk.fillableMicros(h) === 0)) h = series.book.next(h);
  return h;
}

interface Holding {
  readonly state: State;
  readonly series: Series;
  readonly held: number;
  /** The mark for valuation. */
  readonly markMicros: Micros;
}

/**
 * Exposure if every bid fills. A newly opened long counts at the mark, but at least its cost: bids into an empty book
 * pay their own price, whatever the mark is afterwards.
 */
function boughtMicros({ state, series, held, markMicros }: Holding, bids: readonly MicrosLevel[]): Micros {
  let closing = Math.max(-held, 0);
  let opened = 0;
  let cost = 0;
  for (let k = 0; k < bids.length; k++) {
    const price = bids[k]![0];
    const qty = bids[k]![1];
    const opens = Math.max(0, qty - closing);
    closing -= qty - opens;
    opened += opens;
    if (opens > 0) cost += costMicros(price, opens);
  }
  const kept = held < 0 ? -closing : held;
  const atMark = exposureMicros(state, series, opened, markMicros);
  return clampMicros(exposureMicros(state, series, kept, markMicros) + Math.max(atMark, cost));
}

/** Exposure if every ask fills. The premium term of a newly opened short is the mark, or the best ask if higher. */
function soldMicros({ state, series, held, markMicros }: Holding, asks: readonly MicrosLevel[]): Micros {
  let sold = 0;
  for (let k = 0; k < asks.length; k++) sold += asks[k]![1];
  const opened = sold - Math.min(sold, Math.max(held, 0));
  const kept = held > 0 ? held - (sold - opened) : held;
  const highestMicros = toMicros(Math.max(markMicros, asks[0]?.[0] ?? ZERO));
  const added = exposureMicros(state, series, -opened, highestMicros);
  return clampMicros(exposureMicros(state, series, kept, markMicros) + added);
}
