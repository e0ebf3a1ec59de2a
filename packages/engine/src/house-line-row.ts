/** A row of quotes against the maker's line: judged by the mark that it leaves in its series (HOUSE-1, FINE-15). */

import {
  clampMicros,
  houseLineExceeded,
  type Micros,
  type MicrosLevel,
  toMicros,
  ZERO,
} from '@venue/protocol';
import { NIL } from './book.ts';
import type { Side } from './command.ts';
import { exposureMicros, type HouseLine } from './house-line.ts';
import { positionMarkMicros } from './marks.ts';
import { bookSide, costMicros } from './resting.ts';
import { MAKER, type Series, type State } from './state.ts';

/** The maker's ladders in a series as a row leaves them, best first. */
export interface Ladders {
  readonly bids: readonly MicrosLevel[];
  readonly asks: readonly MicrosLevel[];
}

/**
 * Why a row may not be applied, or null. Its worst fill may not take the maker past its line. One that exposes the
 * maker no more than what it holds, now or at the mark that the row leaves, is never in the way: past its line, and
 * whatever mark others have set, the maker can still quote what brings it back (OWN-10).
 */
export function houseLineRefusal(
  state: State,
  line: HouseLine,
  series: Series,
  ladders: Ladders,
): string | null {
  const held = state.accounts[MAKER]!.positions.get(series.sid)?.qtyMicros ?? 0;
  const markMicros = markLeftMicros(state, series, ladders);
  const at: Holding = { state, series, held, markMicros };
  const worst = toMicros(Math.max(boughtMicros(at, ladders.bids), soldMicros(at, ladders.asks)));
  const headroom = line.headroomMicros(series);
  if (worst <= headroom) return null;
  const now = exposureMicros(state, series, held, positionMarkMicros(series));
  if (worst <= Math.max(now, exposureMicros(state, series, held, markMicros))) return null;
  return houseLineExceeded({ needMicros: worst, headroomMicros: headroom });
}

/** The mark of a series once the ladders stand in it and have traded with what others have resting there (MARK-1). */
export function markLeftMicros(state: State, series: Series, { bids, asks }: Ladders): Micros {
  const buying = meet(state, series, 'buy', bids);
  const selling = meet(state, series, 'sell', asks);
  const bid = Math.max(buying.own ?? 0, selling.met ?? 0);
  const ask = Math.min(selling.own ?? Infinity, buying.met ?? Infinity);
  if (ask === Infinity) return toMicros(bid);
  return toMicros(bid === 0 ? ask : bid + Math.floor((ask - bid) / 2));
}

/** Best prices that are left of a ladder and of what it met, each absent where nothing is. */
interface Left {
  readonly own?: number;
  readonly met?: number;
}

/** Lets a ladder trade with the orders of others, in priority, and changes nothing. */
function meet({ orders }: State, { book }: Series, side: Side, levels: readonly MicrosLevel[]): Left {
  const passOwn = (from: number) => {
    let h = from;
    while (h !== NIL && orders.owner(h) === MAKER) h = book.next(h);
    return h;
  };
  let h = passOwn(book.best(bookSide(side === 'buy' ? 'sell' : 'buy')));
  let left = h === NIL ? 0 : orders.remaining(h);
  for (const [price, qty] of levels) {
    let wanted = qty;
    while (
      h !== NIL &&
      wanted > 0 &&
      (side === 'buy' ? orders.price(h) <= price : orders.price(h) >= price)
    ) {
      const traded = Math.min(wanted, left);
      wanted -= traded;
      left -= traded;
      if (left > 0) continue;
      h = passOwn(book.next(h));
      left = h === NIL ? 0 : orders.remaining(h);
    }
    if (wanted > 0) return { own: price, ...(h !== NIL && { met: orders.price(h) }) };
  }
  return h === NIL ? {} : { met: orders.price(h) };
}

interface Holding {
  readonly state: State;
  readonly series: Series;
  readonly held: number;
  /** What it is valued at. */
  readonly markMicros: Micros;
}

/**
 * Exposure once every bid was hit. What opens a long counts at the mark, and never at less than it cost: bids into an
 * empty book pay their own price, whatever the mark says afterwards.
 */
function boughtMicros({ state, series, held, markMicros }: Holding, bids: readonly MicrosLevel[]): Micros {
  let closing = Math.max(-held, 0);
  let opened = 0;
  let cost = 0;
  for (const [price, qty] of bids) {
    const opens = Math.max(0, qty - closing);
    closing -= qty - opens;
    opened += opens;
    if (opens > 0) cost += costMicros(price, opens);
  }
  const kept = held < 0 ? -closing : held;
  const atMark = exposureMicros(state, series, opened, markMicros);
  return clampMicros(exposureMicros(state, series, kept, markMicros) + Math.max(atMark, cost));
}

/** Exposure once every ask was lifted. The premium term of what opens a short is the mark, or the best ask over it. */
function soldMicros({ state, series, held, markMicros }: Holding, asks: readonly MicrosLevel[]): Micros {
  const sold = asks.reduce((sum, [, qty]) => sum + qty, 0);
  const opened = sold - Math.min(sold, Math.max(held, 0));
  const kept = held > 0 ? held - (sold - opened) : held;
  const dearest = toMicros(Math.max(markMicros, asks[0]?.[0] ?? ZERO));
  const added = exposureMicros(state, series, -opened, dearest);
  return clampMicros(exposureMicros(state, series, kept, markMicros) + added);
}
