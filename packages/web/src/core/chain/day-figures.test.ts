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
    assert.deepEqual(whole, { from: 115, isShort: false, high: 141, low: 113 });
    assert.deepEqual(dayOf(hours(3), NOW_MS), { from: 100, isShort: true, high: 104, low: 98 });
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
      symbols: () => ['BTC', 'ETH'],
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
      isShort: false,
      high: 141,
      low: 113,
      index: 48.2,
    });
  });
});
