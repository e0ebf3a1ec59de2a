import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Instrument, Series, State, TapePrint } from '@venue/engine';
import type { Micros } from '@venue/protocol';
import type { History } from '../history/history.ts';
import type { DayTradesAnswer } from '../history/market-reads.ts';
import { DayTrades } from './day-trades.ts';

const MINUTE_MS = 60_000;
const START = 30_000_000;

/** An underlying with one series, whose history answers when the test says so. */
function scene() {
  const state = { seq: 10, ts: START * MINUTE_MS } as { seq: number; ts: number } & State;
  const series = { sid: 7, instrument: { symbol: 'X' } } as unknown as Series;
  const instrument = { symbol: 'X', series: [series] } as unknown as Instrument;
  const asked: PromiseWithResolvers<DayTradesAnswer>[] = [];
  const history = {
    read() {
      const answer = Promise.withResolvers<DayTradesAnswer>();
      asked.push(answer);
      return answer.promise;
    },
  } as unknown as Pick<History, 'read'>;
  const days = new DayTrades({ state, history });
  return {
    ...{ days, asked, state, series, instrument },
    /** Adds a print of an entry. */
    print(seq: number, priceMicros: number, qtyMicros: number, isSelf = false) {
      state.seq = seq;
      const print = {
        series,
        ts: state.ts,
        priceMicros: priceMicros as Micros,
        qtyMicros: qtyMicros as Micros,
        isSelf,
      };
      days.printed(print as TapePrint);
    },
    shown() {
      const { lastMicros, volumeMicros } = days.of(series);
      return [lastMicros, volumeMicros];
    },
  };
}

const row = (minute: number, qtyMicros: number) => ({ minute, qtyMicros });

describe('the trades of a day', () => {
  it('count each print once, whether it came before, while or after the history was read (HIS-3)', async () => {
    const { days, asked, instrument, print, shown } = scene();
    print(11, 1, 100);
    assert.deepEqual(shown(), [null, null]);
    const ready = days.ready(instrument);
    assert.equal(days.ready(instrument), ready);
    print(12, 2, 10);
    print(13, 3, 1);
    // The history had got to entry 12 by its answer.
    asked[0]!.resolve({ seq: 12, series: [{ sid: 7, lastMicros: 2, minutes: [row(START, 110)] }] });
    await ready;
    assert.deepEqual(shown(), [3, 111]);
    print(14, 4, 1_000);
    assert.deepEqual(shown(), [4, 1_111]);
    assert.equal(asked.length, 1);
  });

  it('leave out what an account traded with itself, while the history is read and after (HIS-1)', async () => {
    const { days, asked, instrument, print, shown } = scene();
    const ready = days.ready(instrument);
    print(11, 9_000, 1, true);
    asked[0]!.resolve({ seq: 10, series: [{ sid: 7, lastMicros: 2, minutes: [row(START, 100)] }] });
    await ready;
    print(12, 9_000, 1, true);
    assert.deepEqual(shown(), [2, 100]);
  });

  it('pass after 1,440 minutes, of which the one under way is the last (HIS-3)', async () => {
    const { days, asked, instrument, state, print, shown } = scene();
    const ready = days.ready(instrument);
    const minutes = [row(START - 1_439, 5), row(START - 1_438, 50)];
    asked[0]!.resolve({ seq: 10, series: [{ sid: 7, lastMicros: 9, minutes }] });
    await ready;
    assert.deepEqual(shown(), [9, 55]);
    state.ts += MINUTE_MS;
    assert.deepEqual(shown(), [9, 50]);
    print(11, 8, 500);
    state.ts += 1_439 * MINUTE_MS;
    assert.deepEqual(shown(), [8, 500]);
    state.ts += MINUTE_MS;
    assert.deepEqual(shown(), [8, 0]);
  });

  it('are unknown while the history cannot be read, and read again at the next call (HIS-3)', async () => {
    const { days, asked, instrument, shown } = scene();
    const first = days.ready(instrument);
    asked[0]!.reject(new Error('no answer in 5000 ms'));
    await first;
    assert.deepEqual(shown(), [null, null]);
    const second = days.ready(instrument);
    asked[1]!.resolve({ seq: 10, series: [] });
    await second;
    assert.deepEqual(shown(), [null, 0]);
  });
});
