/** Invariants of the state after every entry, recomputed from the state alone: for auditors who replay a log. */

import { AUDIT_GENESIS, auditHash, SET_LEVELS_MAX } from '@venue/protocol';
import { BUY, type OrderHandle, SELL } from './book/book.ts';
import { awaitsSettlement } from './expiry/hand-settlement.ts';
import { openProposals } from './expiry/settle-proposals.ts';
import type { Account } from './state/account.ts';
import { costMicros } from './state/cost.ts';
import { isOutstanding } from './state/custody.ts';
import { isUsedUp } from './state/fillable-walk.ts';
import type { Sid } from './state/ids.ts';
import { RESTING_ORDERS_MAX, SETTLE_PROPOSALS_MAX } from './state/limits.ts';
import type { Position } from './state/positions.ts';
import {
  countedDeltaMicros,
  isAboveLimit,
  isSetOwner,
  ownerOfSet,
  type QuoteSet,
} from './state/quote-sets.ts';
import type { Series } from './state/series.ts';
import type { State } from './state/state.ts';
import { PLAIN_LIMIT } from './state/terms.ts';

/**
 * Yields one sentence for each broken invariant. The time it takes is proportional to the whole state, so use it at the
 * end of a replay and for occasional checks, not after every entry.
 *
 * @example for (const broken of brokenInvariants(state)) console.error(broken);
 */
export function* brokenInvariants(state: State): Generator<string> {
  yield* brokenCash(state);
  const resting = restingOf(state);
  for (const series of state.series) yield* brokenSeries(state, series);
  for (const account of state.accounts) yield* brokenAccount(state, account, resting.get(account.index));
  yield* brokenSets(state);
  yield* brokenTerms(state);
  yield* brokenSessions(state);
  yield* brokenCustody(state);
  yield* brokenAudit(state);
  yield* brokenProposals(state);
}

/** The cash of all accounts, including the venue's own, and held deposits equal deposits minus withdrawals. */
function* brokenCash({ accounts, fundedMicros }: State): Generator<string> {
  const all = sum(accounts.flatMap(({ cashMicros, heldMicros }) => [cashMicros, heldMicros]));
  if (all !== BigInt(fundedMicros)) yield `all cash is ${all} micros, and ${fundedMicros} came in`;
}

/**
 * Longs equal shorts, and a settled series has neither. Crossed books need no check: placing a crossing order would
 * throw.
 */
function* brokenSeries({ accounts }: State, series: Series): Generator<string> {
  const { seriesId, sid, status, holders, openInterestMicros, book } = series;
  const quantities = holders.map((index) => accounts[index]!.positions.get(sid)?.qtyMicros ?? 0);
  if (sum(quantities) !== 0n) yield `positions of ${seriesId} sum to ${sum(quantities)} micros`;
  const longs = sum(quantities.filter((qty) => qty > 0));
  if (longs !== BigInt(openInterestMicros))
    yield `open interest of ${seriesId} is ${openInterestMicros}, not ${longs}`;
  if (status === 'settled' && holders.length > 0) yield `${seriesId} is settled and held`;
  const [bid, ask] = [book.best(BUY), book.best(SELL)];
  if (status !== 'live' && (bid !== null || ask !== null)) yield `${seriesId} is ${status} and has orders`;
  const decision = series.instrument.decisions.get(series.expiryTs);
  if (status === 'settled' && decision !== undefined && decision.priceMicros === null)
    yield `${seriesId} is settled without a price`;
}

/** The totals of one account's resting orders, by series; quotes of its sets are no orders. */
interface Resting {
  readonly bySeries: Map<Sid, { buy: bigint; sell: bigint }>;
  reserved: bigint;
}

function restingOf(state: State): Map<number, Resting> {
  const { orders } = state;
  const byOwner = new Map<number, Resting>();
  for (const { book, sid } of state.series) {
    for (const side of [BUY, SELL] as const) {
      for (let h = book.best(side); h !== null; h = book.next(h)) {
        if (isSetOwner(orders.owner(h))) continue;
        const own = getOrMake(byOwner, orders.owner(h), () => ({ bySeries: new Map(), reserved: 0n }));
        const sums = getOrMake(own.bySeries, sid, () => ({ buy: 0n, sell: 0n }));
        const remaining = orders.remaining(h);
        sums[side === BUY ? 'buy' : 'sell'] += BigInt(remaining);
        if (side === BUY) own.reserved += BigInt(costMicros(orders.price(h), remaining));
      }
    }
  }
  return byOwner;
}

