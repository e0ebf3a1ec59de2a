/**
 * Question: what can a batch, a combo or a preview cost where strangers have filled the books with dust and with quote
 * sets, beside a plain order in the same run, and what does an order cost that leaves (BAT-7)?
 */

import assert from 'node:assert/strict';
import type { Address, BatchAction, MicrosLevel } from '@venue/protocol';
import {
  type Account,
  brokenInvariants,
  comboTerms,
  previewCombo,
  previewOrder,
  RESTING_ORDERS_MAX,
} from '../../packages/engine/src/index.ts';
import { collectGarbage } from './garbage.ts';
import { DAY_S, MICROS, START_MS, Venue } from './venue.ts';

/** The bid side of each of four series. */
export interface Book {
  readonly name: string;
  /** Orders of a micro, each at a price of its own. */
  readonly dust: number;
  /** Quote sets with a bid in each series, so that the legs of a combo share them. */
  readonly sets: number;
  /** True if the sets have a limit on delta. */
  readonly hasDelta?: boolean;
}

export interface WorstOptions {
  readonly books: readonly Book[];
  readonly rounds: number;
  readonly leaving: number;
}

const OPTIONS: WorstOptions = {
  books: [
    { name: '20,000 orders, one set', dust: 5_000, sets: 1 },
    { name: '1,600 orders, 400 sets', dust: 400, sets: 400 },
    { name: '1,600 sets', dust: 0, sets: 1_600 },
    { name: '1,920 sets', dust: 0, sets: 1_920 },
    { name: '1,600 sets with delta', dust: 0, sets: 1_600, hasDelta: true },
    { name: '100 sets', dust: 0, sets: 100 },
  ],
  rounds: 15,
  leaving: RESTING_ORDERS_MAX,
};

const LEGS = 4;
const ACTIONS = 64;
const SETS_EACH = 16;
const PLAIN_ORDERS = 5_000;
/** A set may trade less than it quotes in its series together. */
const LEVEL = 2_000;
const ALLOWANCE = 3_000;

/** How often as much as an order that rests and is cancelled anything may cost: 5 and 10 ms where that takes 1 µs. */
const MOST_OF_ONE = 5_000;
const MOST_OF_BATCH = 10_000;
/** How many times one cancel that finds nothing the 64 of a batch may cost. */
const MOST_OF_CANCELS = 20;

export function run(): void {
  const rows = measureBooks(OPTIONS);
  console.table(rows);
  console.table([measureLeaving(OPTIONS)]);
  const cancels = measureCancels(OPTIONS);
  console.table([cancels]);
  assert.ok(cancels['of one walk'] <= MOST_OF_CANCELS, `64 cancels cost ${cancels['of one walk']} walks`);
  for (const row of rows) {
    const most = row.what.startsWith('64') ? MOST_OF_BATCH : MOST_OF_ONE;
    assert.ok(row['plain orders'] <= most, `${row.what} of ${row.book} costs ${row['plain orders']} orders`);
  }
}

/** Medians of processor time. */
export function measureBooks({ books, rounds }: Pick<WorstOptions, 'books' | 'rounds'>) {
  return books.flatMap((book) => {
    const market = new WorstMarket(book);
    const plain = market.median(rounds, () => market.plain()) / PLAIN_ORDERS;
    return market.attacks().map(([what, attack]) => {
      const ms = market.median(rounds, attack);
      return {
        book: book.name,
        what,
        'median ms': Number(ms.toFixed(3)),
        'plain orders': Math.round(ms / plain),
        'plain order µs': Number((plain * 1_000).toFixed(1)),
      };
    });
  });
}

class WorstMarket {
  readonly #venue = new Venue([START_MS / 1_000 + DAY_S], { paperCashMicros: (1e6 * MICROS) as never });
  readonly #trader: Address;
  readonly #account: Account;
  readonly #ids: readonly string[];
  #accounts = 0;

