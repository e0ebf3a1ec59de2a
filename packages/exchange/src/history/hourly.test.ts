import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import {
  apply,
  createState,
  decodeEntry,
  equityMicros,
  type Instrument,
  markMicros,
  NO_EFFECTS,
  positionMarkMicros,
  type Series,
  type State,
} from '@venue/engine';
import { valueOption } from '@venue/protocol/black76';
import { beyondItsSnapshot, start } from '../../test/history-starts.ts';
import { Traded, traders } from '../../test/movements.ts';
import { HistoryFile } from './file.ts';
import { HourSlots, SLOTS } from './hour-slots.ts';
import type { HourlyQuery } from './hourly-reads.ts';
import { NO_ROWS, RowBuffer } from './layout.ts';
import { LAYOUTS, NO_BATCH_ROWS } from './rows.ts';
import { IN_MEMORY } from './schema.ts';
import { standingOf } from './standing.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-hourly-history-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${files++}.db`);

const HOUR_MS = 3_600_000;
const LIMIT = 1_000_000;
const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: LIMIT };

/** Volatility by halving, with the library's exponentials. */
function naiveIv({ right, forward, strike, years, price }: NaivePrice): number | null {
  let [low, high] = [1e-9, 64];
  const valueAt = (vol: number) => valueOption({ right, forward, strike, years, vol }).price;
  if (price <= Math.max(0, right === 'C' ? forward - strike : strike - forward) || price >= valueAt(high))
    return null;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (valueAt(middle) < price) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

interface NaivePrice {
  readonly right: 'C' | 'P';
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
  readonly price: number;
}

/** The expected samples, recomputed from the state after each entry. Keys are those of a query. */
class Naive {
  readonly iv = new Map<string, { t: number; value: number }[]>();
  readonly equity = new Map<string, { t: number; value: number }[]>();

  static async of({ log }: Traded): Promise<Naive> {
    const naive = new Naive();
    const state = createState();
    const follower = log.follow(
      1,
      (entries) => {
        for (const entry of entries) {
          const { ts: before } = state;
          apply(state, decodeEntry(entry), NO_EFFECTS);
          for (let slot = 0; slot < 60; slot++) {
            const hour = (ts: number) => Math.floor((ts - slot * 1_000) / HOUR_MS);
            if (hour(state.ts) > hour(before)) naive.#sample(state, slot, hour(state.ts));
          }
        }
      },
      { onError: (error) => assert.fail(String(error)) },
    );
    await follower.caughtUp;
    follower.stop();
    return naive;
  }

  #sample(state: State, slot: number, t: number): void {
    for (const account of traders(state).filter(({ index }) => index % 60 === slot)) {
      const rows = this.equity.get(String(account.index)) ?? [];
      this.equity.set(String(account.index), rows);
      const value = equityMicros(state, account);
      if (value !== (rows.at(-1)?.value ?? 0)) rows.push({ t, value });
    }
    for (const [n, instrument] of [...state.instruments.values()].entries())
      if (n % 60 === slot && instrument.spotMicros > 0) this.#sampleIv(state, instrument, t);
  }

  #sampleIv(state: State, instrument: Instrument, t: number): void {
    const live = instrument.series.filter(({ cutoffMs, status }) => status === 'live' && cutoffMs > state.ts);
    for (const [expiryTs, series] of Map.groupBy(live, (one) => one.expiryTs)) {
      const value = atmOf(state, series, instrument.spotMicros);
      if (value === null) continue;
      const key = `${instrument.symbol} ${expiryTs}`;
      this.iv.set(key, [...(this.iv.get(key) ?? []), { t, value }]);
    }
  }
}

function atmOf(state: State, series: readonly Series[], spot: number): number | null {
  const years = Math.ceil((series[0]!.cutoffMs - state.ts) / 60_000) / 525_600;
  const ivAt = (strike: number | undefined) => {
    const ivs = series
      .filter(({ strikeMicros }) => strikeMicros === strike)
      .map((one) => {
        const isByModel = state.parameters?.riskMark === 'model';
        const price = isByModel ? positionMarkMicros(state, one) : markMicros(one);
        const { right } = one;
        return price === null ? null : naiveIv({ right, forward: spot, strike: strike!, years, price });
      })
      .filter((iv) => iv !== null);
    return ivs.length === 0 ? null : ivs.reduce((a, b) => a + b) / ivs.length;
  };
  const strikes = [...new Set(series.map(({ strikeMicros }) => strikeMicros as number))].sort(
    (a, b) => a - b,
  );
  const below = strikes.filter((strike) => strike <= spot).at(-1);
  const above = strikes.find((strike) => strike > spot);
  const [low, high] = [ivAt(below), ivAt(above)];
  if (low === null || high === null) return low ?? high;
  return low + ((high - low) * (spot - below!)) / (above! - below!);
}

/** Every row of the tables, for comparing files to the byte of their content. */
function dump(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = ['iv', 'volatility', 'equity'].map((table) => db.prepare(`SELECT * FROM ${table}`).all());
  db.close();
  return JSON.stringify(rows);
}