/** An account's totals equal those of its orders; its shorts are counted; a frozen account has no orders. */
function* brokenAccount(
  { quoteSets }: State,
  account: Account,
  resting: Resting | undefined,
): Generator<string> {
  const { index, role, frozen, cashMicros, positions, reservedMicros, shortCount } = account;
  const ofSets = sum(quoteSets.of(index).map((set) => set.reserveMicros));
  const reserved = (role === 'trader' ? (resting?.reserved ?? 0n) : 0n) + ofSets;
  if (reserved !== BigInt(reservedMicros))
    yield `account ${index} reserves ${reservedMicros}, not ${reserved}`;
  for (const position of positions)
    yield* brokenPosition(index, position, resting?.bySeries.get(position.series.sid));
  for (const sid of resting?.bySeries.keys() ?? []) {
    if (!positions.has(sid)) yield `account ${index} has orders in series ${sid} and no record of them`;
  }
  const shorts = [...positions].filter(({ qtyMicros }) => qtyMicros < 0).length;
  if (shorts !== shortCount) yield `account ${index} counts ${shortCount} shorts, not ${shorts}`;
  if (frozen && (cashMicros !== 0 || positions.size > 0 || resting !== undefined))
    yield `account ${index} is frozen and trades`;
}

function* brokenPosition(
  index: number,
  { series, restingBuyMicros, restingSellMicros, qtyMicros, costMicros: cost }: Position,
  resting = { buy: 0n, sell: 0n },
): Generator<string> {
  const where = `account ${index} in ${series.seriesId}`;
  if (BigInt(restingBuyMicros) !== resting.buy || BigInt(restingSellMicros) !== resting.sell)
    yield `resting quantities of ${where} are not those of its orders`;
  if (cost < 0 || (qtyMicros === 0 && cost !== 0)) yield `cost of ${where} is ${cost} for ${qtyMicros}`;
}

/**
 * Sets quote live series of their own underlying in levels within their limits, and never more than their allowance may
 * trade; a frozen one quotes nothing, and one that quotes nothing reserves nothing (QTS-2 to QTS-4).
 */
function* brokenSets(state: State): Generator<string> {
  const { orders, quoteSets, accounts } = state;
  const levels = new Map<number, number>();
  for (const set of quoteSets) {
    const where = `set ${set.number} of account ${set.account}`;
    const totals = new Map<Sid, { bid: bigint; ask: bigint }>();
    for (let h = orders.firstOf(ownerOfSet(set)); h !== null; h = orders.nextOf(h)) {
      const own = getOrMake(totals, orders.book(h) as Sid, () => ({ bid: 0n, ask: 0n }));
      own[orders.side(h) === BUY ? 'bid' : 'ask'] += BigInt(orders.remaining(h));
      yield* brokenQuote(state, set, h);
    }
    for (const { sid, bidMicros, askMicros } of set.rows.values()) {
      const { bid, ask } = totals.get(sid) ?? { bid: 0n, ask: 0n };
      if (bid === 0n && ask === 0n) yield `${where} has a row without a level in series ${sid}`;
      if (BigInt(bidMicros) !== bid || BigInt(askMicros) !== ask)
        yield `quoted quantities of ${where} in series ${sid} are not those of its quotes`;
    }
    const count = orders.countOf(ownerOfSet(set));
    levels.set(set.account, (levels.get(set.account) ?? 0) + count);
    if (count > 0 && set.freeze !== null) yield `${where} is frozen and quotes`;
    if (count === 0 && set.reserveMicros > 0)
      yield `${where} quotes nothing and reserves ${set.reserveMicros}`;
    if (set.usedMicros > set.protection.qtyMicros) yield `${where} traded more than its allowance`;
    if (set.usedMicros > 0 && set.firstFillTs === null) yield `${where} traded without a first fill`;
    if (count > 0 && isUsedUp(set, set)) yield `${where} is used up and quotes`;
    if (accounts[set.account]?.role !== 'trader') yield `${where} is not a trader's`;
  }
  for (const [account, count] of levels)
    if (count > SET_LEVELS_MAX) yield `the sets of account ${account} have ${count} levels`;
}

function* brokenQuote(state: State, set: QuoteSet, h: OrderHandle): Generator<string> {
  const { orders, series } = state;
  const where = `quote ${orders.id(h)}`;
  const own = series[orders.book(h)]!;
  const row = set.rows.get(own.sid);
  const ids = orders.side(h) === BUY ? row?.bids : row?.asks;
  if (ids?.includes(orders.id(h)) !== true) yield `${where} is not in the ladder of its set`;
  if (own.instrument.symbol !== set.symbol) yield `${where} is not on ${set.symbol}`;
  if (isAboveLimit(set.protection, orders.remaining(h), countedDeltaMicros(row?.delta ?? null)))
    yield `${where} is above the limit of its set`;
}

