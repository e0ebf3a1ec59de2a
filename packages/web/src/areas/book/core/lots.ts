/**
 * An account's holdings, by the orders that opened them (TERM-20). Positions are net: two strategies with a contract on
 * opposite sides would seem to be two others. So the orders are gone through by id, each a lot of its own; combos of one
 * shape are one, and an order of one contract that makes the position smaller closes lots of it.
 */

import { parseSeriesId } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';
import type { TradedOrder } from '../../../session/state.ts';
import { addTo, type Bought, type KnownCombo, keyOf, partsOf, shapeOf } from './known-combos.ts';

/** Contracts by series in micros, negative for shorts: what is left of a combo that was closed in part. */
export type Rest = ReadonlyMap<string, number>;

export interface Lots {
  /** The last opened first. */
  readonly combos: readonly KnownCombo[];
  /** The last broken first. */
  readonly rests: readonly Rest[];
}

/** A contract that is held, net. */
export interface Net {
  readonly seriesId: string;
  readonly qty: number;
}

/**
 * Combos that are held, in ratios that are whole, and what is left of others; the rest of what is held belongs to orders
 * of one contract, or to orders that are not known. Of a contract of which nothing is held net, nothing is in any lot.
 *
 * @param traded in any order
 * @param nowMs by which expiries are over
 */
export function lotsOf(traded: readonly TradedOrder[], held: readonly Net[], nowMs: number): Lots {
  const lots = new OpenLots();
  for (const order of traded.toSorted((a, b) => a.id - b.id)) lots.take(order);
  const netMicros = new Map(held.map(({ seriesId, qty }) => [seriesId, microsOf(qty) as number]));
  for (const seriesId of lots.names()) {
    const isHeld = netMicros.has(seriesId);
    if (!isHeld && (parseSeriesId(seriesId)?.expiryTs ?? 0) * 1_000 <= nowMs) lots.drop(seriesId);
    // Orders that are not known, such as those that still rest or liquidations, are taken as the last ones.
    lots.trade(seriesId, (netMicros.get(seriesId) ?? 0) - lots.netOf(seriesId));
    if (!isHeld) lots.drop(seriesId);
  }
  return lots.all();
}

class OpenLots {
  readonly #combos = new Map<string, KnownCombo>();
  readonly #singles = new Map<string, number>();
  #rests: Map<string, number>[] = [];

  take(order: TradedOrder): void {
    const unitMicros = microsOf(order.filledQty);
    if (!('legs' in order)) {
      this.trade(order.seriesId, order.side === 'buy' ? unitMicros : -unitMicros);
      return;
    }
    const bought = order.legs.map(
      ({ seriesId, side, ratio }): Bought => [seriesId, (side === 'buy' ? ratio : -ratio) * unitMicros],
    );
    const parts = this.#isRoll(bought) ? bought.map((one) => [one]) : partsOf(bought, this.#combos);
    for (const part of parts) {
      if (part.length > 1) addTo(this.#combos, part);
      else for (const [seriesId, qtyMicros] of part) this.trade(seriesId, qtyMicros);
    }
  }

  /** Trades one contract: as much as makes the position smaller closes lots, the rest is a lot by itself. */
  trade(seriesId: string, qtyMicros: number): void {
    const net = this.netOf(seriesId);
    const closes = net * qtyMicros < 0 ? Math.min(Math.abs(net), Math.abs(qtyMicros)) : 0;
    this.#close(seriesId, Math.sign(net) * closes);
    this.#add(seriesId, qtyMicros - Math.sign(qtyMicros) * closes);
  }

  /** Takes a contract out of every lot. */
  drop(seriesId: string): void {
    for (const sign of [1, -1]) this.#close(seriesId, sign * this.#sideOf(seriesId, sign));
  }

  names(): ReadonlySet<string> {
    const lots = [...[...this.#combos.values()].map(({ legs }) => legs), ...this.#rests, this.#singles];
    return new Set(lots.flatMap((lot) => [...lot.keys()]));
  }

  netOf(seriesId: string): number {
    return this.#sideOf(seriesId, 1) - this.#sideOf(seriesId, -1);
  }

  all(): Lots {
    const rests = this.#rests.filter(({ size }) => size > 0);
    return { combos: [...this.#combos.values()].reverse(), rests: rests.reverse() };
  }

  /** An order of two contracts one of which closes a lot of its own moves that to the other. */
  #isRoll(bought: readonly Bought[]): boolean {
    const closes = ([seriesId, qtyMicros]: Bought) => {
      const single = this.#singles.get(seriesId) ?? 0;
      return single * qtyMicros < 0 && Math.abs(single) >= Math.abs(qtyMicros);
    };
    return bought.length === 2 && !this.#combos.has(keyOf(shapeOf(bought))) && bought.some(closes);
  }

  /** The sum of all lots of a contract on one side, in micros. */
  #sideOf(seriesId: string, sign: number): number {
    const combos = [...this.#combos.values()].map(
      ({ legs, unitsMicros }) => (legs.get(seriesId) ?? 0) * unitsMicros,
    );
    const others = [this.#singles, ...this.#rests].map((lot) => lot.get(seriesId) ?? 0);
    return [...combos, ...others].reduce((sum, micros) => sum + Math.max(0, sign * micros), 0);
  }

  #add(seriesId: string, qtyMicros: number): void {
    put(this.#singles, seriesId, qtyMicros);
  }

  /** Closes as much of the lots on its side: those of one contract first, then the last. */
  #close(seriesId: string, qtyMicros: number): void {
    let left = Math.abs(qtyMicros);
    const sign = Math.sign(qtyMicros);
    for (const lot of [this.#singles, ...this.#rests.toReversed()]) {
      const taken = Math.min(left, Math.max(0, sign * (lot.get(seriesId) ?? 0)));
      put(lot, seriesId, -sign * taken);
      left -= taken;
    }
    for (const [key, combo] of [...this.#combos].reverse()) {
      const taken = Math.min(left, Math.max(0, sign * (combo.legs.get(seriesId) ?? 0) * combo.unitsMicros));
      if (taken > 0) this.#break(key, combo, { seriesId, takenMicros: sign * taken });
      left -= taken;
    }
  }

  /** Takes contracts out of a combo: what its other legs have of the units that are no longer whole is a rest. */
  #break(
    key: string,
    { legs, unitsMicros }: KnownCombo,
    { seriesId, takenMicros }: { readonly seriesId: string; readonly takenMicros: number },
  ): void {
    const broken =
      Math.ceil(takenMicros / legs.get(seriesId)! / Math.sign(unitsMicros)) * Math.sign(unitsMicros);
    const rest = new Map([...legs].map(([name, ratio]) => [name, ratio * broken]));
    put(rest, seriesId, -takenMicros);
    this.#rests.push(rest);
    if (broken === unitsMicros) this.#combos.delete(key);
    else this.#combos.set(key, { legs, unitsMicros: unitsMicros - broken });
  }
}

/** Adds to a lot; a contract of which nothing is left goes. */
function put(lot: Map<string, number>, seriesId: string, qtyMicros: number): void {
  const micros = (lot.get(seriesId) ?? 0) + qtyMicros;
  if (micros === 0) lot.delete(seriesId);
  else lot.set(seriesId, micros);
}
