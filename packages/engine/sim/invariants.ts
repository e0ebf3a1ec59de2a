/** Invariants that hold after every entry. Throws on the first that is broken, saying where. */

import assert from 'node:assert/strict';
import { AUDIT_GENESIS, auditHash } from '@venue/protocol';
import { BUY, type OrderHandle, SELL } from '../src/book/book.ts';
import { exactRiskOf, lockedMicros, riskOf } from '../src/risk/margin.ts';
import { positionMarkMicros } from '../src/risk/risk-marks.ts';
import type { Account } from '../src/state/account.ts';
import type { Position } from '../src/state/positions.ts';
import { isSetOwner, ownerOfSet } from '../src/state/quote-sets.ts';
import type { Instrument, Series } from '../src/state/series.ts';
import type { State } from '../src/state/state.ts';
import { assertCalledForCause } from './cover-invariants.ts';
import { assertCustody, assertCustodyProgress } from './custody-invariants.ts';
import type { Description } from './description.ts';
import { difference } from './difference.ts';
import { assertJumps } from './jump-invariants.ts';
import { assertSets } from './set-invariants.ts';

const MILLION = 1_000_000n;
const MOST = BigInt(Number.MAX_SAFE_INTEGER);
const NONE: ReadonlySet<number> = new Set();

/**
 * Checks the whole state from scratch; meant for simulations and tests, not for every entry in production. `debited` are
 * the accounts that an adopted payout has been taken from since the last maintenance.
 */
export function assertInvariants(state: State, debited: ReadonlySet<number> = NONE): void {
  assertCash(state);
  assertCustody(state);
  for (const series of state.series) {
    assertHolders(state, series);
    if (series.status === 'settled') {
      assertGone(series);
      continue;
    }
    assertPositionsNet(state, series);
    assertBook(state, series);
  }
  for (const instrument of state.instruments.values()) assertExpiries(state, instrument);
  for (const account of state.accounts) {
    assertPromises(state, account);
    assertMargin(state, account);
  }
  assertSets(state, debited);
  assertJumps(state);
  assertCounts(state);
  assertDeadlines(state);
  assertNewestAttempt(state);
}

/** Decisions are final: a series settles once, and its decision never changes (ORA-2). */
export function assertProgress(before: Description, after: Description): void {
  for (const [sid, { seriesId, status, mark }] of before.series.entries()) {
    const now = after.series[sid]!;
    assert.equal(now.seriesId, seriesId, 'sids stay');
    const ahead = STATUSES.indexOf(now.status) - STATUSES.indexOf(status);
    assert.ok(ahead >= 0, `${seriesId} went from ${status} back to ${now.status}`);
    if (status === 'settled') assert.equal(now.mark, mark, `payout of ${seriesId}`);
  }
  for (const decision of before.decisions) {
    const { symbol, expiryTs, price } = decision;
    const now = after.decisions.find((other) => other.symbol === symbol && other.expiryTs === expiryTs);
    const named = price === null ? { ...now, price: null, decidedAt: null, by: null } : now;
    assert.deepEqual(difference(named, decision), [], `decision on ${symbol} at ${expiryTs}`);
  }
  assertCustodyProgress(before.custody, after.custody);
}

const STATUSES: readonly string[] = ['live', 'pending-review', 'settled'];

/** Every attempt follows the previous one, and its hash matches its facts. */
export function assertAuditChain({ audit }: State): void {
  let head = AUDIT_GENESIS;
  audit.entries.forEach((entry, i) => {
    assert.equal(entry.n, i + 1, 'attempts are counted without a gap');
    assert.equal(entry.previousHash, head, `attempt ${entry.n} follows the one before`);
    assert.equal(auditHash(entry), entry.hash, `hash of attempt ${entry.n}`);
    head = entry.hash;
  });
  assert.equal(audit.head, head, 'head of the audit');
  assert.equal(audit.count, audit.entries.length, 'count of attempts');
}

