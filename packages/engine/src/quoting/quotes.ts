/** The market maker's ladders, row by row; resting quotes that a push repeats stay where they are (MM-3). */

import type { PullCommand, QuoteSessionCommand, QuotesCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf, RowError } from '../entry/outcome.ts';
import type { Account } from '../state/account.ts';
import { MAKER } from '../state/ids.ts';
import { EXPIRING_QUOTES_MAX, QUOTE_ATTEMPTS_KEPT } from '../state/limits.ts';
import type { QuoteSet } from '../state/quote-sets.ts';
import { parametersOf, type State } from '../state/state.ts';
import { pullWhere } from '../trading/pulls.ts';
import { pullSet } from '../trading/set-quotes.ts';
import { byAccount } from '../trading/set-reserves.ts';
import { applyRow, beginPush } from './quote-row.ts';

/**
 * Registers an attempt (OWN-52): the same attempt gets the same session, a new one fences every session before it.
 * Quotes of a fenced session are pulled, because nobody is left to cancel them (MM-1).
 */
export function registerQuoteSession(
  state: State,
  effects: Effects,
  { attemptId }: QuoteSessionCommand,
): OutcomeOf<'quote-session'> {
  const { attempts } = state.quoting;
  const known = attempts.get(attemptId);
  if (known !== undefined) return { session: known };
  pullQuotes(state, effects);
  state.quoting.session += 1;
  state.lastQuoteTs = state.ts;
  attempts.set(attemptId, state.quoting.session);
  for (const oldest of attempts.keys()) {
    if (attempts.size <= QUOTE_ATTEMPTS_KEPT) break;
    attempts.delete(oldest);
  }
  return { session: state.quoting.session };
}

/** True for the session that no later one has fenced. */
export function isLiveQuoteSession({ quoting }: State, session: number): boolean {
  return session > 0 && session === quoting.session;
}

/** Pulls the quotes of a live session. */
export function pullQuoteSession(
  state: State,
  effects: Effects,
  { session }: PullCommand,
): OutcomeOf<'pull'> {
  if (!isLiveQuoteSession(state, session)) return { refusal: 'noQuoteSession' };
  state.lastQuoteTs = state.ts;
  return { pulled: pullQuotes(state, effects) };
}

/** Applies the valid rows of a push and reports the faults of the others. */
export function applyQuotes(state: State, effects: Effects, command: QuotesCommand): OutcomeOf<'quotes'> {
  const { session, rows } = command;
  if (session !== null && !isLiveQuoteSession(state, session)) return { refusal: 'noQuoteSession' };
  const maker = makerOf(state);
  const push = beginPush(state, effects, maker);
  const rowErrors: RowError[] = [];
  const unknownSids: number[] = [];
  let applied = 0;
  let kept = 0;
  state.lastQuoteTs = state.ts;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const series = state.series[row.sid];
    const result = series === undefined ? null : applyRow(push, series, row);
    if (result === null) unknownSids.push(row.sid);
    else if (typeof result === 'string') rowErrors.push({ i, error: result });
    else if (result) applied += 1;
    else kept += 1;
  }
  if (applied > 0) effects.ordersChanged(maker);
  return { applied, kept, rowErrors, unknownSids };
}

/** Pulls every quote of the maker and returns how many. */
export function pullQuotes(state: State, effects: Effects): number {
  return pullWhere(state, effects, { account: makerOf(state), cause: 'user', includes: () => true });
}

/**
 * A maker that pushes nothing for longer than the limit loses its quotes, and so does a set (MM-4, OWN-11, QTS-5). Sets that
 * have been silent for longest go first, until so many quotes have left; the next tick goes on.
 */
export function expireQuotes(state: State, effects: Effects, quotesMax = EXPIRING_QUOTES_MAX): void {
  const { quoteTtlMs } = parametersOf(state);
  if (state.ts - state.lastQuoteTs >= quoteTtlMs) pullQuotes(state, effects);
  const silent = [...state.quoteSets.quoting].filter(({ lastPushTs }) => state.ts - lastPushTs >= quoteTtlMs);
  let pulled = 0;
  for (const set of silent.sort(bySilence)) {
    if (pulled >= quotesMax) break;
    pulled += pullSet(state, set);
  }
}

function bySilence(a: QuoteSet, b: QuoteSet): number {
  return a.lastPushTs - b.lastPushTs || byAccount(a, b);
}

function makerOf(state: State): Account {
  return state.accounts[MAKER]!;
}
