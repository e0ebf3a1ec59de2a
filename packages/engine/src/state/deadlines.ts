/** Deadlines of timed orders and of guards, soonest first (DUE-1). */

import type { AccountIndex } from './ids.ts';

/** A due act: a timed order leaves, or a guard takes all orders of its account. */
export type Deadline =
  | { readonly atMs: number; readonly kind: 'gtd'; readonly orderId: number }
  | { readonly atMs: number; readonly kind: 'guard'; readonly account: AccountIndex };

/**
 * A heap in which each deadline knows its place, so that one that is replaced or gone leaves nothing behind. An entry
 * that nothing is due at looks at the first deadline only.
 */
export class Deadlines {
  readonly #heap: Deadline[] = [];
  readonly #places = new Map<Deadline, number>();
  readonly #byOrder = new Map<number, Deadline>();
  readonly #guards = new Map<AccountIndex, Deadline>();

  /** The soonest one if it is due, or null. */
  due(nowMs: number): Deadline | null {
    const [first] = this.#heap;
    return first !== undefined && first.atMs <= nowMs ? first : null;
  }

  /** Milliseconds since the epoch of the soonest one, or null without any. */
  get nextMs(): number | null {
    return this.#heap[0]?.atMs ?? null;
  }

  /** Milliseconds since the epoch at which the account's guard is due, or null. */
  guardOf(account: AccountIndex): number | null {
    return this.#guards.get(account)?.atMs ?? null;
  }

  setOrder(orderId: number, atMs: number): void {
    const deadline = { atMs, kind: 'gtd', orderId } as const;
    this.#byOrder.set(orderId, deadline);
    this.#add(deadline);
  }

  /** Replaces the guard of an account; null removes it. */
  setGuard(account: AccountIndex, atMs: number | null): void {
    const known = this.#guards.get(account);
    if (known !== undefined) this.#remove(known);
    this.#guards.delete(account);
    if (atMs === null) return;
    const deadline = { atMs, kind: 'guard', account } as const;
    this.#guards.set(account, deadline);
    this.#add(deadline);
  }

  dropOrder(orderId: number): void {
    const deadline = this.#byOrder.get(orderId);
    if (deadline === undefined) return;
    this.#byOrder.delete(orderId);
    this.#remove(deadline);
  }

  /** In no order. */
  [Symbol.iterator](): Iterator<Deadline> {
    return this.#heap.values();
  }

  #add(deadline: Deadline): void {
    this.#heap.push(deadline);
    this.#rise(this.#heap.length - 1, deadline);
  }

  #remove(deadline: Deadline): void {
    const place = this.#places.get(deadline)!;
    this.#places.delete(deadline);
    const last = this.#heap.pop()!;
    if (last === deadline) return;
    this.#sink(place, last);
    this.#rise(this.#places.get(last)!, last);
  }

  #rise(place: number, deadline: Deadline): void {
    let at = place;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#heap[above]!;
      if (!isBefore(deadline, parent)) break;
      this.#put(at, parent);
      at = above;
    }
    this.#put(at, deadline);
  }

  #sink(place: number, deadline: Deadline): void {
    const heap = this.#heap;
    let at = place;
    for (let below = 2 * at + 1; below < heap.length; below = 2 * at + 1) {
      const right = below + 1;
      if (right < heap.length && isBefore(heap[right]!, heap[below]!)) below = right;
      if (!isBefore(heap[below]!, deadline)) break;
      this.#put(at, heap[below]!);
      at = below;
    }
    this.#put(at, deadline);
  }

  #put(place: number, deadline: Deadline): void {
    this.#heap[place] = deadline;
    this.#places.set(deadline, place);
  }
}

/** By time, timed orders before guards, then by order id or account (DUE-1). */
function isBefore(one: Deadline, other: Deadline): boolean {
  if (one.atMs !== other.atMs) return one.atMs < other.atMs;
  if (one.kind === 'gtd') return other.kind === 'guard' || one.orderId < other.orderId;
  return other.kind === 'guard' && one.account < other.account;
}
