/**
 * Question: what does a batch, a combo or a preview cost of an account that holds something in every series, where
 * strangers' quotes bound every mark, beside the same of an account that holds nothing (BAT-7)?
 */

import assert from 'node:assert/strict';
import type { Address, BatchAction, MarginMode, MicrosLevel } from '@venue/protocol';
import {
  type Account,
  brokenInvariants,
  comboTerms,
  previewCombo,
  SELL,
} from '../../packages/engine/src/index.ts';
import { collectGarbage } from './garbage.ts';
import { DAY_S, MICROS, START_MS, Venue } from './venue.ts';

export interface WideOptions {
  readonly modes: readonly MarginMode[];
  readonly expiries: number;
  readonly rounds: number;
}

const OPTIONS: WideOptions = { modes: ['defined-risk', 'per-leg'], expiries: 30, rounds: 7 };

const ACTIONS = 64;
const SPREAD = MICROS / 100;
/** Far more than is traded, so that the set stays. */
const SET_QTY = 1_000 * MICROS;

/** Bound of anything of a wide account, in times what 64 combos of one without positions cost. */
const MOST_OF_NARROW = 4;
/** As one is shorter than what processor time is counted in. */
const REPEATED = 5;

export function run(): void {
  const rows = measureWide(OPTIONS);
  console.table(rows);
  for (const { mode, what, ...row } of rows)
    assert.ok(
      row['of 64 combos without'] <= MOST_OF_NARROW,
      `${what} of a ${mode} account costs ${row['of 64 combos without']} of 64 combos without positions`,
    );
}

/** Least processor times, as other work on the machine only adds to them. */
export function measureWide({ modes, expiries, rounds }: WideOptions) {
  return modes.flatMap((mode) => {
    const market = new WideMarket(mode, expiries);
    const [wide, narrow] = [market.attacks(true), market.attacks(false)];
    const least = (attacks: typeof wide) => attacks.map(([, attack]) => market.least(rounds, attack));
    const without = least(narrow);
    return least(wide).map((ms, i) => ({
      mode,
      what: wide[i]![0],
      ms: Number(ms.toFixed(2)),
      'without positions, ms': Number(without[i]!.toFixed(2)),
      'of 64 combos without': Number((ms / without[1]!).toFixed(1)),
    }));
  });
}

class WideMarket {
  readonly #venue: Venue;
  readonly #wide: Address;
  readonly #narrow: Address;

  constructor(mode: MarginMode, expiries: number) {
    const cutoffs = Array.from({ length: expiries }, (_, i) => START_MS / 1_000 + DAY_S * (i + 1));
    this.#venue = new Venue(cutoffs, { paperCashMicros: (1e7 * MICROS) as never, riskMark: 'model' });
    this.#annotate();
    this.#wide = this.#open(1);
    this.#narrow = this.#open(2);
    this.#quote(this.#open(3));
    this.#hold();
    for (const account of [this.#wide, this.#narrow]) this.#switch(account, mode);
    collectGarbage();
  }

  attacks(isWide: boolean): [string, () => void][] {
    const account = isWide ? this.#wide : this.#narrow;
    const { state } = this.#venue;
    const legs = state.series
      .slice(0, 4)
      .map(({ seriesId }, i) => ({ seriesId, side: i % 2 === 0 ? 'buy' : 'sell', ratio: 1 }) as const);
    const combo: BatchAction = { type: 'combo', legs, qtyMicros: 1, netMicros: null, tif: 'ioc' };
    const place: BatchAction = {
      ...{ type: 'place', seriesId: legs[0]!.seriesId, side: 'buy', qtyMicros: 1, priceMicros: 1 },
      ...{ tif: 'gtc', stp: 'taker' },
    };
    const asked = { legs, qtyMicros: 1, netMicros: null, terms: comboTerms('ioc', undefined) };
    const many = (action: BatchAction) => Array.from({ length: ACTIONS }, () => action);
    const holder = state.accountByAddress.get(account) as Account;
    return [
      ['a combo', () => this.#send(account, [combo])],
      ['64 combos', () => this.#send(account, many(combo))],
      [
        '64 places',
        () => this.#send(account, [...many(place).slice(1), { type: 'cancel-all', scope: 'all' }]),
      ],
      ['a preview of a combo', () => void previewCombo(state, holder, asked, state.ts)],
    ];
  }

  least(rounds: number, act: () => void): number {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < rounds; i++) {
      const start = process.threadCpuUsage();
      for (let again = 0; again < REPEATED; again++) act();
      const { user, system } = process.threadCpuUsage(start);
      least = Math.min(least, (user + system) / 1_000 / REPEATED);
    }
    assert.deepEqual([...brokenInvariants(this.#venue.state)], []);
    return least;
  }

  #send(account: Address, actions: readonly BatchAction[]): void {
    const outcome = this.#venue.apply({ kind: 'batch', account, actions });
    assert.ok('results' in outcome);
    const [first] = outcome.results;
    assert.ok(first !== undefined && 'status' in first && first.status !== 'rejected');
  }

  #open(number: number): Address {
    const account = this.#venue.open(number);
    this.#venue.apply({ kind: 'margin', account, enabled: true });
    return account;
  }

  #switch(account: Address, mode: MarginMode): void {
    const outcome = this.#venue.apply({ kind: 'batch', account, actions: [{ type: 'margin-mode', mode }] });
    assert.deepEqual('results' in outcome && outcome.results, [{ type: 'margin-mode', ok: true }]);
  }

  #annotate(): void {
    const rows = this.#venue.state.series.map(({ sid }) => ({ sid, bids: null, asks: null, iv: 0.4 }));
    this.#venue.apply({ kind: 'quotes', session: null, rows });
  }

  /** One set with a bid and an ask in as many series as an account may have levels in, so that it bounds their marks. */
  #quote(account: Address): void {
    const { series } = this.#venue.state;
    const limits = { windowMs: 1_000, qtyMicros: SET_QTY, frozenMs: 0 };
    const actions: BatchAction[] = [{ type: 'protect', set: 1, symbol: 'AAPL', ...limits }];
    this.#venue.apply({ kind: 'batch', account, actions });
    const rows = series.slice(0, 2_048).map(({ sid }, i) => {
      const bid = 10 * MICROS + i * 1_000;
      const level = (price: number): MicrosLevel[] => [[price, 100 * MICROS]];
      return { sid, bids: level(bid), asks: level(bid + SPREAD) };
    });
    const push = { kind: 'quote-set', account, set: 1, form: 'json', bodyHash: '0'.repeat(64) } as const;
    const outcome = this.#venue.apply({ ...push, rows });
    assert.ok('applied' in outcome && outcome.applied === rows.length);
  }

  /** A micro in each series. */
  #hold(): void {
    for (const { seriesId, book } of this.#venue.state.series) {
      const account = this.#wide;
      const priceMicros = book.top(SELL) || 1;
      this.#venue.apply({ kind: 'order', account, seriesId, side: 'buy', qtyMicros: 1, priceMicros });
    }
    const { positions } = this.#venue.state.accountByAddress.get(this.#wide)!;
    assert.equal(positions.size, this.#venue.state.series.length);
  }
}
