/** Previews an order on the engine right before it is placed, and reports where the order then differs. */

import type { ActionResult, BatchDone } from '../src/entry/outcome.ts';
import {
  amountsOf,
  type ComboPreview,
  type Command,
  comboTerms,
  type Entry,
  type OrderPreview,
  type PreviewedOrder,
  previewCombo,
  previewOrder,
  stateLines,
} from '../src/index.ts';
import type { Account } from '../src/state/account.ts';
import type { FillRecord } from '../src/state/records.ts';
import type { State } from '../src/state/state.ts';
import { plainOutcome } from './describe.ts';
import { difference } from './difference.ts';

export interface Foresight {
  readonly account: Account;
  /** The preview, in a form comparable with the outcome. */
  readonly preview: OrderPreview | ComboPreview;
  /** True if the preview itself changed the state. */
  readonly hasChanged: boolean;
}

/**
 * The whole state is long, so only one order in this many is checked for changes by its preview. Others would show up
 * later.
 */
const CHECK_EVERY = 8;

/**
 * The preview of an order, placed by itself or alone in a batch. Null if the entry is none or its account does not exist,
 * or where a deadline is due, which changes the book before the order arrives.
 */
export function foresee(state: State, { command, ts, seq }: Entry): Foresight | null {
  const preview = previewOf(command);
  if (preview === null || state.parameters === null || state.deadlines.due(ts) !== null) return null;
  const account = 'account' in command ? state.accountByAddress.get(command.account) : undefined;
  if (account === undefined) return null;
  const before = seq % CHECK_EVERY === 0 ? wholeOf(state) : null;
  return {
    account,
    preview: preview(state, account, ts),
    hasChanged: before !== null && wholeOf(state) !== before,
  };
}

type Preview = (state: State, account: Account, ts: number) => Foresight['preview'];

/** A preview takes a client id for new, which only one that is left out surely is. */
function previewOf(command: Command): Preview | null {
  if (command.kind === 'order') return ofOrder(command);
  if (command.kind !== 'batch' || command.actions.length > 1) return null;
  const [action] = command.actions;
  if (action?.type === 'combo' && action.clientId === undefined) {
    const combo = { ...action, terms: comboTerms(action.tif, undefined) };
    return (state, account, ts) => previewCombo(state, account, combo, ts);
  }
  return action?.type === 'place' && action.clientId === undefined
    ? ofOrder({ ...action, terms: action })
    : null;
}

function ofOrder(order: PreviewedOrder): Preview {
  return (state, account, ts) => previewOrder(state, account, order, ts);
}

function wholeOf(state: State): string {
  return [...stateLines(state)].join('\n');
}

type Outcome = Foresight['preview']['outcome'] | ActionResult;

/** The fields of an order that every kind of answer shows. */
function shown(state: State, outcome: object): object {
  const placed = 'results' in outcome ? (outcome as BatchDone).results[0]! : (outcome as Outcome);
  if (!('status' in placed)) return placed;
  if (placed.status === 'rejected') return { status: placed.status, reason: placed.reason };
  if (placed.status === 'duplicate') return placed;
  const { status, orderId, trades } = placed;
  const rests = 'restedMicros' in placed ? { restedMicros: placed.restedMicros } : {};
  return plainOutcome(state, { status, orderId, trades, ...rests });
}

/** The fate of the order. */
export interface Carried {
  readonly outcome: object;
  readonly fills: readonly FillRecord[];
}

/**
 * The differences between an order and its preview. Fills are the rows that the order added as taker to its account's
 * fills.
 */
export function surprises(
  state: State,
  { account, preview, hasChanged }: Foresight,
  { outcome, fills }: Carried,
): string[] {
  const taken = fills.filter(({ taker }) => taker);
  const isCombo = 'costMicros' in preview;
  const value = taken.reduce((sum, { side, priceMicros, qtyMicros }) => {
    const product = BigInt(priceMicros) * BigInt(qtyMicros);
    const each = (product + (side === 'buy' ? 999_999n : 0n)) / 1_000_000n;
    return isCombo && side === 'sell' ? sum - each : sum + each;
  }, 0n);
  const did = {
    outcome: shown(state, outcome),
    value: Number(value),
    fee: taken.reduce((sum, { feeMicros }) => sum + feeMicros, 0),
    after: amountsOf(state, account),
  };
  const foreseen = {
    outcome: shown(state, preview.outcome),
    value: 'costMicros' in preview ? preview.costMicros : preview.valueMicros,
    fee: preview.feeMicros,
    after: preview.after,
  };
  const lines = difference(did, foreseen).map((line) => `the order, its preview as model: ${line}`);
  return hasChanged ? ['the preview changed the state', ...lines] : lines;
}
