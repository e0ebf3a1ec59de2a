import { NIL, type OrderHandle } from './handles.ts';

/** An owner's record is 16 bytes: the ends of the list of its orders, and how many there are. */
const SHIFT = 2;
const FIRST = 0;
const LAST = 1;
const COUNT = 2;
const OWNERS_MIN = 64;

/** The ends of the lists of orders of one kind of owner, by the owner's number. The links between are the orders' own. */
export class OwnerLists {
  #ends = endsFrom(new Int32Array(0), OWNERS_MIN);
  #total = 0;

  /** The number of orders of all owners. */
  get total(): number {
    return this.#total;
  }

  first(owner: number): OrderHandle {
    return (this.#ends[(owner << SHIFT) + FIRST] ?? NIL) as OrderHandle;
  }

  last(owner: number): OrderHandle {
    return (this.#ends[(owner << SHIFT) + LAST] ?? NIL) as OrderHandle;
  }

  count(owner: number): number {
    return this.#ends[(owner << SHIFT) + COUNT] ?? 0;
  }

  setFirst(owner: number, h: OrderHandle): void {
    this.#ends[(owner << SHIFT) + FIRST] = h;
  }

  setLast(owner: number, h: OrderHandle): void {
    this.#ends[(owner << SHIFT) + LAST] = h;
  }

  changeCount(owner: number, change: 1 | -1): void {
    this.#ends[(owner << SHIFT) + COUNT]! += change;
    this.#total += change;
  }

  /** Makes room for an owner. */
  reserve(owner: number): void {
    let size = this.#ends.length >> SHIFT;
    if (owner < size) return;
    while (size <= owner) size *= 2;
    this.#ends = endsFrom(this.#ends, size);
  }
}

/** The known owners, followed by owners without orders up to `size`. */
function endsFrom(known: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const ends = new Int32Array(size << SHIFT);
  ends.set(known);
  for (let at = known.length; at < ends.length; at += 1 << SHIFT) {
    ends[at + FIRST] = NIL;
    ends[at + LAST] = NIL;
  }
  return ends;
}
