/** Invariants of quote sets after every entry, recomputed without the engine's own sums (QTS-2 to QTS-4, DET-5). */

import assert from 'node:assert/strict';
import { SET_LEVELS_MAX } from '@venue/protocol';
import { BUY, type OrderHandle, SELL } from '../src/book/book.ts';
import type { Command, CommandOf } from '../src/entry/command.ts';
import type { Account } from '../src/state/account.ts';
import type { Sid } from '../src/state/ids.ts';
import { isSetOwner, type QuoteSet } from '../src/state/quote-sets.ts';
import type { FillRecord } from '../src/state/records.ts';
import type { State } from '../src/state/state.ts';
import { checkSumsOf } from '../test/set-sums.ts';
import type { Description } from './description.ts';

const MILLION = 1_000_000n;
const SUMS_EVERY = 3;

interface Quote {
  readonly sid: Sid;
  readonly isBid: boolean;
  readonly price: bigint;
  readonly remaining: bigint;
}

/** Every quote of the books, by its set. */
function quotesBySet({ orders, series, quoteSets }: State): Map<QuoteSet, Quote[]> {
  const quotes = new Map<QuoteSet, Quote[]>();
  for (const { sid, book } of series) {
    for (const side of [BUY, SELL] as const) {
      for (let h: OrderHandle | null = book.best(side); h !== null; h = book.next(h)) {
        const owner = orders.owner(h);
        if (!isSetOwner(owner)) continue;
        const set = quoteSets.ofOwner(owner);
        const quote = { sid, isBid: side === BUY, price: BigInt(orders.price(h)) };
        quotes.set(set, [...(quotes.get(set) ?? []), { ...quote, remaining: BigInt(orders.remaining(h)) }]);
      }
    }
  }
  return quotes;
}

/**
 * Whatever of its quotes trades, an account pays for it with cash that it has. Not those that an adopted payout has been
 * taken from since the last maintenance, which pulls their sets (CUS-4, QTS-4).
 */
export function assertSets(state: State, debited: ReadonlySet<number>): void {
  const quotes = quotesBySet(state);
  for (const account of state.accounts) {
    let bids = 0n;
    let levels = 0;
    for (const set of state.quoteSets.of(account.index)) {
      const own = quotes.get(set) ?? [];
      assertSet(state, set, own);
      bids += worstBids(set, own);
      levels += own.length;
    }
    assert.ok(levels <= SET_LEVELS_MAX, `levels of account ${account.index}`);
    if (bids > 0n && !debited.has(account.index))
      assert.ok(bids <= BigInt(account.cashMicros), `cash for the bids of sets of account ${account.index}`);
  }
}

function assertSet(state: State, set: QuoteSet, quotes: readonly Quote[]): void {
  const where = `set ${set.number} of account ${set.account}`;
  const { qtyMicros, deltaMicros } = set.protection;
  const left = BigInt(qtyMicros - set.usedMicros);
  assert.ok(left >= 0n, `contracts of ${where}`);
  const deltaLeft = deltaMicros === null ? null : BigInt(deltaMicros) * MILLION - set.usedDelta;
  assert.ok(deltaLeft === null || deltaLeft >= 0n, `delta of ${where}`);
  assert.equal(set.firstFillTs === null, set.usedMicros === 0, `first fill of ${where}`);
  const quoted = new Set(quotes.map(({ sid }) => sid));
  assert.deepEqual(new Set(set.rows.keys()), quoted, `rows of ${where} without a level`);
  if (quotes.length === 0) {
    assert.equal(set.reserveMicros, 0, `reserve of ${where} without quotes`);
    return;
  }
  // Many changes lie between two looks, as they do where no fill looks.
  if (state.seq % SUMS_EVERY === 0) checkSumsOf(state, set);
  assert.equal(set.freeze, null, `${where} is frozen and has quotes`);
  assert.ok(left > 0n, `quotes of ${where} that can never fill`);
  for (const { sid, remaining } of quotes) {
    const each = absoluteDelta(set.rows.get(sid as Sid)?.delta ?? null);
    assert.equal(state.series[sid]!.instrument.symbol, set.symbol, `symbol of ${where}`);
    assert.ok(remaining <= BigInt(qtyMicros), `a level of ${where} within its limit`);
    if (deltaMicros === null) continue;
    assert.ok(remaining * each <= BigInt(deltaMicros) * MILLION, `a level of ${where} within its delta`);
    assert.ok(each <= deltaLeft!, `a quote of ${where} that can never fill`);
  }
}

/** Millionths, rounded up unless the delta is a decimal of six places. */
function absoluteDelta(delta: number | null): bigint {
  if (delta === null) return MILLION;
  const nearest = Math.round(Math.abs(delta) * 1e6);
  return BigInt(nearest / 1e6 === Math.abs(delta) ? nearest : Math.ceil(Math.abs(delta) * 1e6));
}

