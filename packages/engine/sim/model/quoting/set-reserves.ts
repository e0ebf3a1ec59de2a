/** Reserves of quote sets in the model, and the sets that an account can no longer carry (QTS-4). */

import { insufficientBuyingPower, insufficientMargin, type RejectReason } from '@venue/protocol';
import { clamp, least, MOST, most, sum } from '../numbers.ts';
import { plainMicros } from '../plain-micros.ts';
import type { ModelAccount, ModelOrder, ModelSet } from '../records.ts';
import { pullOrders } from '../resting.ts';
import { buyingPower, cost, inMarginCall, reserved } from '../risk.ts';
import type { ModelState } from '../state.ts';
import { unit } from '../units.ts';
import { deltaOf, quotesOf } from '../walk.ts';

/** As much of a quote as its reserve looks at. */
export type Quoted = Pick<ModelOrder, 'sid' | 'side' | 'price' | 'remaining'>;

/** A level reserves no less. */
const CENT = 10_000n;

/** The reserve of quotes where they are placed: enough to pay for them, and a cent each. */
export function reserveOf(state: ModelState, set: ModelSet, quotes: readonly Quoted[]): bigint {
  return clamp(most(coverOf(state, set, quotes), CENT * BigInt(quotes.length)));
}

/** The smaller of what all quotes need, and of what is left of the allowance at the most expensive of them. */
function coverOf(state: ModelState, set: ModelSet, quotes: readonly Quoted[]): bigint {
  const each = ({ sid, side, price }: Quoted) =>
    side === 'buy' ? price : unit(state, state.series[sid]!, 'entry');
  const all = sum(quotes.map((quote) => cost(each(quote), quote.remaining)));
  const highestUnit = quotes.map(each).reduce((a, b) => most(a, b), 0n);
  return clamp(least(all, cost(highestUnit, set.protection.qty - set.used)));
}

/** The reserve of a set as it would be, and why buying power does not cover it, the old one released. */
export function uncovered(
  state: ModelState,
  changed: ModelSet,
  quotes: readonly Quoted[],
): { reserve: bigint; refusal?: RejectReason } {
  const reserve = reserveOf(state, changed, quotes);
  const have = powerWithout(state, changed);
  if (reserve === 0n || reserve <= have) return { reserve };
  const amounts = { needMicros: plainMicros(reserve), haveMicros: plainMicros(have) };
  const hasAsks = quotes.some(({ side }) => side === 'sell');
  return { reserve, refusal: hasAsks ? insufficientMargin(amounts) : insufficientBuyingPower(amounts) };
}

/** Buying power with what the set reserves now released. */
function powerWithout(state: ModelState, { owner, number }: ModelSet): bigint {
  const known = state.sets.find((set) => set.owner === owner && set.number === number);
  return buyingPower(state, state.accounts[owner]!) + (known?.reserve ?? 0n);
}

/** At the marks and spots of now. Of the cents stays what the account has. */
export function retake(state: ModelState, sets: Iterable<ModelSet>): void {
  for (const set of [...sets].sort((a, b) => a.owner - b.owner || a.number - b.number)) {
    const quotes = quotesOf(state, set);
    const cover = coverOf(state, set, quotes);
    const cents = CENT * BigInt(quotes.length);
    const have = powerWithout(state, set);
    if (cover < cents && have < cents) state.notes.push('cents of levels let go');
    keepReserve(state, set, clamp(most(cover, least(cents, have))));
  }
}

/** All that an account reserves stays in the exact range (NUM-1). */
export function keepReserve(state: ModelState, set: ModelSet, reserve: bigint): void {
  const others = reserved(state, state.accounts[set.owner]!) - set.reserve;
  set.reserve = least(reserve, MOST - others);
  state.stale.delete(set);
}

/**
 * A cancel or a guard frees at once what quotes reserved, set by set: each at the marks that the orders and sets before it
 * left. What else pulls quotes frees it at the end of the entry.
 */
export function cancelOrders(
  state: ModelState,
  cause: 'user' | 'guard',
  isMeant: (order: ModelOrder) => boolean,
): number {
  const sets = [...new Set(state.orders.filter(isMeant).flatMap(({ set }) => set ?? []))];
  let pulled = pullOrders(state, cause, (order) => order.set === null && isMeant(order));
  for (const set of sets.sort((a, b) => a.number - b.number)) {
    pulled += pullOrders(state, cause, (order) => order.set === set && isMeant(order));
    retake(state, [set]);
  }
  return pulled;
}

/** From here on marks go by what is left of the allowances now. */
function showAllowances(state: ModelState): void {
  for (const set of state.sets) {
    const { protection, used, usedDelta } = set;
    const counted = quotesOf(state, set).map(({ sid }) => deltaOf(set, sid));
    set.shown = { protection, used, usedDelta, counted: counted.reduce(most, 0n) };
  }
}

/** Ends an entry: sets that lost quotes or were filled update their reserves, and filled ones must still be carried. */
export function endEntry(state: ModelState): void {
  showAllowances(state);
  retake(state, state.stale);
  const owners = new Set([...state.filled].map(({ owner }) => owner));
  state.filled.clear();
  for (const account of state.accounts) if (owners.has(account.index)) dropSets(state, account, 'a fill');
}

/** In a maintenance entry the same goes for every set, since cash and marks may have moved without a fill. */
export function endMaintenance(state: ModelState): void {
  showAllowances(state);
  retake(state, state.sets);
  state.filled.clear();
  for (const account of state.accounts) dropSets(state, account, 'maintenance');
}

/** Highest number first, until the account is neither in a margin call nor without buying power. */
function dropSets(state: ModelState, account: ModelAccount, when: string): void {
  for (;;) {
    const isFine = !inMarginCall(state, account) && buyingPower(state, account) >= 0n;
    const quoting = state.sets.filter(
      (set) => set.owner === account.index && quotesOf(state, set).length > 0,
    );
    if (isFine || quoting.length === 0) return;
    const highest = quoting.reduce((a, b) => (b.number > a.number ? b : a));
    pullOrders(state, 'user', (order) => order.set === highest);
    retake(state, [highest]);
    state.notes.push(`set dropped after ${when}`);
  }
}
