import type { Micros } from '@venue/protocol';
import { Changes } from './changes.ts';
import { type BookSide, type LevelHandle, NIL, type OrderHandle } from './handles.ts';
import { Levels } from './levels.ts';
import { OwnerLists } from './owner-lists.ts';
import { Runs } from './runs.ts';

/** The fields of a resting order. Quantities and prices are positive safe integers. */
export interface RestingOrder {
  /** Positive safe integer, unique among the orders resting in the store (ORD-8). */
  readonly id: number;
  /**
   * A number from 0 on, or from -1 down for owners of a second kind; opaque here. Numbers should be dense: they index
   * arrays.
   */
  readonly owner: number;
  readonly side: BookSide;
  readonly price: number;
  /** The original quantity. */
  readonly quantity: number;
  /** The quantity still open. */
  readonly remaining: number;
  /** Milliseconds since the epoch, provided by the caller. */
  readonly placedAt: number;
}

const CAPACITY_MIN = 1024;
/** As many quotes as leave with one set. */
const CHANGES_KEPT = 4_096;
/** Owner numbers of either kind stay below this; otherwise the arrays they index would outgrow memory. */
export const OWNERS_MAX = 2 ** 26;

/** A record is 64 bytes, one cache line, seen through two views: four doubles, then eight integers. */
const FLOATS_SHIFT = 3;
const ID = 0;
const QUANTITY = 1;
const REMAINING = 2;
const PLACED_AT = 3;

const INTS_SHIFT = 4;
const OWNER = 8;
const LEVEL = 9;
const LEVEL_NEXT = 10;
const LEVEL_PREVIOUS = 11;
const OWNER_NEXT = 12;
const OWNER_PREVIOUS = 13;
const CHAIN_NEXT = 14;
const SIGNER = 15;

/**
 * All resting orders of all books of one engine, in typed arrays with a free list. A handle is an index, valid from the
 * order's placement until it leaves; reading any other index gives meaningless values.
 *
 * Every order is in three linked lists: the queue of its price level, the orders of its owner, and its bucket in the
 * table of ids. Only `Book` adds and removes.
 *
 * @example
 * const store = new OrderStore();
 * const book = new Book(store, 1);
 * for (let h = store.firstOf(owner); h !== null; h = store.nextOf(h)) total += store.remaining(h);
 */
export class OrderStore {
  readonly levels = new Levels();
  readonly runs = new Runs();
  /** The numbers of the books that changed last. */
  readonly changes = new Changes(CHANGES_KEPT);
  #floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT);
  #ints = new Int32Array(this.#floats.buffer);
  /** By handle, beside the records, which are full: it rises along the queue of a level. */
  #arrivals = new Float64Array(CAPACITY_MIN);
  #lastArrival = 0;
  #used = 0;
  #free: OrderHandle = NIL;
  #count = 0;
  /** First order of each id bucket; the size is a power of two, never less than the number of orders. */
  #buckets = new Int32Array(CAPACITY_MIN).fill(NIL);
  readonly #owners = new OwnerLists();
  /** The owners of the second kind, by -1 - owner. */
  readonly #others = new OwnerLists();

  /** Orders resting now. */
  get count(): number {
    return this.#count;
  }

  /** Allocated bytes for orders, levels and ids, in use or free. */
  get bytes(): number {
    const own = this.#floats.byteLength + this.#arrivals.byteLength + this.#buckets.byteLength;
    return own + this.levels.bytes + this.runs.bytes;
  }

  id(h: OrderHandle): number {
    return this.#floats[(h << FLOATS_SHIFT) + ID]!;
  }

  owner(h: OrderHandle): number {
    return this.#ints[(h << INTS_SHIFT) + OWNER]!;
  }

  /** The number of the order's book. */
  book(h: OrderHandle): number {
    return this.levels.book(this.level(h));
  }

  side(h: OrderHandle): BookSide {
    return this.levels.side(this.level(h));
  }

  price(h: OrderHandle): Micros {
    return this.levels.price(this.level(h));
  }

