import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ticker } from '@venue/protocol';
import { priceOption } from '@venue/protocol/black76';
import { LiveTickers } from './tickers.ts';

const NOW_MS = Date.UTC(2026, 0, 5);
const EXPIRY_TS = NOW_MS / 1_000 + 30 * 86_400;
const SERIES = `X-${EXPIRY_TS}-C-105`;

const priceAt = (vol: number) => priceOption({ right: 'C', forward: 100, strike: 105, years: 30 / 365, vol });
const ticker = (members: Partial<Ticker> = {}): Ticker => ({
  ...{ seriesId: SERIES, bid: priceAt(0.5), ask: priceAt(0.6), mark: priceAt(0.55), last: null },
  ...{ volume24h: null, openInterest: 1, iv: 0.55, delta: 0.4, gamma: 0.02, vega: 0.1, theta: -0.05 },
  ...members,
});

describe('HIS-3 the greeks of a chain', () => {
  it('are those of the channel, with the volatilities of bid and ask', () => {
    const tickers = new LiveTickers();
    assert.deepEqual(tickers.take({ type: 'snapshot', spot: 100, tickers: [ticker()] }), [SERIES]);
    const { bidIv, askIv, ...greeks } = tickers.greeksOf(SERIES, NOW_MS)!;
    assert.deepEqual(greeks, { iv: 0.55, delta: 0.4, gamma: 0.02, vega: 0.1, theta: -0.05 });
    assert.ok(Math.abs(bidIv - 0.5) < 1e-6 && Math.abs(askIv - 0.6) < 1e-6, `${bidIv} ${askIv}`);
  });

  it('are unknown without a volatility, and without a side of the book', () => {
    const tickers = new LiveTickers();
    const nothing = { bid: null, ask: null, iv: null, delta: null, gamma: null, vega: null, theta: null };
    tickers.take({ type: 'snapshot', spot: 100, tickers: [ticker(nothing)] });
    assert.ok(Object.values(tickers.greeksOf(SERIES, NOW_MS)!).every(Number.isNaN));
  });

  it('STR-2: a delta replaces, a series that is gone is gone, and a snapshot begins anew', () => {
    const tickers = new LiveTickers();
    tickers.take({ type: 'snapshot', spot: 100, tickers: [ticker()] });
    tickers.greeksOf(SERIES, NOW_MS);
    tickers.take({ type: 'delta', tickers: [ticker({ delta: 0.5 })] });
    assert.equal(tickers.greeksOf(SERIES, NOW_MS)!.delta, 0.5);
    tickers.take({ type: 'delta', tickers: [{ seriesId: SERIES, gone: true }] });
    assert.equal(tickers.greeksOf(SERIES, NOW_MS), null);
    tickers.take({ type: 'delta', tickers: [ticker()] });
    tickers.greeksOf(SERIES, NOW_MS);
    tickers.take({ type: 'snapshot', spot: 100, tickers: [] });
    assert.equal(tickers.greeksOf(SERIES, NOW_MS), null);
  });
});
