/** A process that fills an engine with one kind of object and reports the memory it takes, after garbage collection. */

import assert from 'node:assert/strict';
import type { Address, Hex } from '@venue/protocol';
import { brokenInvariants } from '../../packages/engine/src/index.ts';
import { DAY_S, MICROS, START_MS, Venue } from './venue.ts';

/** The case to measure, and how many of it. */
export interface MemoryOrder {
  readonly what: MemoryCase;
  readonly count: number;
}

export interface MemoryReport {
  /** JavaScript heap and array buffers used by everything that was added. */
  readonly bytes: number;
  /** All the heap and array buffers of the process. */
  readonly totalBytes: number;
  readonly residentBytes: number;
  readonly added: number;
}

export type MemoryCase =
  | 'orders, 4 series an account'
  | 'orders, each in a series of its own'
  | 'account with cash alone'
  | 'account with a session key'
  | 'account with 3 positions'
  | 'fill in the history'
  | 'series, empty'
  | 'series, quoted';

/** Prepares a venue and returns the step to measure, which returns how many it added. */
type Setup = (count: number) => { readonly venue: Venue; readonly add: () => number };

const ORDERS_AN_ACCOUNT = 100;
const SERIES_AN_EXPIRY = 82;
const EXPIRIES = 16;
const QTY = MICROS / 100;
const LEVELS = 3;

const CASES: Readonly<Record<MemoryCase, Setup>> = {
  'orders, 4 series an account': (count) => orders(count, 4),
  'orders, each in a series of its own': (count) => orders(count, ORDERS_AN_ACCOUNT),
  'account with cash alone': (count) => {
    const venue = open(1);
    return { venue, add: () => repeated(count, (i) => openAccount(venue, i)) };
  },
  'account with a session key': (count) => {
    const venue = open(1);
    return { venue, add: () => repeated(count, (i) => openWithKey(venue, i)) };
  },
  'account with 3 positions': (count) => {
    const venue = openQuoted(count);
    return { venue, add: () => repeated(count, (i) => openWithPositions(venue, i)) };
  },
  'fill in the history': (count) => {
    const venue = openQuoted(count);
    const length = Math.ceil(count / ORDERS_AN_ACCOUNT);
    const accounts = Array.from({ length }, (_, i) => openWithPositions(venue, i));
    return { venue, add: () => repeated(count, (i) => buy(venue, accounts[i % length]!, i % 3)) };
  },
  'series, empty': (count) => {
    const expiries = Math.ceil(count / SERIES_AN_EXPIRY);
    const venue = open(1);
    return { venue, add: () => list(venue, expiries) };
  },
  'series, quoted': (count) => {
    const venue = open(Math.ceil(count / SERIES_AN_EXPIRY));
    return { venue, add: () => quoteAll(venue) };
  },
};

function open(expiries: number): Venue {
  return new Venue(expiriesOf(expiries), {
    // More would exceed the limit for all accounts together.
    paperCashMicros: (20_000 * MICROS) as never,
    sourceStaleMs: 3_600_000,
    houseLineMicros: Number.MAX_SAFE_INTEGER as never,
  });
}

function expiriesOf(count: number): number[] {
  return Array.from({ length: count }, (_, i) => START_MS / 1_000 + (i + 1) * DAY_S);
}

/** Three series with enough quantity for everybody to buy. */
function openQuoted(count: number): Venue {
  const venue = open(1);
  const qty = 10 * count;
  venue.quote(venue.state.series.slice(0, 3), { bid: 3, ask: 3.2, bidQty: qty, askQty: qty });
  return venue;
}

function repeated(count: number, add: (i: number) => unknown): number {
  for (let i = 0; i < count; i++) add(i);
  return count;
}

/** Orders on both sides at many prices, from accounts with margin on. */
function orders(count: number, seriesPerAccount: number): ReturnType<Setup> {
  const venue = open(EXPIRIES);
  const { series } = venue.state;
  const accounts = Array.from({ length: Math.ceil(count / ORDERS_AN_ACCOUNT) }, (_, i) => {
    const account = openAccount(venue, i);
    venue.apply({ kind: 'margin', account, enabled: true });
    return account;
  });
  const add = () =>
    repeated(count, (i) => {
      const owner = i % accounts.length;
      const nth = Math.floor(i / accounts.length);
      const { seriesId } = series[(owner * 31 + (nth % seriesPerAccount) * 293) % series.length]!;
      const isBuy = (owner + nth) % 2 === 0;
      const away = (1 + ((owner * 7 + nth) % 50)) * (MICROS / 100);
      const outcome = venue.apply({
        kind: 'order',
        account: accounts[owner]!,
        seriesId,
        side: isBuy ? 'buy' : 'sell',
        qtyMicros: QTY,
        priceMicros: 3 * MICROS + (isBuy ? -away : away),
      });
      assert.ok(!('refusal' in outcome) && outcome.status === 'rested');
    });
  return { venue, add };
}

function openAccount(venue: Venue, i: number): Address {
  const account = venue.open(i);
  assert.ok(venue.state.accountByAddress.has(account));
  return account;
}

function openWithKey(venue: Venue, i: number): Address {
  const account = openAccount(venue, i);
  const sessionKey = `0x5e55${i.toString(16).padStart(36, '0')}` as Address;
  const signature = `0x${'ab'.repeat(65)}` as Hex;
  const expiresAt = START_MS + DAY_S * 1_000;
  venue.apply({ kind: 'approve', address: account, sessionKey, expiresAt, signature });
  return account;
}

/** Opens three positions by three fills, whose records stay with the account. */
function openWithPositions(venue: Venue, i: number): Address {
  const account = openAccount(venue, i);
  for (let n = 0; n < 3; n++) buy(venue, account, n);
  return account;
}

function buy(venue: Venue, account: Address, n: number): void {
  const { seriesId } = venue.state.series[n]!;
  venue.trade(account, { seriesId, side: 'buy', qtyMicros: MICROS });
}

/** Lists more expiries and returns the number of series this adds. */
function list(venue: Venue, expiries: number): number {
  const before = venue.state.series.length;
  venue.wait(DAY_S);
  const outcome = venue.apply({ kind: 'maintain', expiries: expiriesOf(expiries + 1) });
  assert.ok(!('refusal' in outcome) && outcome.done && !outcome.unfinished);
  return venue.state.series.length - before;
}

/** Quotes three levels per side in every series. */
function quoteAll(venue: Venue): number {
  const { series } = venue.state;
  const side = (sign: number) =>
    Array.from({ length: LEVELS }, (_, k) => [(30 + sign * (k + 1)) * (MICROS / 10), MICROS] as const);
  const rows = series.map(({ sid }) => ({ sid, bids: side(-1), asks: side(1) }));
  const outcome = venue.apply({ kind: 'quotes', session: null, rows });
  assert.ok(!('refusal' in outcome) && outcome.applied === series.length);
  return series.length;
}

function usedBytes(): number {
  // The second run collects what the first left to finalizers.
  for (let i = 0; i < 2; i++) globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

process.on('message', ({ what, count }: MemoryOrder) => {
  const { venue, add } = CASES[what](count);
  const before = usedBytes();
  const added = add();
  const totalBytes = usedBytes();
  assert.deepEqual([...brokenInvariants(venue.state)], []);
  const residentBytes = process.memoryUsage.rss();
  process.send!({ bytes: totalBytes - before, totalBytes, residentBytes, added } satisfies MemoryReport);
});
process.once('disconnect', () => process.exit());