/** Terms are kept of resting orders alone; each timed one has its deadline, and each client id is known (CID-1, DUE-1). */
function* brokenTerms(state: State): Generator<string> {
  const { terms, orders, clientIds, deadlines, accounts } = state;
  let termed = 0;
  const timed = new Map<number, number>();
  for (const { index } of accounts) {
    let count = 0;
    let resting = 0;
    for (let h = orders.firstOf(index); h !== null; h = orders.nextOf(h)) {
      const id = orders.id(h);
      const own = terms.of(id);
      if (own !== PLAIN_LIMIT) resting += 1;
      if (own.expiresAt !== undefined) timed.set(id, own.expiresAt);
      if (own.tif === 'gtd') count += 1;
      if (own.clientId !== undefined && clientIds.find(index, own.clientId, state.ts)?.orderId !== id)
        yield `order ${id} is not known by its client id`;
    }
    termed += resting;
    if (resting > RESTING_ORDERS_MAX) yield `account ${index} has ${resting} resting orders of batches`;
    if (resting !== terms.countsOf(index).resting)
      yield `account ${index} counts ${terms.countsOf(index).resting} orders of batches, not ${resting}`;
    if (count !== terms.countsOf(index).timed)
      yield `account ${index} counts ${terms.countsOf(index).timed} timed orders, not ${count}`;
  }
  if (termed !== terms.size) yield `terms of ${terms.size} orders are kept, not ${termed}`;
  for (const deadline of deadlines) {
    if (deadline.atMs <= state.ts) yield `a deadline of ${deadline.atMs} was not carried out`;
    if (deadline.kind === 'guard') continue;
    if (timed.get(deadline.orderId) !== deadline.atMs)
      yield `order ${deadline.orderId} has a deadline too many`;
    timed.delete(deadline.orderId);
  }
  for (const id of timed.keys()) yield `order ${id} has no deadline`;
}

/** A session's row is kept for the account that remembers the session and for the orders and fills it signed. */
function* brokenSessions({ sessions, accounts, series, orders }: State): Generator<string> {
  const held = new Set<number>();
  for (const account of accounts) {
    for (const { handle } of account.sessions.values()) held.add(handle);
    for (const signer of account.fills.signers()) held.add(signer);
  }
  for (const { book } of series) {
    for (const side of [BUY, SELL] as const) {
      for (let h = book.best(side); h !== null; h = book.next(h)) {
        const signer = orders.signer(h);
        if (signer !== null) held.add(signer);
      }
    }
  }
  if (held.size !== sessions.count) yield `${sessions.count} rows of sessions are kept, not ${held.size}`;
}

/** The key of the map ensures that a deposit credits once; payouts are numbered without gaps and their sums match. */
function* brokenCustody({ custody, accounts }: State): Generator<string> {
  const { payouts, deposits, doubted } = custody;
  const misplaced = payouts.find(({ id, amountMicros }, i) => id !== i + 1 || amountMicros <= 0);
  if (misplaced !== undefined) yield `payout ${misplaced.id} is out of its place`;
  const kept = { pending: custody.pendingMicros, committed: custody.committedMicros };
  const amounts = {
    pending: amountOf(payouts.filter(isOutstanding)),
    committed: amountOf(payouts.filter(({ txHash }) => txHash !== null)),
  };
  for (const which of ['pending', 'committed'] as const) {
    if (kept[which] !== amounts[which]) yield `${kept[which]} micros are ${which}, not ${amounts[which]}`;
  }
  const deposited = amountOf([...deposits.values()]);
  if (deposited !== custody.depositedMicros)
    yield `${custody.depositedMicros} micros are deposited, not ${deposited}`;
  for (const key of doubted) if (!deposits.has(key)) yield `${key} is held in doubt and unknown`;
  const held = accounts.reduce((count, { heldCount }) => count + heldCount, 0);
  if (held > deposits.size) yield `${held} deposits are held, of ${deposits.size}`;
}

function amountOf(rows: readonly { readonly amountMicros: number }[]): bigint {
  return sum(rows.map(({ amountMicros }) => amountMicros));
}

/** Attempts at hand settlement are chained by hash; the oldest may only be in the log. */
function* brokenAudit({ audit }: State): Generator<string> {
  let head = audit.entries[0]?.previousHash ?? AUDIT_GENESIS;
  for (const entry of audit.entries) {
    if (entry.previousHash !== head || auditHash(entry) !== entry.hash)
      yield `attempt ${entry.n} breaks the chain of the audit`;
    head = entry.hash;
  }
  if (head !== audit.head) yield 'the head of the audit is not its newest attempt';
}

/** No more proposals of a secret than may wait, each about something that still waits (CUS-10). */
function* brokenProposals(state: State): Generator<string> {
  const { settleProposals } = state;
  for (const secret of [1, 2])
    if (openProposals(state).filter((one) => one.secret === secret).length > SETTLE_PROPOSALS_MAX)
      yield `secret ${secret} has more than ${SETTLE_PROPOSALS_MAX} proposals`;
  for (const { id, target } of settleProposals) {
    if (!awaitsSettlement(state, target)) yield `proposal ${id} is about nothing that waits`;
  }
}

function sum(amounts: readonly number[]): bigint {
  return amounts.reduce((total, amount) => total + BigInt(amount), 0n);
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
