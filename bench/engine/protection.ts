/**
 * Question: how much time does the protection of a quote set cost a fill, how much its reserve, taken again at the end of
 * every entry that fills it, how much the freeze that pulls all its quotes, and how much a push of a whole symbol beside
 * the market maker's?
 *
 * Each is measured in turns with its peers on venues of their own in one process: the same fills against plain orders of
 * an account and against the venue maker's quotes, and the same rows in the maker's push. Every outcome is checked, and
 * at the end every venue's invariants.
 *
 * Every single sweep, entry or push is timed, and the median taken: most are too short to be interrupted on a machine
 * that does other work.
 */

import assert from 'node:assert/strict';
import type { Address, MicrosLevel, MicrosQuote } from '@venue/protocol';
import { brokenInvariants, type Series } from '../../packages/engine/src/index.ts';
import { medianOf } from '../shared/median.ts';
import { DAY_S, MICROS, START_MS, Venue } from './venue.ts';

/** 16 expiries of 41 strikes, calls and puts: 1,312 series. */
const EXPIRIES = Array.from({ length: 16 }, (_, i) => START_MS / 1_000 + (i + 1) * DAY_S);
/** A hundredth of a contract. */
const QTY = MICROS / 100;
const MID = 20 * MICROS;
/** Price step between two levels, and between two pushes. */
const GAP = MICROS / 4;
const STEP = MICROS / 100;
const CASH_MICROS = 1e8 * MICROS;
const UNLIMITED = 1e6 * MICROS;

export interface ProtectionOptions {
  readonly rounds: number;
  readonly sweeps: number;
  readonly singles: number;
  readonly freezes: number;
  readonly pushes: number;
}

const FULL: ProtectionOptions = { rounds: 7, sweeps: 200, singles: 400, freezes: 10, pushes: 60 };

/** Prints all tables. */
export async function run(): Promise<void> {
  measureProtection(FULL);
}

/** The same with other numbers of everything. */
export function measureProtection(options: ProtectionOptions) {
  const fills = measureFills(options);
  console.table(fills);
  const reserves = measureReserves(options);
  console.table(reserves);
  const freeze = measureFreeze(options);
  console.table([freeze]);
  const pushes = measurePushes(options);
  console.table(pushes);
  return { fills, reserves, freeze, pushes };
}

const QUOTED_BY = [
  'plain orders',
  "the maker's quotes",
  'a set, contracts',
  'a set, contracts and delta',
] as const;
type QuotedBy = (typeof QUOTED_BY)[number];

interface MarketOptions {
  /** Allowance of the set. */
  readonly qtyMicros?: number;
  readonly riskMark?: RiskMark;
}

type RiskMark = 'book' | 'model';

/** A market with one account that quotes, in whichever way, and one that trades with it. */
class Market {
  readonly venue: Venue;
  readonly quoter: Address;
  readonly taker: Address;
  readonly #by: QuotedBy;
  #variant = 0;

  constructor(by: QuotedBy, { qtyMicros = UNLIMITED, riskMark = 'book' }: MarketOptions = {}) {
    this.#by = by;
    this.venue = new Venue(EXPIRIES, { paperCashMicros: CASH_MICROS as never, riskMark });
    const rows = this.series.map(({ sid }) => ({ sid, bids: null, asks: null, iv: 0.5 }));
    this.venue.apply({ kind: 'quotes', session: null, rows });
    [this.quoter, this.taker] = [this.venue.open(0), this.venue.open(1)];
    for (const account of [this.quoter, this.taker])
      this.venue.apply({ kind: 'margin', account, enabled: true });
    if (by.startsWith('a set')) this.protect(qtyMicros);
  }

  get series(): readonly Series[] {
    return this.venue.state.series;
  }

  protect(qtyMicros: number): void {
    const delta = this.#by === 'a set, contracts and delta' && { deltaMicros: UNLIMITED };
    const terms = { set: 1, symbol: 'AAPL', windowMs: 1_000, qtyMicros, frozenMs: 0, ...delta } as const;
    const outcome = this.venue.apply({
      kind: 'batch',
      account: this.quoter,
      actions: [{ type: 'protect', ...terms }],
    });
    assert.ok(!('refusal' in outcome) && 'ok' in outcome.results[0]! && outcome.results[0].ok);
  }