  /** The original quantity. */
  quantity(h: OrderHandle): Micros {
    return this.#floats[(h << FLOATS_SHIFT) + QUANTITY] as Micros;
  }

  /** The quantity still open. */
  remaining(h: OrderHandle): Micros {
    return this.#floats[(h << FLOATS_SHIFT) + REMAINING] as Micros;
  }

  /** Milliseconds since the epoch, as given at placement. */
  placedAt(h: OrderHandle): number {
    return this.#floats[(h << FLOATS_SHIFT) + PLACED_AT]!;
  }

  /** A number that rises along the queue of a level. One that comes back to its old place has the one that it had. */
  arrival(h: OrderHandle): number {
    return this.#arrivals[h]!;
  }

  /** Has an order be the newest of all. For `Book` only, which then puts it at the tail of a level. */
  arrive(h: OrderHandle): void {
    this.#lastArrival += 1;
    this.#arrivals[h] = this.#lastArrival;
  }

  /** Who signed the order, as a number chosen by the caller; null until it is set. */
  signer(h: OrderHandle): number | null {
    const signer = this.#ints[(h << INTS_SHIFT) + SIGNER]!;
    return signer === NIL ? null : signer;
  }

  setSigner(h: OrderHandle, signer: number | null): void {
    this.#ints[(h << INTS_SHIFT) + SIGNER] = signer ?? NIL;
  }

  /** The level the order rests at, or NIL for an invalid handle. For `Book` only. */
  level(h: OrderHandle): LevelHandle {
    return h >= 0 && h < this.#used ? (this.#ints[(h << INTS_SHIFT) + LEVEL] as LevelHandle) : NIL;
  }

  /** The order behind this one at the same level, or NIL. For `Book` only. */
  behind(h: OrderHandle): OrderHandle {
    return this.#ints[(h << INTS_SHIFT) + LEVEL_NEXT] as OrderHandle;
  }

  /** The resting order with this id. */
  find(orderId: number): OrderHandle | null {
    const buckets = this.#buckets;
    let h = buckets[orderId & (buckets.length - 1)] as OrderHandle;
    while (h !== NIL && this.id(h) !== orderId) h = this.#ints[(h << INTS_SHIFT) + CHAIN_NEXT] as OrderHandle;
    return handleOrNull(h);
  }

