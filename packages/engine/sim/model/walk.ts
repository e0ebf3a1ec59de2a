/** A look ahead along the books: what each resting order may still trade, the looker's own takings counted (BAT-6). */

import { floorDiv, least, MILLION } from './numbers.ts';
import type { ModelAllowance, ModelOrder, ModelSet } from './records.ts';
import type { ModelState } from './state.ts';

/** |delta| of a row in micros, rounded up; a row without counts 1 (DET-5). */
export function deltaOf(set: ModelSet, sid: number): bigint {
  return set.rows.get(sid)?.delta ?? MILLION;
}

/** The quotes of a set that stand. */
export function quotesOf(state: ModelState, set: ModelSet): ModelOrder[] {
  return state.orders.filter((order) => order.set === set);
}

/** True if no more micro can trade, with so much of the allowance used (DET-5). */
export function isUsedUp(
  set: ModelSet,
  standing: readonly ModelOrder[],
  used: { readonly qty: bigint; readonly delta: bigint },
): boolean {
  if (used.qty >= set.protection.qty) return true;
  const { delta } = set.protection;
  return delta !== null && standing.some(({ sid }) => delta * MILLION - used.delta < deltaOf(set, sid));
}

/** The same for marks: by what the quotes counted that stood when the last entry ended. */
function isShownUsedUp(
  { shown: { protection, counted } }: ModelSet,
  used: { readonly qty: bigint; readonly delta: bigint },
): boolean {
  if (used.qty >= protection.qty) return true;
  return protection.delta !== null && protection.delta * MILLION - used.delta < counted;
}

export class Walk {
  readonly #state: ModelState;
  readonly #taken = new Map<ModelOrder, bigint>();
  readonly #used = new Map<ModelSet, { readonly qty: bigint; readonly delta: bigint }>();
  readonly #usedUp = new Set<ModelSet>();

  readonly #isOfMarks: boolean;

  /** By the allowances as they are, or for marks as they are shown. */
  constructor(state: ModelState, isOfMarks = false) {
    this.#state = state;
    this.#isOfMarks = isOfMarks;
  }

  /** Zero for what is gone by then. */
  fillable(order: ModelOrder): bigint {
    const rests = order.remaining - (this.#taken.get(order) ?? 0n);
    const { set } = order;
    if (set === null) return rests;
    if (this.#usedUp.has(set)) return 0n;
    const used = this.#usedOf(set);
    const { protection } = this.#allowanceOf(set);
    const contracts = least(rests, protection.qty - used.qty);
    const each = deltaOf(set, order.sid);
    if (protection.delta === null || each === 0n) return contracts;
    return least(contracts, floorDiv(protection.delta * MILLION - used.delta, each));
  }

  take(order: ModelOrder, qty: bigint): void {
    this.#taken.set(order, (this.#taken.get(order) ?? 0n) + qty);
    const { set } = order;
    if (set === null) return;
    const before = this.#usedOf(set);
    const used = { qty: before.qty + qty, delta: before.delta + qty * deltaOf(set, order.sid) };
    this.#used.set(set, used);
    const standing = quotesOf(this.#state, set).filter(
      (quote) => quote.remaining > (this.#taken.get(quote) ?? 0n),
    );
    if (this.#isOfMarks ? isShownUsedUp(set, used) : isUsedUp(set, standing, used)) this.#usedUp.add(set);
  }

  /** The sets that it has taken from. */
  get sets(): ModelSet[] {
    return [...this.#used.keys()];
  }

  /** How many quotes stand of sets that the walk has used up. */
  get leaving(): number {
    return [...this.#usedUp].reduce((sum, set) => sum + quotesOf(this.#state, set).length, 0);
  }

  #allowanceOf(set: ModelSet): ModelAllowance {
    return this.#isOfMarks ? set.shown : set;
  }

  #usedOf(set: ModelSet): { readonly qty: bigint; readonly delta: bigint } {
    const { used: qty, usedDelta: delta } = this.#allowanceOf(set);
    return this.#used.get(set) ?? { qty, delta };
  }
}