/** The whole chain is checked once at the end; hashing it after every entry would take longer than everything else. */
function assertNewestAttempt({ audit, seq }: State): void {
  const newest = audit.entries.at(-1);
  assert.equal(audit.count, audit.entries.length, 'count of attempts');
  assert.equal(audit.head, newest?.hash ?? AUDIT_GENESIS, 'head of the audit');
  if (newest?.seq === seq) assert.equal(auditHash(newest), newest.hash, `hash of attempt ${newest.n}`);
}

/** The series knows every account with a position record in it. */
function assertHolders(state: State, series: Series): void {
  const { seriesId, sid, holders } = series;
  const recorded = state.accounts.filter(({ positions }) => positions.has(sid));
  assert.ok(
    holders.length === recorded.length && recorded.every(({ index }) => holders.includes(index)),
    `holders of ${seriesId}`,
  );
}

/** A settled series has no positions, no orders, and no listing. */
function assertGone(series: Series): void {
  const { seriesId, holders, openInterestMicros, instrument } = series;
  assert.equal(holders.length, 0, `positions of settled ${seriesId}`);
  assert.equal(openInterestMicros, 0, `open interest of settled ${seriesId}`);
  assert.ok(!instrument.series.includes(series), `settled ${seriesId} is not listed`);
  for (const side of [BUY, SELL] as const) {
    assert.equal(series.book.best(side), null, `orders of settled ${seriesId}`);
  }
}

/** Averaging windows exist only for undecided expiries; series in review have a decision without an oracle price. */
function assertExpiries(state: State, instrument: Instrument): void {
  const { symbol, windows, decisions, series } = instrument;
  for (const expiryTs of windows.keys()) {
    assert.ok(!decisions.has(expiryTs), `the window of ${symbol} at ${expiryTs} is closed`);
    assert.ok(
      state.expiries.includes(expiryTs),
      `the window of ${symbol} at ${expiryTs} is of a known expiry`,
    );
  }
  for (const { seriesId, status, expiryTs } of series) {
    const decision = decisions.get(expiryTs);
    if (status === 'live') assert.equal(decision, undefined, `${seriesId} is not decided`);
    else assert.ok(decision !== undefined && decision.refusal !== null, `${seriesId} was refused`);
  }
}

/** The cash of all accounts, including the venue's own, plus held deposits equals the amount paid in. */
function assertCash(state: State): void {
  const cash = total(state.accounts.flatMap(({ cashMicros, heldMicros }) => [cashMicros, heldMicros]));
  assert.equal(
    cash,
    BigInt(state.fundedMicros),
    'cash and what is held, over all accounts, is what was paid in',
  );
}

/** Long and short contracts are equal in number, and open interest is the long side (LIST-6). */
function assertPositionsNet(state: State, series: Series): void {
  const held = state.accounts.map(({ positions }) => positions.get(series.sid)?.qtyMicros ?? 0);
  assert.equal(total(held), 0n, `positions of ${series.seriesId} sum to zero`);
  const longs = total(held.filter((qty) => qty > 0));
  assert.equal(BigInt(series.openInterestMicros), longs, `open interest of ${series.seriesId}`);
}

/** A book is never crossed, is in price-time order, and each of its orders is complete and has an owner. */
function assertBook(state: State, series: Series): void {
  const { book, seriesId } = series;
  const bid = book.best(BUY);
  const ask = book.best(SELL);
  if (bid !== null && ask !== null) {
    assert.ok(state.orders.price(bid) < state.orders.price(ask), `book of ${seriesId} is crossed`);
  }
  for (const side of [BUY, SELL] as const) {
    let quantity = 0n;
    let before: OrderHandle | null = null;
    for (let h = book.best(side); h !== null; h = book.next(h)) {
      assertOrder(state, series, h);
      if (before !== null) assertPriority(state, before, h, side === BUY);
      quantity += BigInt(state.orders.remaining(h));
      before = h;
    }
    const { restingBuyMicros, restingSellMicros } = series;
    const promised = side === BUY ? restingBuyMicros : restingSellMicros;
    assert.equal(BigInt(promised), quantity, `side quantity of ${seriesId}`);
  }
}

