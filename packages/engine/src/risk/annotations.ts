/** Volatilities that the model of marks takes from those who annotate series (RSK-2). */

import type { Account } from '../state/account.ts';
import { ANNOTATED_IV_MAX, ANNOTATION_MS, ANNOTATION_RENEWED_MS } from '../state/limits.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';

/** True for a volatility that may count for the model. */
export function isAnnotation(iv: number | undefined): iv is number {
  return iv !== undefined && iv > 0 && iv <= ANNOTATED_IV_MAX;
}

/**
 * Records the volatility of a row, with a level or without, if its account is one whose annotations count: the market
 * maker, or one of the mark makers (DET-8). A volatility out of range leaves the one before it.
 */
export function annotate(state: State, account: Account, series: Series, iv: number | undefined): void {
  if (!isAnnotation(iv) || !isAnnotator(state, account)) return;
  series.annotatedIv = iv;
  series.annotatedAt = state.ts;
  // Marks change here without their books.
  state.orders.changes.note(series.sid);
}

function isAnnotator(state: State, { role, address }: Account): boolean {
  if (role === 'maker') return true;
  return address !== null && parametersOf(state).markMakers.includes(address);
}

/** The volatility that counts for the model at a time; null once the newest is too old, or the series is not live. */
export function ivAt({ status, annotatedAt, annotatedIv }: Series, ts: number): number | null {
  const counts = status === 'live' && annotatedAt > 0 && ts - annotatedAt <= ANNOTATION_MS;
  return counts ? annotatedIv : null;
}

/** True for a volatility that would be another one for the model than the recorded one. */
export function isAnnotationNew(
  state: State,
  account: Account,
  series: Series,
  iv: number | undefined,
): boolean {
  return isAnnotation(iv) && iv !== series.annotatedIv && isAnnotator(state, account);
}

/**
 * True if a volatility has to reach the log even if it repeats one: at the time at which it would be written the recorded
 * annotation is an hour old, and would run out in the end under an annotator that keeps repeating it.
 */
export function isAnnotationDue(
  state: State,
  account: Account,
  series: Series,
  { iv, ts }: { readonly iv: number | undefined; readonly ts: number },
): boolean {
  if (!isAnnotation(iv) || ts - series.annotatedAt < ANNOTATION_RENEWED_MS) return false;
  return isAnnotator(state, account);
}
