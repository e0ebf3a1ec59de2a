/** Moves one side of a ladder in the book, if nothing can trade. */

import type { Series } from '../state/series.ts';
import type { SessionRecord } from '../state/session.ts';
import type { State } from '../state/state.ts';
import { bookSide, sign, unsign } from '../trading/resting.ts';
import type { SidePlan } from './quote-ladder.ts';

export interface LadderMove {
  readonly series: Series;
  /** The owner of the quotes in the book. */
  readonly owner: number;
  /** Order ids of the ladder, which are brought up to date. */
  readonly ids: number[];
  readonly signer?: SessionRecord | null | undefined;
}

/**
 * Places and pulls what is planned. Replacing an order is one change of the book. The caller changes the resting totals,
 * once for the whole side.
 */
export function moveLadder(state: State, { series, owner, ids, signer }: LadderMove, plan: SidePlan): void {
  const { book } = series;
  const { levels, kept, pulled, pulledCount } = plan;
  const side = bookSide(plan.side);
  let replaced = 0;
  for (let k = 0; k < levels.length; k++) {
    const standing = kept[k] ?? null;
    if (standing !== null) {
      ids[k] = state.orders.id(standing);
      continue;
    }
    state.lastOrderId += 1;
    const id = state.lastOrderId;
    const [price, quantity] = levels[k]!;
    const terms = { id, owner, side, price, quantity, remaining: quantity, placedAt: state.ts };
    const from = replaced < pulledCount ? pulled[replaced++]! : null;
    if (from !== null) unsign(state, from);
    const h = from === null ? book.place(terms) : book.replace(from, terms);
    if (signer) sign(state, h, signer);
    ids[k] = id;
  }
  for (; replaced < pulledCount; replaced++) {
    unsign(state, pulled[replaced]!);
    book.remove(pulled[replaced]!);
  }
  ids.length = levels.length;
}