  /** The oldest resting order of an owner. */
  firstOf(owner: number): OrderHandle | null {
    return handleOrNull(owner < 0 ? this.#others.first(-1 - owner) : this.#owners.first(owner));
  }

  /** The owner's newest resting order. */
  lastOf(owner: number): OrderHandle | null {
    return handleOrNull(owner < 0 ? this.#others.last(-1 - owner) : this.#owners.last(owner));
  }

  /** The owner's next resting order in order of placement, which is ascending order of ids. */
  nextOf(h: OrderHandle): OrderHandle | null {
    return handleOrNull(this.#ints[(h << INTS_SHIFT) + OWNER_NEXT] as OrderHandle);
  }

  /** The number of orders an owner has resting now. */
  countOf(owner: number): number {
    return owner < 0 ? this.#others.count(-1 - owner) : this.#owners.count(owner);
  }

  /** The number of orders that owners of the second kind have resting now. */
  get countOfOthers(): number {
    return this.#others.total;
  }

  /** Adds an order at the tail of an open level and returns its handle. The id must not be resting already. */
  add(order: RestingOrder, level: LevelHandle): OrderHandle {
    const h = this.#allocate();
    const floats = this.#floats;
    const at = h << FLOATS_SHIFT;
    floats[at + ID] = order.id;
    floats[at + QUANTITY] = order.quantity;
    floats[at + REMAINING] = order.remaining;
    floats[at + PLACED_AT] = order.placedAt;
    this.setSigner(h, null);
    this.arrive(h);
    this.joinQueueBehind(h, level, this.levels.last(level));
    this.#joinOwner(h, order.owner);
    this.#joinBucket(h, order.id);
    this.#count += 1;
    return h;
  }

  /** True if no other order is at its level. */
  isAlone(h: OrderHandle): boolean {
    const level = this.level(h);
    return this.levels.first(level) === h && this.levels.last(level) === h;
  }

  /**
   * Replaces an order that is alone at its level by another of the same owner, in the same record. The new id is the
   * highest, so the order moves to the end of the owner's list.
   */
  renew(h: OrderHandle, order: RestingOrder): void {
    this.levels.adjust(this.level(h), this.remaining(h), order.remaining);
    this.#leaveBucket(h);
    const floats = this.#floats;
    const at = h << FLOATS_SHIFT;
    floats[at + ID] = order.id;
    floats[at + QUANTITY] = order.quantity;
    floats[at + REMAINING] = order.remaining;
    floats[at + PLACED_AT] = order.placedAt;
    this.setSigner(h, null);
    this.arrive(h);
    this.#joinBucket(h, order.id);
    if (this.nextOf(h) === null) return;
    this.#leaveOwner(h);
    this.#joinOwner(h, order.owner);
  }

  setQuantity(h: OrderHandle, quantity: number): void {
    this.#floats[(h << FLOATS_SHIFT) + QUANTITY] = quantity;
  }

  /** Lowers an order's open quantity, to a positive value. */
  setRemaining(h: OrderHandle, remaining: number): void {
    this.levels.adjust(this.level(h), this.remaining(h), remaining);
    this.#floats[(h << FLOATS_SHIFT) + REMAINING] = remaining;
  }

  /** Removes an order from every list and frees its record. */
  delete(h: OrderHandle): void {
    this.leaveQueue(h);
    this.deleteLifted(h);
  }

  /** The order ahead of this one at the same level, or NIL. For `Book` only. */
  ahead(h: OrderHandle): OrderHandle {
    return this.#ints[(h << INTS_SHIFT) + LEVEL_PREVIOUS] as OrderHandle;
  }

  /** Takes an order out of its level, and keeps its record. For `Book` only. */
  leaveQueue(h: OrderHandle): void {
    this.levels.adjust(this.level(h), this.remaining(h), 0);
    this.#leaveLevel(h);
    this.#ints[(h << INTS_SHIFT) + LEVEL] = NIL;
  }

  /** Puts an order outside any queue behind another at an open level; behind NIL is first. For `Book` only. */
  joinQueueBehind(h: OrderHandle, level: LevelHandle, ahead: OrderHandle): void {
    const ints = this.#ints;
    const at = h << INTS_SHIFT;
    const behind = ahead === NIL ? this.levels.first(level) : this.behind(ahead);
    ints[at + LEVEL] = level;
    ints[at + LEVEL_NEXT] = behind;
    ints[at + LEVEL_PREVIOUS] = ahead;
    if (ahead === NIL) this.levels.setFirst(level, h);
    else ints[(ahead << INTS_SHIFT) + LEVEL_NEXT] = h;
    if (behind === NIL) this.levels.setLast(level, h);
    else ints[(behind << INTS_SHIFT) + LEVEL_PREVIOUS] = h;
    this.levels.adjust(level, 0, this.remaining(h));
  }

  /** Changes the quantities of an order outside any queue. For `Book` only. */
  setLiftedQuantities(h: OrderHandle, quantity: number, remaining: number): void {
    this.setQuantity(h, quantity);
    this.#floats[(h << FLOATS_SHIFT) + REMAINING] = remaining;
  }

  /** Frees the record of an order outside any queue. For `Book` only. */
  deleteLifted(h: OrderHandle): void {
    this.#leaveOwner(h);
    this.#leaveBucket(h);
    this.#ints[(h << INTS_SHIFT) + CHAIN_NEXT] = this.#free;
    this.#free = h;
    this.#count -= 1;
  }

  #leaveLevel(h: OrderHandle): void {
    const ints = this.#ints;
    const at = h << INTS_SHIFT;
    const level = ints[at + LEVEL] as LevelHandle;
    const next = ints[at + LEVEL_NEXT] as OrderHandle;
    const previous = ints[at + LEVEL_PREVIOUS] as OrderHandle;
    if (previous === NIL) this.levels.setFirst(level, next);
    else ints[(previous << INTS_SHIFT) + LEVEL_NEXT] = next;
    if (next === NIL) this.levels.setLast(level, previous);
    else ints[(next << INTS_SHIFT) + LEVEL_PREVIOUS] = previous;
  }

  #joinOwner(h: OrderHandle, owner: number): void {
    const ints = this.#ints;
    const lists = owner < 0 ? this.#others : this.#owners;
    const number = owner < 0 ? -1 - owner : owner;
    lists.reserve(number);
    const at = h << INTS_SHIFT;
    const last = lists.last(number);
    ints[at + OWNER] = owner;
    ints[at + OWNER_NEXT] = NIL;
    ints[at + OWNER_PREVIOUS] = last;
    if (last === NIL) lists.setFirst(number, h);
    else ints[(last << INTS_SHIFT) + OWNER_NEXT] = h;
    lists.setLast(number, h);
    lists.changeCount(number, 1);
  }

  #leaveOwner(h: OrderHandle): void {
    const ints = this.#ints;
    const at = h << INTS_SHIFT;
    const owner = ints[at + OWNER]!;
    const lists = owner < 0 ? this.#others : this.#owners;
    const number = owner < 0 ? -1 - owner : owner;
    const next = ints[at + OWNER_NEXT] as OrderHandle;
    const previous = ints[at + OWNER_PREVIOUS] as OrderHandle;
    if (previous === NIL) lists.setFirst(number, next);
    else ints[(previous << INTS_SHIFT) + OWNER_NEXT] = next;
    if (next === NIL) lists.setLast(number, previous);
    else ints[(next << INTS_SHIFT) + OWNER_PREVIOUS] = previous;
    lists.changeCount(number, -1);
  }

