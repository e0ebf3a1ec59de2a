/** Decides which orders in the way of a symbol's quotes the maker takes, and when (MM-5). Does no network access. */

import { BATCH_ACTIONS_MAX } from '@venue/protocol';
import type { PlaceTerms } from '@venue/sdk';
import type { Change } from './quoter.ts';
import { tickAbove, tickBelow } from './ticks.ts';

/** The quantity that may be taken in a window: as much as may trade of the set's quotes (QTS-3). */
export interface Allowance {
  /** Contracts. */
  readonly qty: number;
  /** Contracts times absolute delta. */
  readonly delta: number;
  readonly windowMs: number;
}

/** An order of a batch. */
export type Order = PlaceTerms & { readonly type: 'place' };

/** The orders to send, one a side, for a row of which a level could not stand. */
export interface Attempt {
  readonly change: Change;
  readonly orders: readonly Order[];
}

/** After an attempt that traded nothing its series is left alone for this long: whatever made it fail may go on. */
const REST_MS = 10_000;
/** Two orders a row: the answer to a push does not say which side is barred. */
const ROWS_MAX = BATCH_ACTIONS_MAX / 2;
const BPS = 10_000;

interface Window {
  readonly fromMs: number;
  readonly qty: number;
  readonly delta: number;
}

const UNUSED: Window = { fromMs: Number.NEGATIVE_INFINITY, qty: 0, delta: 0 };

export class Obstacles {
  readonly #patienceMs: number;
  readonly #takerFee: number;
  /** By sid: since when a level has been barred, or the time of the last attempt that traded. */
  readonly #sinceMs = new Map<number, number>();
  readonly #restUntilMs = new Map<number, number>();
  #window = UNUSED;

  /** An order may be in the way for `patienceMs` before it is taken: a rival's old quote moves by itself. */
  constructor({ patienceMs, takerFeeBps }: { readonly patienceMs: number; readonly takerFeeBps: number }) {
    this.#patienceMs = patienceMs;
    this.#takerFee = takerFeeBps / BPS;
  }

  /** Forgets what barred the rows that now stand. */
  clear(changes: readonly Change[]): void {
    for (const { series } of changes) {
      this.#sinceMs.delete(series.sid);
      this.#restUntilMs.delete(series.sid);
    }
  }

  /** The barred rows that are to be pushed again, because the order in their way may be taken then, or is taken now. */
  pending(barred: readonly Change[]): readonly Change[] {
    return barred.filter((change) => {
      const { series, sent } = change;
      return sent.atMs >= (this.#restUntilMs.get(series.sid) ?? 0) && this.#ordersOf(change).length > 0;
    });
  }

  /** The attempts that are due, of those rows, as far as the allowance reaches. */
  due(pending: readonly Change[], allowance: Allowance): readonly Attempt[] {
    const attempts: Attempt[] = [];
    let { qty, delta } = this.#used(allowance, pending[0]?.sent.atMs ?? 0);
    for (const change of pending) {
      const { series, sent } = change;
      const sinceMs = this.#sinceMs.get(series.sid) ?? sent.atMs;
      this.#sinceMs.set(series.sid, sinceMs);
      if (sent.atMs - sinceMs < this.#patienceMs || attempts.length === ROWS_MAX) continue;
      const orders = this.#ordersOf(change);
      const most = Math.max(...orders.map((order) => Number(order.qty)));
      const weight = most * Math.abs(sent.quote!.value.delta);
      if (qty + most > allowance.qty || delta + weight > allowance.delta) continue;
      qty += most;
      delta += weight;
      attempts.push({ change, orders });
    }
    return attempts;
  }

  /** Takes in what an attempt has traded, in contracts. The next one for its row waits as long as the first did. */
  tried({ change: { series, sent } }: Attempt, filled: number, allowance: Allowance): void {
    if (filled === 0) {
      this.#sinceMs.delete(series.sid);
      this.#restUntilMs.set(series.sid, sent.atMs + REST_MS);
      return;
    }
    this.#sinceMs.set(series.sid, sent.atMs);
    const used = this.#used(allowance, sent.atMs);
    this.#window = {
      fromMs: used === UNUSED ? sent.atMs : used.fromMs,
      qty: used.qty + filled,
      delta: used.delta + filled * Math.abs(sent.quote!.value.delta),
    };
  }

  /** A window begins with its first fill. */
  #used({ windowMs }: Allowance, nowMs: number): Window {
    return nowMs - this.#window.fromMs >= windowMs ? UNUSED : this.#window;
  }

  /**
   * Orders that trade with the one in the way: at the best price and size of each side, or further away where the fee would
   * leave less than the centre. Nothing for a side without room, where only the far ask stands.
   */
  #ordersOf({ series: { seriesId }, row, sent: { quote } }: Change): readonly Order[] {
    const [, bids, asks] = row;
    const { centre, room } = quote!;
    const common = { type: 'place', seriesId, tif: 'ioc' } as const;
    const orders: Order[] = [];
    const [bid, ask] = [bids?.[0], asks?.[0]];
    if (ask !== undefined && room.ask > 0) {
      const price = Math.max(ask[0], tickAbove(centre / (1 - this.#takerFee)));
      orders.push({ ...common, side: 'sell', qty: ask[1], price });
    }
    const most = bid === undefined ? 0 : Math.min(bid[0], tickBelow(centre / (1 + this.#takerFee)));
    if (most > 0 && room.bid > 0) orders.push({ ...common, side: 'buy', qty: bid![1], price: most });
    return orders;
  }
}