/** The most that bids of a set may cost before it is used up. */
function worstBids({ protection, usedMicros }: QuoteSet, quotes: readonly Quote[]): bigint {
  const bids = quotes.filter(({ isBid }) => isBid).sort((a, b) => (a.price > b.price ? -1 : 1));
  let left = BigInt(protection.qtyMicros - usedMicros);
  let cost = 0n;
  for (const { price, remaining } of bids) {
    const qty = remaining < left ? remaining : left;
    left -= qty;
    cost += price * qty;
  }
  return cost / MILLION;
}

/** A fill of an entry, and its account. */
export interface Filled {
  readonly account: Account;
  readonly fill: FillRecord;
}

/**
 * No entry fills more of a set than was left of its allowance, and what a set counts is what was filled. Cash of an account
 * whose quotes alone traded is not below zero.
 */
export function assertSetFills(
  before: Description,
  after: Description,
  fills: readonly Filled[],
  { command, debited }: { readonly command: Command; readonly debited: ReadonlySet<number> },
): void {
  const quotes = new Map(
    before.series.flatMap(({ bids, asks }) =>
      [...bids, ...asks].flatMap(({ id, owner, set }) =>
        set === null ? [] : [[id, { owner, set }] as const],
      ),
    ),
  );
  const own = 'account' in command ? command.account : null;
  for (const { index, address, cash, sets } of before.accounts) {
    const now = after.accounts[index]!;
    const traded = fills.filter(({ account }) => account.index === index);
    const isQuote = ({ fill }: Filled) => !fill.taker && quotes.has(fill.orderId);
    if (traded.length > 0 && traded.every(isQuote) && Number(cash) >= 0 && !debited.has(index))
      assert.ok(Number(now.cash) >= 0, `fills of quotes take cash of account ${index} below zero`);
    for (const set of sets) {
      const filled = traded.filter((one) => isQuote(one) && quotes.get(one.fill.orderId)!.set === set.number);
      const qty = filled.reduce((sum, { fill }) => sum + fill.qtyMicros, 0);
      assert.ok(qty <= Number(set.qty), `set ${set.number} of account ${index} trades past its protection`);
      if (address === own) continue;
      const used = now.sets.find(({ number }) => number === set.number)?.used;
      assert.equal(used, Number(set.used) + qty, `used of set ${set.number} of account ${index}`);
    }
  }
}

const CENT = 10_000;
const VISITS_MAX = 50_000;
const VISITS_OF_FILL = 12;

/** An entry that was applied. */
interface Carried {
  readonly command: Command;
  readonly outcome: object;
  readonly fills: readonly Filled[];
}

/**
 * No entry takes the levels of accounts that are no mark makers past their bound, whatever it was before. A push that is
 * carried out leaves a cent reserved for each level, and a batch trades no more than its work allows (QTS-2, QTS-4,
 * BAT-7).
 */
export function assertBounds(before: Description, state: State, { command, outcome, fills }: Carried): void {
  const { setLevelsMax, markMakers } = state.parameters!;
  const others = state.accounts.filter(({ address }) => address === null || !markMakers.includes(address));
  const levels = others.flatMap(({ index }) => state.quoteSets.of(index).map((set) => levelsOf(state, set)));
  const total = levels.reduce((sum, count) => sum + count, 0);
  const isOther = new Set<number>(others.map(({ index }) => index));
  const orders = before.series.flatMap(({ bids, asks }) => [...bids, ...asks]);
  const was = orders.filter(({ set, owner }) => set !== null && isOther.has(owner)).length;
  assert.ok(total <= Math.max(was, setLevelsMax), `${total} levels of all, after ${was}`);
  if (command.kind === 'batch') {
    const trades = fills.filter(({ fill }) => fill.taker).length;
    assert.ok(trades * VISITS_OF_FILL <= VISITS_MAX, `${trades} trades of one batch`);
  }
  if (command.kind === 'quote-set' && 'rowErrors' in outcome) assertCents(state, command);
}

function assertCents(state: State, { account, set: number }: CommandOf<'quote-set'>): void {
  const { index, reservedMicros } = state.accountByAddress.get(account)!;
  const set = state.quoteSets.find(index, number)!;
  // All that an account reserves is cut to the exact range.
  if (reservedMicros === Number.MAX_SAFE_INTEGER) return;
  const cents = CENT * levelsOf(state, set);
  assert.ok(set.reserveMicros >= cents, `set ${number} reserves ${set.reserveMicros} for ${cents} of cents`);
}

function levelsOf({ orders }: State, set: QuoteSet): number {
  let count = 0;
  for (const row of set.rows.values())
    for (const id of [...row.bids, ...row.asks]) if (orders.find(id) !== null) count += 1;
  return count;
}
