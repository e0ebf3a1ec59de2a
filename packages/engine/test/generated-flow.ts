/** A seeded flow over many price levels, and a plain book that computes the expected reports. */

import { Random } from '../sim/random.ts';
import { type BookSide, BUY, SELL } from '../src/book/book.ts';
import {
  ACCEPTED,
  CANCEL,
  CANCEL_REJECTED,
  CANCELLED,
  type Flow,
  MODIFIED,
  MODIFY,
  MODIFY_REJECTED,
  NEW,
  type Reports,
  TRADE,
} from './workload.ts';

export interface GeneratedOptions {
  readonly messages: number;
  /** Resting orders once the flow has grown to its size. */
  readonly resting: number;
  /** Distance of orders from the middle in ticks: half of all levels. */
  readonly depth: number;
}

const SEED = 20_261_121;
const MIDDLE = 1_000_000;
const CROSSING_SHARE = 0.06;
const IOC_SHARE = 0.3;
const QUANTITY_MAX = 500;

/**
 * Orders spread evenly over all levels, so that most are alone on theirs; a few cross. Until enough orders rest, most
 * messages are orders; afterwards the kinds are balanced to keep the number stable.
 */
export function generateFlow({ messages, resting, depth }: GeneratedOptions): Flow {
  const random = new Random(SEED);
  const flow: Flow = {
    count: messages,
    kinds: new Uint8Array(messages),
    sides: new Uint8Array(messages),
    iocs: new Uint8Array(messages),
    quantities: new Int32Array(messages),
    ids: new Int32Array(messages),
    prices: new Int32Array(messages),
  };
  const live: number[] = [];
  const sideOf: BookSide[] = [];
  for (let i = 0; i < messages; i++) {
    const isFull = live.length >= resting;
    const kind = live.length === 0 ? NEW : kindOf(random, isFull);
    const at = random.between(0, Math.max(0, live.length - 1));
    const id = kind === NEW ? sideOf.length : live[at]!;
    const isCrossing = random.chance(CROSSING_SHARE);
    if (kind === NEW) {
      sideOf.push(random.chance(0.5) ? BUY : SELL);
      live.push(id);
    } else if (kind === CANCEL) {
      live[at] = live.at(-1)!;
      live.pop();
    }
    flow.kinds[i] = kind;
    flow.ids[i] = id + 1;
    flow.sides[i] = sideOf[id]!;
    flow.iocs[i] = Number(kind === NEW && isCrossing && random.chance(IOC_SHARE));
    flow.quantities[i] = random.between(1, QUANTITY_MAX);
    flow.prices[i] = priceOf(random, { side: sideOf[id]!, depth, isCrossing });
  }
  return flow;
}

function kindOf(random: Random, isFull: boolean): number {
  const share = random.unit();
  const news = isFull ? 0.42 : 0.7;
  if (share < news) return NEW;
  return share < news + 0.1 ? MODIFY : CANCEL;
}

interface Place {
  readonly side: BookSide;
  readonly depth: number;
  readonly isCrossing: boolean;
}

/** Some ticks on its own side of the middle; a crossing order, a little beyond it. */
function priceOf(random: Random, { side, depth, isCrossing }: Place): number {
  const away = isCrossing ? -random.between(1, 20) : random.between(1, depth);
  return side === BUY ? MIDDLE - away : MIDDLE + away;
}

interface Rested {
  readonly id: number;
  readonly side: BookSide;
  readonly price: number;
  left: number;
}

/** A book as one would explain it: a queue for each price, and the prices of each side in order, best last. */
export class PlainBook {
  readonly #queues = [new Map<number, Rested[]>(), new Map<number, Rested[]>()] as const;
  readonly #prices: readonly [number[], number[]] = [[], []];
  readonly #resting = new Map<number, Rested>();

  run(flow: Flow, reports: Reports): void {
    for (let seq = 0; seq < flow.count; seq++) this.#take(flow, seq, reports);
  }

  #take(flow: Flow, seq: number, reports: Reports): void {
    const [kind, id, price] = [flow.kinds[seq], flow.ids[seq]!, flow.prices[seq]!];
    const quantity = flow.quantities[seq]!;
    const found = this.#resting.get(id);
    if (kind === NEW) {
      const side = flow.sides[seq] as BookSide;
      reports.add(ACCEPTED, seq, side, id, price, quantity);
      const left = this.#match({ id, side, price, left: quantity }, seq, reports);
      if (left > 0 && flow.iocs[seq] === 1) reports.add(CANCELLED, seq, side, id, price, 0);
      else if (left > 0) this.#rest({ id, side, price, left });
    } else if (found === undefined) {
      reports.add(kind === CANCEL ? CANCEL_REJECTED : MODIFY_REJECTED, seq, id, 0, 0, 0);
    } else if (kind === CANCEL) {
      reports.add(CANCELLED, seq, found.side, id, found.price, 0);
      this.#remove(found);
    } else {
      this.#remove(found);
      reports.add(MODIFIED, seq, found.side, id, price, quantity);
      const left = this.#match({ id, side: found.side, price, left: quantity }, seq, reports);
      if (left > 0) this.#rest({ id, side: found.side, price, left });
    }
  }

  #match(taker: Rested, seq: number, reports: Reports): number {
    const other = taker.side === BUY ? SELL : BUY;
    let { left } = taker;
    while (left > 0) {
      const price = this.#prices[other].at(-1);
      const crosses =
        price !== undefined && (taker.side === BUY ? price <= taker.price : price >= taker.price);
      if (!crosses) break;
      const maker = this.#queues[other].get(price)![0]!;
      const traded = Math.min(left, maker.left);
      reports.add(TRADE, seq, price, traded, maker.id, taker.id);
      maker.left -= traded;
      left -= traded;
      if (maker.left === 0) this.#remove(maker);
    }
    return left;
  }

  #rest(order: Rested): void {
    this.#resting.set(order.id, order);
    const queue = this.#queues[order.side].get(order.price);
    if (queue !== undefined) {
      queue.push(order);
      return;
    }
    this.#queues[order.side].set(order.price, [order]);
    this.#prices[order.side].splice(this.#placeOf(order), 0, order.price);
  }

  #remove(order: Rested): void {
    const { side, price, id } = order;
    this.#resting.delete(id);
    const queue = this.#queues[side].get(price)!;
    queue.splice(queue.indexOf(order), 1);
    if (queue.length > 0) return;
    this.#queues[side].delete(price);
    this.#prices[side].splice(this.#placeOf(order), 1);
  }

  /** The index where an order's price is, or would be inserted. */
  #placeOf({ side, price }: Rested): number {
    const prices = this.#prices[side];
    let [low, high] = [0, prices.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const isWorse = side === BUY ? prices[middle]! < price : prices[middle]! > price;
      if (isWorse) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