function assertOrder({ orders, accounts, quoteSets }: State, series: Series, h: OrderHandle): void {
  const id = orders.id(h);
  const owner = orders.owner(h);
  const account = isSetOwner(owner) ? quoteSets.ofOwner(owner).account : owner;
  assert.ok(accounts[account] !== undefined, `order ${id} has an owner`);
  assert.equal(orders.book(h), series.sid, `order ${id} rests in its own series`);
  assert.equal(series.status, 'live', `order ${id} rests in a live series`);
  assert.ok(orders.remaining(h) > 0 && orders.remaining(h) <= orders.quantity(h), `order ${id} is whole`);
  assert.equal(orders.find(id), h, `order ${id} is found by its id`);
}

/** At one price an amended order may stand behind later ones; the model alone knows which. */
function assertPriority({ orders }: State, ahead: OrderHandle, behind: OrderHandle, isBuy: boolean): void {
  const [first, second] = [orders.price(ahead), orders.price(behind)];
  assert.ok(isBuy ? first >= second : first <= second, 'the better price first (ORD-6)');
}

/** Every order until a date has one deadline, which is still to come, and no other order has any (TIF-1, DUE-1). */
function assertDeadlines({ accounts, orders, terms, deadlines, ts }: State): void {
  const timed: string[] = [];
  for (const { index } of accounts) {
    const before = timed.length;
    for (let h = orders.firstOf(index); h !== null; h = orders.nextOf(h)) {
      const { tif, expiresAt } = terms.of(orders.id(h));
      if (tif === 'gtd') timed.push(`${orders.id(h)} at ${expiresAt}`);
    }
    assert.ok(timed.length - before <= 1_024, `timed orders of account ${index}`);
  }
  const due = [...deadlines];
  for (const { atMs } of due) assert.ok(atMs > ts, 'what was due is carried out');
  const ofOrders = due.flatMap((one) => (one.kind === 'gtd' ? [`${one.orderId} at ${one.atMs}`] : []));
  assert.deepEqual(ofOrders.sort(), timed.sort(), 'deadlines of orders');
  const guarded = due.flatMap((one) => (one.kind === 'guard' ? [one.account] : []));
  assert.equal(new Set(guarded).size, guarded.length, 'one guard an account');
}

/** An account's committed totals equal those of its resting orders and the reserves of its sets. */
function assertPromises(state: State, account: Account): void {
  const { orders } = state;
  let reserved = 0n;
  const resting = new Map<number, { buy: bigint; sell: bigint }>();
  for (let h = orders.firstOf(account.index); h !== null; h = orders.nextOf(h)) {
    const remaining = BigInt(orders.remaining(h));
    const sums = resting.get(orders.book(h)) ?? { buy: 0n, sell: 0n };
    resting.set(orders.book(h), sums);
    if (orders.side(h) === BUY) {
      sums.buy += remaining;
      reserved += ceiling(BigInt(orders.price(h)) * remaining, MILLION);
    } else {
      sums.sell += remaining;
    }
  }
  const ofSets = state.quoteSets.of(account.index).map(({ reserveMicros }) => reserveMicros);
  const expected = account.role === 'trader' ? reserved + total(ofSets) : 0n;
  assert.equal(BigInt(account.reservedMicros), expected, `reserve of account ${account.index}`);
  for (const position of account.positions) assertPosition(account, position, resting);
  for (const sid of resting.keys()) {
    assert.ok(
      [...account.positions].some(({ series }) => series.sid === sid),
      `promises in series ${sid}`,
    );
  }
}

/** `locked` and the number of shorts equal a naive computation from positions and resting orders (MAR-3). */
function assertMargin(state: State, account: Account): void {
  const shorts = [...account.positions].filter(({ qtyMicros }) => qtyMicros < 0);
  assert.equal(account.shortCount, shorts.length, `count of shorts of account ${account.index}`);
  if (account.marginMode === 'defined-risk') assertCalledForCause(state, account);
  else assertLegByLeg(state, account);
}