  constructor({ dust, sets, hasDelta = false }: Book) {
    this.#ids = this.#venue.state.series.slice(0, LEGS).map(({ seriesId }) => seriesId);
    this.#trader = this.#open();
    this.#account = this.#venue.state.accountByAddress.get(this.#trader)!;
    this.#rest(dust);
    for (let left = sets; left > 0; left -= SETS_EACH) this.#quote(Math.min(left, SETS_EACH), hasDelta);
    collectGarbage();
  }

  /** Requests that strangers can send, by name; none leaves a trace. */
  attacks(): [string, () => void][] {
    const units = 1e9;
    const fok: BatchAction = {
      ...{ type: 'place', seriesId: this.#ids[0]!, side: 'sell', qtyMicros: units, priceMicros: 1 },
      ...{ tif: 'fok', stp: 'taker' },
    };
    const legs = this.#ids.map((seriesId) => ({ seriesId, side: 'sell', ratio: 1 }) as const);
    const combo: BatchAction = { type: 'combo', legs, qtyMicros: units, netMicros: null, tif: 'fok' };
    const { state } = this.#venue;
    const asked = { legs, qtyMicros: units, netMicros: null, terms: comboTerms('ioc', undefined) };
    return [
      ['a combo', () => this.#send([combo])],
      ['64 combos', () => this.#send(Array.from({ length: ACTIONS }, () => combo))],
      ['64 fok', () => this.#send(Array.from({ length: ACTIONS }, () => fok))],
      ['a preview of a combo', () => void previewCombo(state, this.#account, asked, state.ts)],
      ['a preview of an order', () => void previewOrder(state, this.#account, fok, state.ts)],
    ];
  }

  /** Orders that rest behind the rest, and leave. */
  plain(): void {
    for (let i = 0; i < PLAIN_ORDERS; i++) this.#placeAndCancel();
  }

  #placeAndCancel(): void {
    const { lastOrderId } = this.#venue.state;
    const order = { seriesId: this.#ids[0]!, side: 'buy', qtyMicros: MICROS, priceMicros: 1 } as const;
    const account = this.#trader;
    const outcome = this.#venue.apply({ kind: 'order', account, ...order });
    assert.ok('status' in outcome && outcome.status === 'rested');
    this.#venue.apply({ kind: 'cancel-order', account, orderId: lastOrderId + 1 });
  }

  /** The median of an act's processor time, which other work on the machine is no part of. */
  median(rounds: number, act: () => void): number {
    const times: number[] = [];
    for (let i = 0; i < 2 * rounds; i++) {
      const start = process.threadCpuUsage();
      act();
      const { user, system } = process.threadCpuUsage(start);
      // The first half warms up.
      if (i >= rounds) times.push((user + system) / 1_000);
    }
    assert.deepEqual([...brokenInvariants(this.#venue.state)], []);
    return times.sort((a, b) => a - b)[rounds >> 1]!;
  }

  #send(actions: readonly BatchAction[]): void {
    const outcome = this.#venue.apply({ kind: 'batch', account: this.#trader, actions });
    assert.ok('results' in outcome);
    for (const result of outcome.results) assert.ok('status' in result && result.status === 'rejected');
  }

  #open(): Address {
    this.#accounts += 1;
    const account = this.#venue.open(this.#accounts);
    this.#venue.apply({ kind: 'margin', account, enabled: true });
    return account;
  }

  #rest(each: number): void {
    let account = this.#open();
    for (let at = 0; at < each * LEGS; at++) {
      if (at % RESTING_ORDERS_MAX === 0 && at > 0) account = this.#open();
      const bid = {
        seriesId: this.#ids[at % LEGS]!,
        side: 'buy',
        qtyMicros: 1,
        priceMicros: 1_000 + at,
      } as const;
      this.#venue.apply({ kind: 'order', account, ...bid });
    }
  }

  #quote(sets: number, hasDelta: boolean): void {
    const account = this.#open();
    const { series } = this.#venue.state;
    for (let set = 1; set <= sets; set++) {
      const limits = {
        ...{ windowMs: 1_000, qtyMicros: ALLOWANCE, frozenMs: 0 },
        ...(hasDelta && { deltaMicros: ALLOWANCE }),
      };
      this.#venue.apply({
        kind: 'batch',
        account,
        actions: [{ type: 'protect', set, symbol: 'AAPL', ...limits }],
      });
      const bids: MicrosLevel[] = [[2 * MICROS + this.#accounts * SETS_EACH + set, LEVEL]];
      const rows = series.slice(0, LEGS).map(({ sid }) => ({ sid, bids, asks: null }));
      const push = { kind: 'quote-set', account, set, form: 'json', bodyHash: '0'.repeat(64) } as const;
      const outcome = this.#venue.apply({ ...push, rows });
      assert.ok('applied' in outcome && outcome.applied === LEGS);
    }
  }
}

/** A guard that takes as many orders as an account may have. */
export function measureLeaving({ leaving }: Pick<WorstOptions, 'leaving'>) {
  const venue = new Venue([START_MS / 1_000 + DAY_S], { paperCashMicros: (1e6 * MICROS) as never });
  const { state } = venue;
  const times = [0, 1, 2].map((round) => {
    const account = venue.open(round + 1);
    restInBatches(venue, account, leaving);
    const { index } = state.accountByAddress.get(account)!;
    assert.equal(state.orders.countOf(index), leaving);
    venue.apply({ kind: 'batch', account, actions: [{ type: 'guard', ms: 5_000 }] });
    venue.wait(5_000);
    const start = process.threadCpuUsage();
    venue.apply({ kind: 'prints', prints: [] });
    const { user, system } = process.threadCpuUsage(start);
    assert.equal(state.orders.countOf(index), 0);
    return user + system;
  });
  return {
    'orders that leave': leaving,
    'fastest µs each': Number((Math.min(...times) / leaving).toFixed(2)),
  };
}

/** Places so many orders, in batches. */
function restInBatches(venue: Venue, account: Address, count: number): void {
  const { series } = venue.state;
  for (let at = 0; at < count; at += ACTIONS) {
    const actions = Array.from(
      { length: Math.min(ACTIONS, count - at) },
      (_, i): BatchAction => ({
        ...{ type: 'place', seriesId: series[(at + i) % 40]!.seriesId, side: 'buy' },
        ...{ qtyMicros: 1, priceMicros: 1_000 + at + i, tif: 'gtc', stp: 'taker', clientId: `o-${at + i}` },
      }),
    );
    venue.apply({ kind: 'batch', account, actions });
  }
}

/** A batch of 64 cancels over as many orders as an account may have, none in their scope, beside a batch of one. */
export function measureCancels({ leaving, rounds }: Pick<WorstOptions, 'leaving' | 'rounds'>) {
  const venue = new Venue([START_MS / 1_000 + DAY_S], { paperCashMicros: (1e6 * MICROS) as never });
  const account = venue.open(1);
  restInBatches(venue, account, leaving);
  const { index } = venue.state.accountByAddress.get(account)!;
  const scope = { series: [venue.state.series[41]!.seriesId] };
  const cancels = (count: number) => {
    const actions = Array.from({ length: count }, (): BatchAction => ({ type: 'cancel-all', scope }));
    const batch = () => venue.apply({ kind: 'batch', account, actions });
    for (let i = 0; i < rounds; i++) batch();
    // All at once, as one is shorter than what processor time is counted in.
    const start = process.threadCpuUsage();
    for (let i = 0; i < 10 * rounds; i++) batch();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 10_000 / rounds;
  };
  const [one, all] = [cancels(1), cancels(ACTIONS)];
  assert.equal(venue.state.orders.countOf(index), leaving, 'none of them left');
  return {
    'resting orders': leaving,
    'one cancel-all ms': Number(one.toFixed(3)),
    '64 cancel-alls ms': Number(all.toFixed(3)),
    'of one walk': Number((all / one).toFixed(1)),
  };
}
