/** Divides an unsigned batch: some of it goes to the log, the rest is answered without it (BAT-7). */

import type { Account, ActionResult, State } from '@venue/engine';
import { type BatchAction, REJECT } from '@venue/protocol';

/** A batch as its entry needs it. */
export interface ArrivedBatch {
  readonly written: readonly BatchAction[];
  /** By action; null for those that are written. */
  readonly answers: readonly (ActionResult | null)[];
}

/**
 * Leaves out what cannot change anything when it arrives: orders and combos of series that are not listed or whose client id
 * is known, sets on underlyings that are not there, and of cancels the names that do not exist.
 */
export function arrivalOf(
  state: State,
  account: Account,
  actions: readonly BatchAction[],
  ts: number,
): ArrivedBatch {
  const written: BatchAction[] = [];
  const named = new Set<string>();
  const answers = actions.map((action) => {
    const answer = answerTo(state, account, action, { ts, named });
    if (answer !== null) return answer;
    written.push(withoutUnlisted(state, action));
    if (isNew(action) && action.clientId !== undefined) named.add(action.clientId);
    return null;
  });
  return { written, answers };
}

/** The results of all actions, from the answers and the results of those that were written. */
export function merged({ answers }: ArrivedBatch, results: readonly ActionResult[]): ActionResult[] {
  let next = 0;
  return answers.map((answer) => answer ?? results[next++]!);
}

function isNew(action: BatchAction): action is Extract<BatchAction, { readonly type: 'place' | 'combo' }> {
  return action.type === 'place' || action.type === 'combo';
}

function answerTo(
  state: State,
  account: Account,
  action: BatchAction,
  { ts, named }: { readonly ts: number; readonly named: ReadonlySet<string> },
): ActionResult | null {
  if (action.type === 'protect') {
    const isMissing = action.qtyMicros > 0 && !state.instruments.has(action.symbol);
    return isMissing ? { type: 'protect', ok: false, reason: REJECT.unknownSeries } : null;
  }
  if (!isNew(action)) return null;
  const { type, clientId } = action;
  const known = clientId === undefined ? null : state.clientIds.find(account.index, clientId, ts);
  if (known !== null) return { type, status: 'duplicate', orderId: known.orderId, clientId: known.clientId };
  // Whether an earlier action of the batch takes the id is known only when it is carried out.
  if (clientId !== undefined && named.has(clientId)) return null;
  const legs = action.type === 'combo' ? action.legs : [action];
  const isListed = legs.every(({ seriesId }) => state.seriesById.has(seriesId));
  return isListed ? null : { type, status: 'rejected', clientId, reason: REJECT.unknownSeries };
}

function withoutUnlisted(state: State, action: BatchAction): BatchAction {
  if (action.type !== 'cancel-all' || action.scope === 'all') return action;
  const { scope } = action;
  const listed =
    'series' in scope
      ? { series: scope.series.filter((id) => state.seriesById.has(id)) }
      : { symbols: listedSymbols(state, scope.symbols) };
  return { ...action, scope: listed };
}

/**
 * The symbols of an unsigned cancel that the log needs: underlyings that do not exist pull nothing. Those of a signed one
 * stay, as no auditor could rebuild the text of its signature without them (BAT-7).
 */
export function listedSymbols({ instruments }: State, symbols: readonly string[]): string[] {
  return symbols.filter((symbol) => instruments.has(symbol));
}