  /** Puts ladders at prices that differ from those before. */
  quote(series: readonly Series[], levels: Levels): number {
    this.#variant = (this.#variant + 1) % 2;
    const rows = series.map(({ sid }, i) => rowOf(sid, levels, this.#variant * STEP + (i % 40) * MICROS));
    const start = performance.now();
    if (this.#by === 'plain orders') this.#order(series, rows);
    else this.#push(rows);
    return performance.now() - start;
  }

  /** Buys so many levels' contracts; returns how long it took. */
  buy({ seriesId }: Series, levels: number): number {
    const command = { kind: 'order', account: this.taker, seriesId, side: 'buy', priceMicros: null } as const;
    const start = performance.now();
    const outcome = this.venue.apply({ ...command, qtyMicros: levels * QTY });
    const ms = performance.now() - start;
    assert.ok(!('refusal' in outcome) && outcome.status === 'filled', JSON.stringify(outcome));
    assert.equal(outcome.trades.length, Math.ceil(levels));
    return ms;
  }

  check(): void {
    assert.deepEqual([...brokenInvariants(this.venue.state)], []);
  }

  #push(rows: readonly MicrosQuote[]): void {
    const outcome = this.venue.apply(
      this.#by === "the maker's quotes"
        ? { kind: 'quotes', session: null, rows }
        : { kind: 'quote-set', account: this.quoter, set: 1, form: 'sqw1', bodyHash: '0'.repeat(64), rows },
    );
    assert.ok('applied' in outcome && outcome.applied === rows.length, JSON.stringify(outcome));
  }

  #order(series: readonly Series[], rows: readonly MicrosQuote[]): void {
    const account = this.quoter;
    this.venue.apply({ kind: 'cancel', account, symbols: null });
    rows.forEach(({ bids, asks }, i) => {
      const { seriesId } = series[i]!;
      const place = (side: 'buy' | 'sell', [priceMicros, qtyMicros]: MicrosLevel) => {
        const outcome = this.venue.apply({ kind: 'order', account, seriesId, side, qtyMicros, priceMicros });
        assert.ok(!('refusal' in outcome) && outcome.status === 'rested', JSON.stringify(outcome));
      };
      for (const level of bids ?? []) place('buy', level);
      for (const level of asks ?? []) place('sell', level);
    });
  }
}

interface Levels {
  readonly bids: number;
  readonly asks: number;
}

function rowOf(sid: number, { bids, asks }: Levels, shift: number): MicrosQuote {
  const side = (count: number, sign: number): MicrosLevel[] =>
    Array.from({ length: count }, (_, k) => [MID + shift + sign * (k + 1) * GAP, QTY]);
  return { sid, bids: side(bids, -1), asks: side(asks, 1), iv: 0.5, delta: 0.3 + shift / 1e9 };
}

/** One order fills many levels, so that a fill is what is measured, and the reserve after it hardly is. */
const LADDER = { bids: 0, asks: 64 } as const;
const SWEPT = 63;

function measureFills({ rounds, sweeps }: ProtectionOptions) {
  const markets = QUOTED_BY.map((by) => ({ by, market: new Market(by), ns: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const { market, ns } of markets) {
      const [series] = market.series;
      for (let i = 0; i < sweeps; i++) {
        market.quote([series!], LADDER);
        const ms = market.buy(series!, SWEPT);
        if (round > 0) ns.push((ms * 1e6) / SWEPT);
      }
    }
  }
  for (const { market } of markets) market.check();
  const plain = medianOf(markets[0]!.ns);
  return markets.map(({ by, ns }) => ({
    'filled against': by,
    'ns a fill, median': Math.round(medianOf(ns)),
    '90th percentile': Math.round(at(ns, 0.9)),
    'more than a plain order': Math.round(medianOf(ns) - plain),
  }));
}

const SYMBOL_LEVELS = { bids: 2, asks: 1 } as const;
const SIZES = [
  { size: 12, riskMark: 'book' },
  { size: 120, riskMark: 'book' },
  { size: 1_312, riskMark: 'book' },
  { size: 1_312, riskMark: 'model' },
] as const;

/** Entries of one small fill each, on sets of several sizes: the entry against plain orders has no set's reserve in it. */
function measureReserves({ rounds, singles }: ProtectionOptions) {
  const cases = SIZES.flatMap(({ size, riskMark }) =>
    (['plain orders', 'a set, contracts and delta'] as const).map((by) => {
      const market = new Market(by, { riskMark });
      market.quote(market.series.slice(0, size), SYMBOL_LEVELS);
      return { size, riskMark, by, market, us: [] as number[] };
    }),
  );
  for (let round = 0; round <= rounds; round++) {
    for (const { market, us } of cases) {
      for (let i = 0; i < singles; i++) {
        const ms = market.buy(market.series[0]!, 0.0001);
        if (round > 0) us.push(ms * 1e3);
      }
    }
  }
  for (const { market } of cases) market.check();
  return cases.map(({ size, riskMark, by, us }) => ({
    series: size,
    levels: size * 3,
    'marks by': riskMark,
    'filled against': by,
    'µs an entry of one fill, median': rounded(medianOf(us)),
    '90th percentile': rounded(at(us, 0.9)),
  }));
}

const FROZEN = { series: 1_024, bids: 2, asks: 2 } as const;

/** The fill uses up the allowance of a set of 4,096 levels. */
function measureFreeze({ freezes }: ProtectionOptions) {
  const market = new Market('a set, contracts and delta', { qtyMicros: QTY });
  const series = market.series.slice(0, FROZEN.series);
  const times: number[] = [];
  for (let i = 0; i <= freezes; i++) {
    market.protect(QTY);
    market.quote(series, FROZEN);
    const ms = market.buy(series[0]!, 1);
    assert.ok(series.every(({ book }) => book.best(0) === null && book.best(1) === null));
    if (i > 0) times.push(ms);
  }
  market.check();
  const levels = FROZEN.series * (FROZEN.bids + FROZEN.asks);
  return {
    'levels pulled': levels,
    'ms, median': rounded(medianOf(times)),
    longest: rounded(Math.max(...times)),
  };
}

/** Rows whose every level changes. */
function measurePushes({ rounds, pushes }: ProtectionOptions) {
  const cases = (["the maker's quotes", 'a set, contracts and delta'] as const).map((by) => ({
    by,
    market: new Market(by),
    ms: [] as number[],
  }));
  for (let round = 0; round <= rounds; round++) {
    for (const { market, ms } of cases) {
      for (let i = 0; i < pushes; i++) {
        const took = market.quote(market.series, SYMBOL_LEVELS);
        if (round > 0) ms.push(took);
      }
    }
  }
  for (const { market } of cases) market.check();
  const { length } = cases[0]!.market.series;
  return cases.map(({ by, ms }) => ({
    'pushed as': by,
    rows: length,
    levels: length * 3,
    'ms a push, median': rounded(medianOf(ms)),
    '90th percentile': rounded(at(ms, 0.9)),
    'rows/s': Math.round((length * 1_000) / medianOf(ms)),
  }));
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

if (import.meta.main) await run();
