/** Candles of days against those that the naive model of the engine gives, which shares no code with the history. */

// @seconds 16

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { byModel, mark } from '../../packages/engine/sim/model/marks.ts';
import { bookSide } from '../../packages/engine/sim/model/state.ts';
import { Model } from '../../packages/engine/sim/model.ts';
import { decodeEntry } from '../../packages/engine/src/index.ts';
import type { CandleKind, Span } from '../../packages/exchange/src/history/candles.ts';
import { start } from '../../packages/exchange/test/history-starts.ts';
import { Traded } from '../../packages/exchange/test/movements.ts';

const MINUTE_MS = 60_000;
const MINUTES: readonly Span[] = [1, 5, 15, 60, 240, 1_440];

interface Price {
  readonly ms: number;
  readonly micros: bigint;
  readonly qty: bigint | null;
}

/** Every price of a log in the order in which it came, by what it is of. */
async function pricesOf({ log }: Traded): Promise<Map<string, Price[]>> {
  const prices = new Map<string, Price[]>();
  const model = new Model();
  const add = (of: string, price: Price) => prices.set(of, [...(prices.get(of) ?? []), price]);
  let minute = -1;
  const follower = log.follow(1, (entries) => {
    for (const entry of entries) {
      const { ts: ms } = entry;
      const spots = spotsOf(model);
      model.apply(decodeEntry(entry));
      for (const [symbol, micros] of spotsOf(model))
        if (micros !== 0n && spots.get(symbol) !== micros) add(`spot:${symbol}`, { ms, micros, qty: null });
      for (const [sid, micros, qty, , isSelf] of model.describeEvents().tape) {
        if (isSelf) continue;
        const { seriesId } = model.state.series.find((one) => one.sid === sid)!;
        add(`trade:${seriesId}`, { ms, micros: BigInt(micros), qty: BigInt(qty) });
      }
      if (Math.floor(ms / MINUTE_MS) === minute) continue;
      minute = Math.floor(ms / MINUTE_MS);
      for (const [of, micros] of marksOf(model))
        if (prices.get(of)?.at(-1)?.micros !== micros) add(of, { ms, micros, qty: null });
    }
  });
  await follower.caughtUp;
  follower.stop();
  return prices;
}

function spotsOf({ state }: Model): Map<string, bigint> {
  return new Map(state.instruments.map(({ symbol, spot }) => [symbol, spot]));
}

function* marksOf({ state }: Model): Generator<readonly [of: string, micros: bigint]> {
  for (const series of state.series) {
    if (series.status === 'settled') continue;
    const isQuoted = (['buy', 'sell'] as const).some((side) => bookSide(state, series.sid, side).length > 0);
    const hasMark = byModel(state) || series.status !== 'live' || isQuoted;
    if (hasMark) yield [`mark:${series.seriesId}`, mark(state, series)];
  }
}

interface NaiveCandle {
  readonly t: number;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v: number | null;
}

function candlesOf(prices: readonly Price[], minutes: number): NaiveCandle[] {
  const candles: NaiveCandle[] = [];
  for (const at of new Set(prices.map(({ ms }) => Math.floor(ms / MINUTE_MS / minutes)))) {
    const inside = prices.filter(({ ms }) => Math.floor(ms / MINUTE_MS / minutes) === at);
    const micros = inside.map((price) => Number(price.micros));
    const v = inside[0]!.qty === null ? null : Number(inside.reduce((sum, { qty }) => sum + qty!, 0n));
    const [h, l] = [Math.max(...micros), Math.min(...micros)];
    candles.push({ t: at * minutes, o: micros[0]!, h, l, c: micros.at(-1)!, v });
  }
  return candles;
}

for (const [seed, entries] of [
  [1, 700],
  [3, 700],
  [21, 1_000],
] as const)
  test(`HIS-2: the candles of every interval are those that the naive model gives (seed ${seed})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'venue-naive-candles-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const traded = await Traded.begin(seed, false);
    await traded.trade(entries);
    const { history, store } = await start(traded, join(folder, 'history.db'));
    const counts = { spot: 0, trade: 0, mark: 0 };
    for (const [of, prices] of await pricesOf(traded))
      for (const span of MINUTES) {
        const [kind, name] = of.split(':') as [CandleKind, string];
        const asked = { kind, name, span, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: 100_000 };
        const { candles } = await history.read('candles', asked);
        assert.deepEqual(
          candles.map((candle) => ({ ...candle })),
          candlesOf(prices, span),
          `${of} ${span}`,
        );
        counts[kind] += candles.length;
      }
    await store.close();
    t.diagnostic(`${counts.spot} of spots, ${counts.trade} of trades, ${counts.mark} of marks`);
    assert.ok(Math.min(...Object.values(counts)) > 50, JSON.stringify(counts));
  });
