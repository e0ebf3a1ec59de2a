/** What holds after every entry, whatever it was. Throws on the first that is broken, naming where. */

import assert from 'node:assert/strict';
import { BUY, NIL, SELL } from '../src/book.ts';
import { lockedMicros } from '../src/margin.ts';
import type { Account, Position, Series, State } from '../src/state.ts';

const MILLION = 1_000_000n;
const MOST = BigInt(Number.MAX_SAFE_INTEGER);

/** Checks the whole state from scratch; meant for simulations and tests, not for every entry in production. */
export function assertInvariants(state: State): void {
  assertCash(state);
  for (const series of state.series) {
    assertPositionsNet(state, series);
    assertBook(state, series);
  }
  for (const account of state.accounts) {
    assertPromises(state, account);
    assertMargin(state, account);
  }
  assertCounts(state);
}

/** Cash over all accounts, house and fees included, equals what was ever paid in. */
function assertCash(state: State): void {
  const cash = total(state.accounts.map(({ cashMicros }) => cashMicros));
  assert.equal(cash, BigInt(state.fundedMicros), 'cash over all accounts is what was paid in');
}

/** Every contract has a long and a short side, and open interest is the long one (LIST-6). */
function assertPositionsNet(state: State, series: Series): void {
  const held = state.accounts.map(({ positions }) => positions.get(series.sid)?.qtyMicros ?? 0);
  assert.equal(total(held), 0n, `positions of ${series.seriesId} sum to zero`);
  const longs = total(held.filter((qty) => qty > 0));
  assert.equal(BigInt(series.openInterestMicros), longs, `open interest of ${series.seriesId}`);
}

/** A book is never crossed, stands in price-time order, and every order in it is whole and owned. */
function assertBook(state: State, series: Series): void {
  const { book, seriesId } = series;
  const bid = book.best(BUY);
  const ask = book.best(SELL);
  if (bid !== NIL && ask !== NIL) {
    assert.ok(state.orders.price(bid) < state.orders.price(ask), `book of ${seriesId} is crossed`);
  }
  for (const side of [BUY, SELL] as const) {
    let quantity = 0n;
    let before = NIL;
    for (let h = book.best(side); h !== NIL; h = book.next(h)) {
      assertOrder(state, series, h);
      if (before !== NIL) assertPriority(state, before, h, side === BUY);
      quantity += BigInt(state.orders.remaining(h));
      before = h;
    }
    assert.equal(BigInt(book.sideQuantity(side)), quantity, `side quantity of ${seriesId}`);
  }
}

function assertOrder({ orders, accounts }: State, series: Series, h: number): void {
  const id = orders.id(h);
  assert.ok(accounts[orders.owner(h)] !== undefined, `order ${id} has an owner`);
  assert.equal(orders.book(h), series.sid, `order ${id} rests in its own series`);
  assert.equal(series.status, 'live', `order ${id} rests in a live series`);
  assert.ok(orders.remaining(h) > 0 && orders.remaining(h) <= orders.quantity(h), `order ${id} is whole`);
  assert.equal(orders.find(id), h, `order ${id} is found by its id`);
}

function assertPriority({ orders }: State, ahead: number, behind: number, isBuy: boolean): void {
  const [first, second] = [orders.price(ahead), orders.price(behind)];
  const inOrder = isBuy ? first > second : first < second;
  assert.ok(
    inOrder || (first === second && orders.id(ahead) < orders.id(behind)),
    'price, then time (ORD-6)',
  );
}

/** What an account has promised equals what its resting orders promise. */
function assertPromises(state: State, account: Account): void {
  const { orders } = state;
  let reserved = 0n;
  const resting = new Map<number, { buy: bigint; sell: bigint }>();
  for (let h = orders.firstOf(account.index); h !== NIL; h = orders.nextOf(h)) {
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
  const expected = account.role === 'trader' ? reserved : 0n;
  assert.equal(BigInt(account.reservedMicros), expected, `reserve of account ${account.index}`);
  for (const position of account.positions.values()) assertPosition(account, position, resting);
  for (const sid of resting.keys()) {
    assert.ok(
      [...account.positions.keys()].some((known) => known === sid),
      `promises in series ${sid}`,
    );
  }
}

/** `locked` and the count of shorts are what a naive look at positions and resting orders makes them (MAR-3). */
function assertMargin(state: State, account: Account): void {
  const { orders } = state;
  const open = new Map<Series, bigint>();
  for (const { series, qtyMicros } of account.positions.values()) open.set(series, -BigInt(qtyMicros));
  let locked = BigInt(account.reservedMicros);
  for (let h = orders.firstOf(account.index); h !== NIL; h = orders.nextOf(h)) {
    const series = state.series[orders.book(h)]!;
    if (orders.side(h) === SELL) open.set(series, (open.get(series) ?? 0n) + BigInt(orders.remaining(h)));
  }
  for (const [series, short] of open) {
    if (short > 0n) locked += ceiling(entryUnit(state, series) * short, MILLION);
  }
  const expected = locked > MOST ? MOST : locked;
  assert.equal(BigInt(lockedMicros(state, account)), expected, `locked of account ${account.index}`);
  const shorts = [...account.positions.values()].filter(({ qtyMicros }) => qtyMicros < 0);
  assert.equal(account.shortCount, shorts.length, `count of shorts of account ${account.index}`);
}

/** Mark + max(20 % of spot - out of the money, 10 % of strike), and where so configured no less than intrinsic. */
function entryUnit({ orders, parameters }: State, { book, right, strikeMicros, instrument }: Series): bigint {
  const [spot, strike] = [BigInt(instrument.spotMicros), BigInt(strikeMicros)];
  const best = [book.best(BUY), book.best(SELL)].filter((h) => h !== NIL).map((h) => BigInt(orders.price(h)));
  const mark = best.length === 0 ? 0n : best.reduce((a, b) => a + b) / BigInt(best.length);
  const inside = right === 'C' ? spot - strike : strike - spot;
  const premium = parameters?.marginPremium === 'intrinsic' && inside > mark ? inside : mark;
  const shock = ceiling(spot * 20n, 100n) + (inside < 0n ? inside : 0n);
  const floor = ceiling(strike * 10n, 100n);
  const unit = premium + (shock > floor ? shock : floor);
  return unit > MOST ? MOST : unit;
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

/** Books, owners' lists and the store hold the same orders; signers are kept for resting orders alone. */
function assertCounts(state: State): void {
  const { orders } = state;
  let inBooks = 0;
  for (const { book } of state.series) {
    for (const side of [BUY, SELL] as const) {
      for (let h = book.best(side); h !== NIL; h = book.next(h)) inBooks += 1;
    }
  }
  const ofOwners = state.accounts.reduce((count, { index }) => count + orders.countOf(index), 0);
  assert.equal(inBooks, orders.count, 'orders in the books');
  assert.equal(ofOwners, orders.count, 'orders of the owners');
  for (const id of state.signers.keys()) assert.notEqual(orders.find(id), NIL, `signer of order ${id}`);
}

function total(amounts: readonly number[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
