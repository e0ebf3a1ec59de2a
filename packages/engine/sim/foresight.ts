/** Previews an order on the engine right before it is placed, and reports where the order then differs. */

import type { Entry, OrderCommand } from '../src/entry/command.ts';
import { amountsOf, type OrderPreview, previewOrder, stateLines } from '../src/index.ts';
import type { FillRecord } from '../src/state/records.ts';
import type { State } from '../src/state/state.ts';
import { plainOutcome } from './describe.ts';
import { difference } from './difference.ts';

export interface Foresight {
  /** The preview, in a form comparable with the outcome. */
  readonly preview: OrderPreview;
  /** True if the preview itself changed the state. */
  readonly hasChanged: boolean;
}

/**
 * The whole state is long, so only one order in this many is checked for changes by its preview. Others would show up
 * later.
 */
const CHECK_EVERY = 8;

/**
 * The preview of an order; null if the entry is not an order or its account does not exist, or where a deadline is due,
 * which changes the book before the order arrives.
 */
export function foresee(state: State, entry: Entry): Foresight | null {
  const { command, ts, seq } = entry;
  if (command.kind !== 'order' || state.parameters === null || state.deadlines.due(ts) !== null) return null;
  const account = state.accountByAddress.get(command.account);
  if (account === undefined) return null;
  const before = seq % CHECK_EVERY === 0 ? wholeOf(state) : null;
  const preview = previewOrder(state, account, command, ts);
  return { preview, hasChanged: before !== null && wholeOf(state) !== before };
}

function wholeOf(state: State): string {
  return [...stateLines(state)].join('\n');
}

/** What the answer to an order placed by itself shows of it. */
function asPlaced({ outcome }: OrderPreview): object {
  if (outcome.status === 'rejected') return outcome;
  const { status, orderId, trades, restedMicros } = outcome;
  return { status, orderId, trades, restedMicros };
}

/**
 * The differences between an order and its preview. Fills are the rows that the order added as taker to its account's
 * fills.
 */
export function surprises(
  state: State,
  { preview, hasChanged }: Foresight,
  actual: { readonly command: OrderCommand; readonly outcome: object; readonly fills: readonly FillRecord[] },
): string[] {
  const { command, outcome, fills } = actual;
  const account = state.accountByAddress.get(command.account)!;
  const taken = fills.filter(({ taker }) => taker);
  const value = taken.reduce((sum, { side, priceMicros, qtyMicros }) => {
    const product = BigInt(priceMicros) * BigInt(qtyMicros);
    return sum + (product + (side === 'buy' ? 999_999n : 0n)) / 1_000_000n;
  }, 0n);
  const did = {
    outcome: { ...plainOutcome(state, outcome), account: account.index },
    value: Number(value),
    fee: taken.reduce((sum, { feeMicros }) => sum + feeMicros, 0),
    after: amountsOf(state, account),
  };
  const foreseen = {
    outcome: { ...plainOutcome(state, asPlaced(preview)), account: account.index },
    value: preview.valueMicros,
    fee: preview.feeMicros,
    after: preview.after,
  };
  const lines = difference(did, foreseen).map((line) => `the order, its preview as model: ${line}`);
  return hasChanged ? ['the preview changed the state', ...lines] : lines;
}