  /** Ids rise by one, so their low bits already spread them over the buckets, and neighbours share a cache line. */
  #joinBucket(h: OrderHandle, id: number): void {
    const buckets = this.#buckets;
    const bucket = id & (buckets.length - 1);
    this.#ints[(h << INTS_SHIFT) + CHAIN_NEXT] = buckets[bucket]!;
    buckets[bucket] = h;
  }

  #leaveBucket(h: OrderHandle): void {
    const ints = this.#ints;
    const buckets = this.#buckets;
    const bucket = this.id(h) & (buckets.length - 1);
    const next = ints[(h << INTS_SHIFT) + CHAIN_NEXT]!;
    let before = buckets[bucket]!;
    if (before === h) {
      buckets[bucket] = next;
      return;
    }
    while (ints[(before << INTS_SHIFT) + CHAIN_NEXT] !== h) {
      before = ints[(before << INTS_SHIFT) + CHAIN_NEXT]!;
    }
    ints[(before << INTS_SHIFT) + CHAIN_NEXT] = next;
  }

  #allocate(): OrderHandle {
    const h = this.#free;
    if (h !== NIL) {
      this.#free = this.#ints[(h << INTS_SHIFT) + CHAIN_NEXT] as OrderHandle;
      return h;
    }
    if (this.#used << FLOATS_SHIFT === this.#floats.length) this.#grow();
    return this.#used++ as OrderHandle;
  }

  /** Doubles the records and the buckets. Called only when every record is in use. */
  #grow(): void {
    const grown = new Float64Array(this.#floats.length * 2);
    grown.set(this.#floats);
    this.#floats = grown;
    this.#ints = new Int32Array(grown.buffer);
    const arrivals = new Float64Array(this.#arrivals.length * 2);
    arrivals.set(this.#arrivals);
    this.#arrivals = arrivals;
    this.#buckets = new Int32Array(this.#buckets.length * 2).fill(NIL);
    for (let h = 0 as OrderHandle; h < this.#used; h++) this.#joinBucket(h, this.id(h));
  }
}

function handleOrNull(h: OrderHandle): OrderHandle | null {
  return h === NIL ? null : h;
}