function assertLegByLeg(state: State, account: Account): void {
  const { orders } = state;
  const open = new Map<Series, bigint>();
  for (const { series, qtyMicros } of account.positions) open.set(series, -BigInt(qtyMicros));
  let locked = BigInt(account.reservedMicros);
  for (let h = orders.firstOf(account.index); h !== null; h = orders.nextOf(h)) {
    const series = state.series[orders.book(h)]!;
    if (orders.side(h) === SELL) open.set(series, (open.get(series) ?? 0n) + BigInt(orders.remaining(h)));
  }
  for (const [series, short] of open) {
    if (short > 0n) locked += ceiling(entryUnit(state, series) * short, MILLION);
  }
  const expected = locked > MOST ? MOST : locked;
  assert.deepEqual(riskOf(state, account), exactRiskOf(state, account), `risk of account ${account.index}`);
  assert.equal(BigInt(lockedMicros(state, account)), expected, `locked of account ${account.index}`);
}

/** Mark + max(20 % of spot - out of the money, 10 % of strike); if so configured, at least intrinsic. */
function entryUnit(state: State, series: Series): bigint {
  const { right, strikeMicros, instrument, status } = series;
  const { parameters } = state;
  const [spot, strike] = [BigInt(instrument.spotMicros), BigInt(strikeMicros)];
  const inside = right === 'C' ? spot - strike : strike - spot;
  // In review, the mark is intrinsic at spot.
  const intrinsic = inside > 0n ? inside : 0n;
  // A mark of the model is compared with the naive model's; here it is enough that the unit rests on it.
  const live =
    parameters?.riskMark === 'model' ? BigInt(positionMarkMicros(state, series)) : bookMark(state, series);
  const mark = status === 'pending-review' ? intrinsic : live;
  const premium = parameters?.marginPremium === 'intrinsic' && inside > mark ? inside : mark;
  const shock = ceiling(spot * 20n, 100n) + (inside < 0n ? inside : 0n);
  const floor = ceiling(strike * 10n, 100n);
  const unit = premium + (shock > floor ? shock : floor);
  return unit > MOST ? MOST : unit;
}

function bookMark({ orders }: State, { book }: Series): bigint {
  const best = [book.best(BUY), book.best(SELL)]
    .filter((h) => h !== null)
    .map((h) => BigInt(orders.price(h)));
  return best.length === 0 ? 0n : best.reduce((a, b) => a + b) / BigInt(best.length);
}

function ceiling(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}

function assertPosition(
  account: Account,
  position: Position,
  resting: ReadonlyMap<number, { buy: bigint; sell: bigint }>,
): void {
  const where = `account ${account.index} in ${position.series.seriesId}`;
  const sums = resting.get(position.series.sid) ?? { buy: 0n, sell: 0n };
  assert.equal(BigInt(position.restingBuyMicros), sums.buy, `resting buys of ${where}`);
  assert.equal(BigInt(position.restingSellMicros), sums.sell, `resting sells of ${where}`);
  assert.ok(position.costMicros >= 0, `cost of ${where} is not negative`);
  if (position.qtyMicros === 0)
    assert.equal(position.costMicros, 0, `a flat position of ${where} has no cost`);
}

/** Books, owners' lists and the store contain the same orders. */
function assertCounts(state: State): void {
  const { orders } = state;
  let inBooks = 0;
  for (const { book } of state.series) {
    for (const side of [BUY, SELL] as const) {
      for (let h = book.best(side); h !== null; h = book.next(h)) inBooks += 1;
    }
  }
  const owners = [...state.accounts.map(({ index }) => index), ...[...state.quoteSets].map(ownerOfSet)];
  const ofOwners = owners.reduce((count, owner) => count + orders.countOf(owner), 0);
  assert.equal(inBooks, orders.count, 'orders in the books');
  assert.equal(ofOwners, orders.count, 'orders of the owners');
}

function total(amounts: readonly number[]): bigint {
  // Converting zeros to bigint would take longer than everything else.
  return amounts.reduce((sum, amount) => (amount === 0 ? sum : sum + BigInt(amount)), 0n);
}
