/**
 * Question: what does an entry cost more while 100,000 deadlines are pending, beside the same 100,000 orders without
 * deadlines in the same run, and how long does an entry take at which one account's 1,024 timed orders, or all of them,
 * are due (DUE-1)?
 */

import assert from 'node:assert/strict';
import type { Address } from '@venue/protocol';
import {
  apply,
  brokenInvariants,
  type Entry,
  NO_EFFECTS,
  type State,
} from '../../packages/engine/src/index.ts';
import { TIMED_ORDERS_MAX } from '../../packages/engine/src/state/limits.ts';
import { makeFlow, openVenue } from './flow.ts';
import { collectGarbage } from './garbage.ts';
import { MICROS, START_MS, type Venue } from './venue.ts';

export interface DeadlineOptions {
  /** Accounts that trade. */
  readonly accounts: number;
  readonly entries: number;
  readonly deadlines: number;
}

const OPTIONS: DeadlineOptions = { accounts: 1_000, entries: 200_000, deadlines: 100_000 };
const RUNS = 9;
const FIRINGS = 4;
const BATCH = 64;
/** When the first account's orders are due; those of each other one a millisecond after another's. */
const DUE_MS = START_MS + 43_200_000;

export async function run(): Promise<void> {
  console.table(pending(OPTIONS));
  console.table(firing(OPTIONS));
}

/** An entry's cost beside both kinds of orders, by turns; every run must carry out the flow alike. */
export function pending(options: DeadlineOptions) {
  const venue = withOrders(options, 'gtc');
  const { entries } = makeFlow(options, venue);
  const times: Record<Tif, number[]> = { gtc: [], gtd: [] };
  const cash = new Set<string>();
  for (let i = 0; i < RUNS + 1; i++)
    for (const tif of i % 2 === 0 ? (['gtc', 'gtd'] as const) : (['gtd', 'gtc'] as const)) {
      const { state } = withOrders(options, tif);
      assert.equal([...state.deadlines].length, tif === 'gtd' ? options.deadlines : 0);
      const ms = timed(state, entries);
      // The first warms up.
      if (i > 0) times[tif].push(ms);
      cash.add(state.accounts.map(({ cashMicros }) => cashMicros).join());
    }
  assert.equal(cash.size, 1, 'every run traded the same');
  const micros = (ms: number) => Number(((ms * 1_000) / options.entries).toFixed(3));
  return (['gtc', 'gtd'] as const).map((tif) => {
    const sorted = times[tif].map(micros).sort((a, b) => a - b);
    return {
      'beside the flow': tif === 'gtc' ? 'orders without deadlines' : 'timed orders',
      orders: options.deadlines,
      'median µs an entry': sorted[sorted.length >> 1]!,
      fastest: sorted[0]!,
      slowest: sorted.at(-1)!,
    };
  });
}

/** How long the entry takes that carries deadlines out, of one account and of all that are left. */
export function firing(options: DeadlineOptions) {
  return Array.from({ length: FIRINGS }, (_, i) => {
    const venue = withOrders(options, 'gtd');
    collectGarbage();
    const one = fire(venue, DUE_MS);
    const all = fire(venue, DUE_MS + options.deadlines);
    assert.equal(one.due + all.due, options.deadlines);
    assert.deepEqual([...brokenInvariants(venue.state)], []);
    return {
      round: i + 1,
      'of one account': one.due,
      'entry ms': one.ms,
      'of all others': all.due,
      'their entry ms': all.ms,
    };
  });
}

function fire(venue: Venue, atMs: number) {
  const before = [...venue.state.deadlines].length;
  venue.waitUntil(atMs);
  const start = performance.now();
  venue.apply({ kind: 'prints', prints: [] });
  const took = performance.now() - start;
  return { due: before - [...venue.state.deadlines].length, ms: Number(took.toFixed(2)) };
}

type Tif = 'gtc' | 'gtd';

/** The flow's venue, where other accounts have bids far below its prices. */
function withOrders({ accounts, deadlines, entries }: DeadlineOptions, tif: Tif): Venue {
  const venue = openVenue({ accounts, entries });
  let left = deadlines;
  for (let i = 0; left > 0; i++) {
    const account = venue.open(accounts + i);
    const count = Math.min(left, TIMED_ORDERS_MAX);
    for (let placed = 0; placed < count; placed += BATCH)
      placeSome(venue, { account, tif, expiresAt: DUE_MS + i, count: Math.min(BATCH, count - placed) });
    left -= count;
  }
  return venue;
}

interface Bids {
  readonly account: Address;
  readonly tif: Tif;
  readonly expiresAt: number;
  readonly count: number;
}

function placeSome(venue: Venue, { account, tif, expiresAt, count }: Bids): void {
  const { series, lastOrderId } = venue.state;
  const actions = Array.from({ length: count }, (_, i) => ({
    ...({
      type: 'place',
      seriesId: series[(lastOrderId + i) % series.length]!.seriesId,
      side: 'buy',
    } as const),
    ...({ qtyMicros: MICROS / 100, priceMicros: MICROS, stp: 'taker', tif } as const),
    ...(tif === 'gtd' && { expiresAt }),
  }));
  const outcome = venue.apply({ kind: 'batch', account, actions });
  assert.ok(
    'results' in outcome && outcome.results.every((one) => 'status' in one && one.status === 'rested'),
  );
}

function timed(state: State, entries: readonly Entry[]): number {
  collectGarbage();
  const start = process.threadCpuUsage();
  for (const entry of entries) apply(state, entry, NO_EFFECTS);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

if (import.meta.main) await run();