/** Starts as a node does, compares the file with the log, and returns its rows. */
async function assertEqualsLog(traded: Traded, path: string): Promise<string> {
  const naive = await Naive.of(traded);
  const { history, store } = await start(traded, path);
  const samples = async (of: HourlyQuery['of']) => {
    const page = await history.read('hourly', { of, ...ALL });
    assert.equal(page.seq, traded.state.seq);
    return page.samples.map((row) => ({ ...row }));
  };
  for (const [account, rows] of naive.equity)
    assert.deepEqual(await samples({ kind: 'equity', account: Number(account) }), rows, account);
  for (const [key, rows] of naive.iv) {
    const [symbol, expiryTs] = key.split(' ');
    const found = await samples({ kind: 'iv', symbol: symbol!, expiryTs: Number(expiryTs) });
    assert.deepEqual(
      found.map(({ t }) => t),
      rows.map(({ t }) => t),
    );
    for (const [i, { value }] of found.entries())
      assert.ok(
        Math.abs(value / 1e6 - rows[i]!.value) < 1e-6 * Math.max(1, rows[i]!.value),
        `${key} ${value}`,
      );
  }
  await history.durable(traded.state.seq);
  await store.close();
  assert.ok([...naive.equity.values()].flat().length > 20);
  assert.ok([...naive.iv.values()].flat().length > 3, `${[...naive.iv.values()].flat().length}`);
  return dump(path);
}

describe('samples of the hour', () => {
  it('equal those that a naive reader of the log makes, whatever the file was before (HIS-4)', async () => {
    const path = newPath();
    const traded = await beyondItsSnapshot(path, 7, { hurryAt: 150, snapshotAt: 220 });
    const ahead = await assertEqualsLog(traded, path);
    rmSync(path);
    assert.equal(await assertEqualsLog(traded, path), ahead);
    writeFileSync(path, 'no database');
    assert.equal(await assertEqualsLog(traded, path), ahead);
  });

  it('are answered by hour in [from, to), the first that fit, or without `from` the last (HIS-4)', async () => {
    const traded = await Traded.begin(11, false);
    await traded.trade(150);
    traded.hurry(300);
    await traded.trade(200);
    const { history, store } = await start(traded, newPath());
    const [account] = [...(await Naive.of(traded)).equity].find(([, rows]) => rows.length > 6)!;
    const of = { kind: 'equity', account: Number(account) } as const;
    const { samples: all } = await history.read('hourly', { of, ...ALL });
    const [from, to] = [all[1]!.t * HOUR_MS, all[5]!.t * HOUR_MS];
    const ask = async (part: Partial<HourlyQuery>) => {
      const { samples, hasMore } = await history.read('hourly', { of, ...ALL, ...part });
      return [samples, hasMore];
    };
    assert.deepEqual(await ask({ fromMs: from, toMs: to }), [all.slice(1, 5), false]);
    assert.deepEqual(await ask({ fromMs: from + 1, toMs: to + 1 }), [all.slice(2, 6), false]);
    assert.deepEqual(await ask({ fromMs: from, toMs: to, limit: 2 }), [all.slice(1, 3), true]);
    assert.deepEqual(await ask({ fromMs: null, toMs: to, limit: 2 }), [all.slice(3, 5), false]);
    await store.close();
  });
});

describe('a file that goes back into the first minute of an hour', () => {
  it('keeps the equities whose turn had come by then, and no others (HIS-4)', () => {
    const file = new HistoryFile(IN_MEMORY);
    const standing = standingOf(createState(), { withValues: false });
    const from = { balances: [], standing, settlements: NO_ROWS };
    const start = { seq: 0, ts: 0, lastFillId: 0 };
    file.begin({ kind: 'anew', ...start, ...from, completeFromMs: 0, wrong: null });
    const write = (
      samples: readonly (readonly [seq: number, t: number, account: number, value: number])[],
    ) => {
      const rows = new RowBuffer(LAYOUTS.equities);
      for (const [seq, t, account, value] of samples) rows.add({ seq, t, account, value });
      rows.seal();
      const end = { lastSeq: samples.at(-1)![0], lastTs: 102 * HOUR_MS, lastFillId: 0 };
      file.write({ ...NO_BATCH_ROWS, ...end, equities: rows.take(), series: [] });
    };
    write([
      [1, 99, 5, 1_000],
      [2, 99, 30, 1_000],
      [3, 100, 5, 2_000],
      [4, 100, 30, 2_000],
    ]);
    const hoursOf = (account: number) =>
      file.reads.hourly({ of: { kind: 'equity', account }, ...ALL }).samples.map(({ t }) => t);
    assert.deepEqual(
      [hoursOf(5), hoursOf(30)],
      [
        [99, 100],
        [99, 100],
      ],
    );
    file.begin({ kind: 'go on', seq: 3, ts: 100 * HOUR_MS + 10_000, lastFillId: 0, balances: [], standing });
    assert.deepEqual([hoursOf(5), hoursOf(30)], [[99, 100], [99]]);
    // After a start, all are sampled again, and what did not change is left out.
    write([
      [4, 100, 30, 1_000],
      [5, 101, 5, 2_000],
      [6, 101, 30, 3_000],
    ]);
    assert.deepEqual(
      [hoursOf(5), hoursOf(30)],
      [
        [99, 100],
        [99, 101],
      ],
    );
    file.close();
  });
});

describe('the turns of an hour', () => {
  it('come once in each hour, whenever entries come (HIS-4)', () => {
    const slots = new HourSlots(0);
    const seen: string[] = [];
    for (let ts = 1; ts < 3 * HOUR_MS; ts += 777)
      for (const { slot, hour } of slots.due(ts)) seen.push(`${hour} ${slot}`);
    const expected = [0, 1, 2].flatMap((hour) =>
      Array.from({ length: SLOTS }, (_, slot) => `${hour} ${slot}`),
    );
    // The first one of all was over before the first entry.
    assert.deepEqual(seen, expected.slice(1));
  });

  it('come for the newest hour alone after a long silence (HIS-4)', () => {
    const slots = new HourSlots(0);
    const due = slots.due(5 * HOUR_MS + 2_500);
    assert.deepEqual(
      due.map(({ hour }) => hour),
      Array.from({ length: SLOTS }, (_, slot) => (slot <= 2 ? 5 : 4)),
    );
  });
});
