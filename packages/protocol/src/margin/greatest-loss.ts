/** Rule B of DRM-1: the most that a whole group can pay out at one settlement price (CMB-5). */

import { MICROS_PER_UNIT, ProductSum } from '../units.ts';
import type { Legs } from './legs.ts';

/** The most a group pays out, at least 0, and the price of the underlying at which it does. */
export interface GreatestLoss {
  readonly sum: ProductSum;
  readonly atMicros: number;
}

/**
 * Null where it is not bounded: more calls are short than long. Between two strikes what is paid is linear, so that
 * 0 and the strikes are all prices to try; above the last it never grows.
 */
export function greatestLoss(legs: Legs): GreatestLoss | null {
  const { size, calls, strikes, qtys } = legs;
  // Quantities of many series may sum up to more than a double holds: whole contracts and the rest are kept apart.
  let whole = 0;
  let part = 0;
  const add = (qty: number, sign: 1 | -1) => {
    const contracts = Math.floor(qty / MICROS_PER_UNIT);
    whole += sign * contracts;
    part += sign * (qty - contracts * MICROS_PER_UNIT);
  };
  for (let at = 0; at < calls; at++) add(qtys[at]!, 1);
  if (whole * MICROS_PER_UNIT + part < 0) return null;
  whole = 0;
  part = 0;
  const paid = new ProductSum();
  for (let at = calls; at < size; at++) {
    paid.add(-qtys[at]!, strikes[at]!);
    add(qtys[at]!, 1);
  }
  let most = new ProductSum();
  let atMicros = 0;
  if (most.isBelow(paid)) most.addSum(paid);
  let price = 0;
  for (let call = 0, put = calls; call < calls || put < size; ) {
    const isCall = call < calls && (put >= size || strikes[call]! <= strikes[put]!);
    const at = isCall ? call++ : put++;
    const next = strikes[at]!;
    if (next > price) {
      paid.add(part, next - price).addWhole(whole, next - price);
      price = next;
      if (most.isBelow(paid)) {
        most = new ProductSum().addSum(paid);
        atMicros = price;
      }
    }
    add(qtys[at]!, -1);
  }
  return { sum: most, atMicros };
}
