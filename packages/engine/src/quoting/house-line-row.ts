/**
 * Checks a row of quotes against the maker's line, at the mark that the row would leave in its series (HOUSE-1,
 * FINE-15).
 */

import {
  clampMicros,
  houseLineExceeded,
  type Micros,
  type MicrosLevel,
  toMicros,
  ZERO,
} from '@venue/protocol';
import { type Book, BUY, type OrderHandle, SELL } from '../book/book.ts';
import { midMicros } from '../risk/marks.ts';
import { marksByModel, positionMarkMicros } from '../risk/risk-marks.ts';
import { costMicros } from '../state/cost.ts';
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
): string | null {
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
  const buying = meet(state, series, 'buy', bids);
  const selling = meet(state, series, 'sell', asks);
  const bid = betterOf(Math.max, buying.own, selling.met);
  return midMicros(bid, betterOf(Math.min, selling.own, buying.met)) ?? ZERO;
}

function priceOf(level: MicrosLevel | undefined): Micros | null {
  return level === undefined ? null : toMicros(level[0]);
}

function betterOf(pick: typeof Math.max, one: Micros | null, other: Micros | null): Micros | null {
  return one === null || other === null ? (one ?? other) : toMicros(pick(one, other));
}

/** The best remaining prices of a ladder and of the orders it met. */
interface Left {
  readonly own: Micros | null;
  readonly met: Micros | null;
}

/** The result of trading a ladder against other accounts' orders, in priority; changes nothing. */
function meet(state: State, { book }: Series, side: Side, levels: readonly MicrosLevel[]): Left {
  const { orders } = state;
  let h = passOwn(state, book, book.best(side === 'buy' ? SELL : BUY));
  let left = h === null ? 0 : orders.remaining(h);
  for (let k = 0; k < levels.length; k++) {
    const price = levels[k]![0];
    let wanted = levels[k]![1];
    while (
      h !== null &&
      wanted > 0 &&
      (side === 'buy' ? orders.price(h) <= price : orders.price(h) >= price)
    ) {
      const traded = Math.min(wanted, left);
      wanted -= traded;
      left -= traded;
      if (left > 0) continue;
      h = passOwn(state, book, book.next(h));
      left = h === null ? 0 : orders.remaining(h);
    }
    if (wanted > 0) return { own: toMicros(price), met: h === null ? null : orders.price(h) };
  }
  return { own: null, met: h === null ? null : orders.price(h) };
}

/** The first order, starting with this one, that is not the maker's. */
function passOwn({ orders }: State, book: Book, from: OrderHandle | null): OrderHandle | null {
  let h = from;
  while (h !== null && orders.owner(h) === MAKER) h = book.next(h);
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
  const dearest = toMicros(Math.max(markMicros, asks[0]?.[0] ?? ZERO));
  const added = exposureMicros(state, series, -opened, dearest);
  return clampMicros(exposureMicros(state, series, kept, markMicros) + added);
}
