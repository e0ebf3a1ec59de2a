import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStore } from 'zustand/vanilla';
import { changeSince, DayFeed, type DayFigures, dayOf } from './day-figures.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_000 * HOUR_MS + 60_000;

/** Hourly candles that open at 100, 101, …, the newest in the current hour. */
const hours = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const o = 100 + i;
    return { t: (1_000 - (count - 1 - i)) * HOUR_MS, o, h: o + 2, l: o - 2, c: o + 1 };
  });

describe('the day of an underlying', () => {
  it('counts from a day ago, and says where the history is shorter', () => {
    const whole = dayOf(hours(40), NOW_MS);
    assert.deepEqual(whole, { from: 115, sinceMs: null, high: 141, low: 113 });
    assert.deepEqual(dayOf(hours(3), NOW_MS), {
      from: 100,
      sinceMs: 998 * HOUR_MS,
      high: 104,
      low: 98,
    });
    assert.equal(dayOf([], NOW_MS).from, null);
  });

  it('has no change without a price on either side', () => {
    assert.equal(changeSince(100, 110)?.toFixed(4), '0.1000');
    assert.equal(changeSince(null, 110), null);
    assert.equal(changeSince(undefined, 110), null);
    assert.equal(changeSince(100, 0), null);
  });

  it('is read one underlying at a time, only with an allowance, and again after five minutes', async () => {
    let [nowMs, mayRead] = [NOW_MS, false];
    const asked: string[] = [];
    const store = createStore<ReadonlyMap<string, DayFigures>>(() => new Map());
    const feed = new DayFeed({
      store,
      names: () => ['BTC', 'ETH'],
      take: () => mayRead,
      venueNow: () => nowMs,
      reads: {
        candles: async ({ of }) => {
          asked.push(of);
          if (asked.length > 2) throw new Error('out of touch');
          return hours(40);
        },
        volatility: async () => ({ index: 48.2 }),
      },
    });
    await feed.step();
    assert.deepEqual(asked, []);
    mayRead = true;
    for (let i = 0; i < 4; i++) await feed.step();
    assert.deepEqual(asked, ['spot:BTC', 'spot:ETH']);
    nowMs += 5 * 60_000;
    await feed.step();
    // What could not be read stays as it was.
    assert.deepEqual(store.getState().get('BTC'), {
      from: 115,
      sinceMs: null,
      high: 141,
      low: 113,
      index: 48.2,
    });
  });

  it('of a contract is its mark’s, also where that had not moved for days', async () => {
    const of = 'BTC-1764374400-C-95000';
    const store = createStore<ReadonlyMap<string, DayFigures>>(() => new Map());
    let nowMs = NOW_MS;
    let marks = hours(40);
    const feed = new DayFeed({
      store,
      names: () => [of],
      take: () => true,
      venueNow: () => nowMs,
      reads: {
        candles: async ({ of: asked, from, to = Number.POSITIVE_INFINITY }) => {
          assert.equal(asked, `mark:${of}`);
          return marks.filter(({ t }) => t >= from && t < to);
        },
        volatility: () => assert.fail('a contract has no index'),
      },
    });
    const from = async () => {
      await feed.step();
      nowMs += 5 * 60_000;
      const { from: price, sinceMs } = store.getState().get(of)!;
      return [price, sinceMs];
    };
    assert.deepEqual(await from(), [115, null]);
    // The hour that opened at 135 is five ago; of those before, only one two days ago moved it.
    const still = { t: NOW_MS - 60_000 - 48 * HOUR_MS, o: 90, h: 99, l: 90, c: 97 };
    marks = [still, ...hours(5)];
    assert.deepEqual(await from(), [97, null]);
    marks = [still];
    assert.deepEqual(await from(), [97, null]);
    marks = hours(5);
    assert.deepEqual(await from(), [100, 996 * HOUR_MS]);
    marks = [];
    assert.deepEqual(await from(), [null, null]);
  });
});
