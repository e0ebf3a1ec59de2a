/** The entry of a push to a quote set: its changes alone, judged by the state when it arrives (QTS-6). */

import type { MicrosQuote } from '@venue/protocol';
import { isAnnotationDue, isAnnotationNew } from '../risk/annotations.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';
import { type PushRefused, planPush, type SetPush } from './set-push.ts';
import { areEqual, countOf, type Draft, type RowResult, type SetPlan } from './set-row.ts';

/** A push that is not refused whole, and what its entry needs. */
export interface ArrivedPush {
  /** The result of each row; null for one of an unknown series. */
  readonly results: readonly (RowResult | null)[];
  /** One for each series that changes; null if every row is refused, so that nothing but the nonce is spent. */
  readonly rows: readonly MicrosQuote[] | null;
}

/**
 * Judges a push that arrives at a time. Its entry must have the same effect as all of its rows would, so that a replay
 * needs no others.
 */
export function arrivalOf(
  state: State,
  account: Account,
  push: SetPush,
  ts: number,
): ArrivedPush | PushRefused {
  const planned = planPush(state, account, push, ts);
  if (!('plan' in planned)) return planned;
  const { plan, results } = planned;
  return { results, rows: isCarriedOut(results) ? changedRows(plan) : null };
}

/** True for a push without rows, or with one at least that is not refused. */
function isCarriedOut(results: ArrivedPush['results']): boolean {
  return results.length === 0 || results.some((result) => result !== null && isTaken(result));
}

export function isTaken({ changes, error }: RowResult): boolean {
  return changes || error === null;
}

/** Rows that add levels come last: in the middle of a push, too, its levels are within their bound then (QTS-2). */
function changedRows(plan: SetPlan): MicrosQuote[] {
  const shrinking: MicrosQuote[] = [];
  const growing: MicrosQuote[] = [];
  for (const draft of plan.drafts.values()) {
    const row = changedRow(plan, draft);
    if (row !== null) (countOf(draft) > countOf(draft.standing) ? growing : shrinking).push(row);
  }
  return [...shrinking, ...growing];
}

/** A row with what a draft changes alone; null if that is nothing. */
function changedRow({ state, account, ts }: SetPlan, draft: Draft): MicrosQuote | null {
  const { series, standing, annotation } = draft;
  const bids = areEqual(standing.bids, draft.bids) ? null : draft.bids;
  const asks = areEqual(standing.asks, draft.asks) ? null : draft.asks;
  const isAnnotated =
    isAnnotationNew(state, account, series, annotation) ||
    isAnnotationDue(state, account, series, { iv: annotation, ts });
  // Without a level no annotation stays (QTS-2).
  const stays = countOf(draft) > 0;
  const iv = isAnnotated ? annotation : stays ? changed(standing.iv, draft.iv) : undefined;
  const delta = stays ? changed(standing.delta, draft.delta) : undefined;
  if (bids === null && asks === null && iv === undefined && delta === undefined) return null;
  return {
    ...{ sid: series.sid, bids, asks },
    ...(iv !== undefined && { iv }),
    ...(delta !== undefined && { delta }),
  };
}

/** An annotation that is another one than before; an annotation never goes back to none. */
function changed(before: number | null, after: number | null): number | undefined {
  return after === null || Object.is(before, after) ? undefined : after;
}
