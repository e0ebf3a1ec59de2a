import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalToMicros } from '@venue/protocol';
import { type InstrumentProfile, profileOf } from '@venue/protocol/simulation';
import { simulate } from './simulator.ts';
import { HEARTBEAT_MS, SOURCES } from './sources.ts';
import type { PriceTick } from './tick.ts';

const DEFAULTS = [
  profileOf('BTC', 'crypto'),
  profileOf('ETH', 'crypto'),
  profileOf('AAPL', 'equity'),
  profileOf('SPX', 'index'),
];
const MINUTE_MS = 60_000;

function run(options: {
  seed: number;
  minutes: number;
  instruments?: readonly InstrumentProfile[];
  gapEveryMs?: number;
}): PriceTick[] {
  const { instruments = DEFAULTS, minutes, ...rest } = options;
  const ticks: PriceTick[] = [];
  for (const tick of simulate({ instruments, tickMs: 250, ...rest })) {
    if (tick.atMs > minutes * MINUTE_MS) return ticks;
    ticks.push(tick);
  }
  return ticks;
}

/** Times at which each channel printed, by `symbol source`. */
function timesOf(ticks: readonly PriceTick[]): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const { atMs, prints } of ticks) {
    for (const { symbol, source } of prints) {
      const key = `${symbol} ${source}`;
      if (!times.has(key)) times.set(key, []);
      times.get(key)!.push(atMs);
    }
  }
  return times;
}

function longestSilenceMs(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((at, i) => at - times[i]!));
}

test('equal seeds give equal markets, different seeds different ones', () => {
  assert.deepEqual(run({ seed: 5, minutes: 1 }), run({ seed: 5, minutes: 1 }));
  assert.notDeepEqual(run({ seed: 5, minutes: 1 }), run({ seed: 6, minutes: 1 }));
});

test('the first tick has every source of every symbol near its starting price', () => {
  const [first] = run({ seed: 1, minutes: 0 });
  assert.equal(first!.prints.length, DEFAULTS.length * SOURCES.length);
  for (const { symbol, price } of first!.prints) {
    const { startPrice } = DEFAULTS.find((profile) => profile.symbol === symbol)!;
    assert.ok(Math.abs(price / startPrice - 1) < 0.001, `${symbol} ${price}`);
  }
});

test('NUM-2: every price is exact in micros and a multiple of its source’s step', () => {
  for (const { prints } of run({ seed: 2, minutes: 3 })) {
    for (const { symbol, source, price } of prints) {
      const { tickMicros } = DEFAULTS.find((profile) => profile.symbol === symbol)!;
      const { tickShare } = SOURCES.find((profile) => profile.source === source)!;
      const micros = decimalToMicros(price);
      assert.ok(
        micros !== undefined && micros % (tickMicros * tickShare) === 0,
        `${symbol} ${source} ${price}`,
      );
    }
  }
});

test('sources of one symbol agree within a few basis points and are not equal', () => {
  const last = new Map<string, number>();
  let different = 0;
  for (const { prints } of run({ seed: 3, minutes: 5, gapEveryMs: Number.POSITIVE_INFINITY })) {
    for (const { symbol, source, price } of prints) last.set(`${symbol} ${source}`, price);
    const prices = SOURCES.map(({ source }) => last.get(`BTC ${source}`)!);
    const spread = Math.max(...prices) - Math.min(...prices);
    assert.ok(spread / prices[0]! < 0.001, `spread ${spread}`);
    if (spread > 0) different += 1;
  }
  assert.ok(different > 1_000, `${different} ticks with different prices`);
});

test('without gaps no source is silent for longer than its heartbeat', () => {
  const times = timesOf(run({ seed: 4, minutes: 10, gapEveryMs: Number.POSITIVE_INFINITY }));
  assert.equal(times.size, DEFAULTS.length * SOURCES.length);
  for (const [channel, at] of times) assert.ok(longestSilenceMs(at) <= HEARTBEAT_MS, channel);
});

test('FEED-1: a price is printed when it has moved by a basis point, or as a heartbeat', () => {
  const last = new Map<string, { atMs: number; price: number }>();
  let moves = 0;
  for (const { atMs, prints } of run({ seed: 7, minutes: 10, gapEveryMs: Number.POSITIVE_INFINITY })) {
    for (const { symbol, source, price } of prints) {
      const before = last.get(`${symbol} ${source}`);
      last.set(`${symbol} ${source}`, { atMs, price });
      if (before === undefined || atMs - before.atMs >= HEARTBEAT_MS) continue;
      moves += 1;
      assert.ok(Math.abs(price - before.price) / price >= 0.99e-4, `${symbol} ${before.price} to ${price}`);
    }
  }
  assert.ok(moves > 600, `${moves} moves`);
});

test('a gap silences one source for some seconds, less than a minute, and the others continue', () => {
  const times = timesOf(run({ seed: 4, minutes: 60, gapEveryMs: 10 * MINUTE_MS }));
  const silences = [...times.values()].map(longestSilenceMs);
  assert.ok(silences.filter((ms) => ms > HEARTBEAT_MS + 500).length >= 6, `silences ${silences}`);
  assert.ok(
    silences.every((ms) => ms < 30_000),
    `silences ${silences}`,
  );
});

test('a slow source shows a price later than a fast one', () => {
  const jumpy = { ...profileOf('BTC', 'crypto'), annualVol: 40 };
  const series = new Map<string, number[]>(SOURCES.map(({ source }) => [source, []]));
  const current = new Map<string, number>();
  const instruments = [jumpy];
  for (const tick of run({ seed: 9, minutes: 20, instruments, gapEveryMs: Number.POSITIVE_INFINITY })) {
    for (const { source, price } of tick.prints) current.set(source, price);
    for (const [source, row] of series) row.push(Math.log(current.get(source)!));
  }
  const moves = (source: string) => series.get(source)!.map((value, i, row) => value - (row[i - 1] ?? value));
  const [fast, slow] = [moves('sim:trades'), moves('sim:index')];
  const product = (lag: number) =>
    fast.reduce((sum, move, i) => sum + move * (slow[i + lag] ?? 0), 0) / fast.length;
  assert.ok(product(1) > 2 * product(-1), 'the fast source leads');
  assert.ok(product(1) > 0);
});
