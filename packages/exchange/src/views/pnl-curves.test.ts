import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Holding } from '@venue/engine';
import { priceOption } from '@venue/protocol/black76';
import fc from 'fast-check';
import { curveHoldings, pnlCurves } from './pnl-curves.ts';

const NOW_MS = Date.UTC(2026, 5, 1, 12);
const HOUR_S = 3_600;
const MILLION = 1_000_000;
const YEAR_MINUTES = 525_600;

interface Drawn {
  readonly symbol: string;
  readonly right: string;
  readonly strike: number;
  readonly hours: number;
  readonly status: string;
  readonly payout: number;
  readonly qty: number;
  readonly paid: number;
  readonly vol: number | null;
}

const SPOTS: Readonly<Record<string, number>> = { BTC: 100_000_000_001, AAPL: 200_000_000 };

/** The parts of a holding that curves are made of. */
function holdingOf({ symbol, right, strike, hours, status, payout, qty, paid, vol }: Drawn): Holding {
  const expiryTs = NOW_MS / 1_000 + hours * HOUR_S;
  const series = {
    ...{ right, status, expiryTs, strikeMicros: strike, payoutMicros: payout },
    cutoffMs: expiryTs * 1_000,
    instrument: { symbol, spotMicros: SPOTS[symbol] },
  };
  return { series, qtyMicros: qty, paidMicros: paid, vol } as unknown as Holding;
}

function curvesOf(holdings: readonly Holding[]) {
  return pnlCurves(curveHoldings(holdings), NOW_MS);
}

/** The same sum point by point; `at` is in hours from now. */
function naivePnl(drawn: readonly Drawn[], price: number, at: number): number {
  let sum = 0;
  for (const { right, strike, hours, status, payout, qty, paid, vol } of drawn) {
    const payoff = Math.max(0, right === 'C' ? price - strike : strike - price);
    const left = hours - at;
    const years = (left * 60) / YEAR_MINUTES;
    const lives = left > 0 && vol !== null;
    const value = lives
      ? Math.round(priceOption({ right: right as 'C' | 'P', forward: price, strike, years, vol }))
      : payoff;
    sum += (qty * (status === 'settled' ? payout : value)) / MILLION - paid;
  }
  return sum;
}

const drawn = fc.record({
  symbol: fc.constantFrom('BTC', 'AAPL'),
  right: fc.constantFrom('C', 'P'),
  strike: fc.integer({ min: MILLION, max: 150_000 * MILLION }),
  hours: fc.constantFrom(-3, 0, 12, 36, 36, 500),
  status: fc.constantFrom('live', 'live', 'live', 'settled'),
  payout: fc.nat(9_000_000),
  qty: fc.integer({ min: -1_000 * MILLION, max: 1_000 * MILLION }),
  paid: fc.integer({ min: -1e12, max: 1e12 }),
  vol: fc.option(fc.double({ min: 0.05, max: 3, noNaN: true })),
});

describe('CMB-4 profit and loss by the price of the underlying', () => {
  it('of random holdings: as summed naively, now and at each expiry', () => {
    const check = (all: Drawn[]) => {
      const curves = curvesOf(all.map(holdingOf));
      const symbols = [...new Set(all.map(({ symbol }) => symbol))].sort();
      assert.deepEqual(
        curves.map(({ symbol }) => symbol),
        symbols,
      );
      for (const { symbol, prices, now, expiries } of curves) {
        const own = all.filter((one) => one.symbol === symbol);
        const spot = SPOTS[symbol]!;
        const grid = Array.from({ length: 41 }, (_, i) => Math.floor((spot * (20 + i)) / 40));
        assert.deepEqual(
          prices,
          grid.map((micros) => micros / MILLION),
        );
        const hours = [...new Set(own.map((one) => one.hours))].sort((a, b) => a - b);
        assert.deepEqual(
          expiries.map(({ expiryTs }) => expiryTs),
          hours.map((one) => NOW_MS / 1_000 + one * HOUR_S),
        );
        const rows = [{ pnl: now, at: 0 }, ...expiries.map(({ pnl }, i) => ({ pnl, at: hours[i]! }))];
        for (const { pnl, at } of rows) {
          assert.equal(pnl.length, 41);
          // A sum of doubles is exact to the micro up to some 1e15 of them.
          grid.forEach((price, i) => {
            const expected = naivePnl(own, price, at) / MILLION;
            assert.ok(Math.abs(pnl[i]! - expected) <= 1.01e-6, `${pnl[i]} instead of ${expected}`);
          });
        }
      }
    };
    fc.assert(fc.property(fc.array(drawn, { minLength: 1, maxLength: 8 }), check), { seed: 5, numRuns: 100 });
  });

  it('a flat holding on which money was made is a level line, and one without a trace is left out', () => {
    const flat = {
      symbol: 'BTC',
      right: 'C',
      strike: 1e11,
      hours: 12,
      status: 'live',
      payout: 0,
      qty: 0,
      vol: 1,
    };
    const [curve, ...others] = curvesOf([
      holdingOf({ ...flat, paid: -2_500_000 }),
      holdingOf({ ...flat, symbol: 'AAPL', paid: 0 }),
    ]);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [curve!.symbol, new Set(curve!.now), curve!.expiries.length],
      ['BTC', new Set([2.5]), 1],
    );
  });

  it('has the exact payoff of a short strangle at expiry', () => {
    const leg = { symbol: 'AAPL', hours: 36, status: 'live', payout: 0, qty: -2 * MILLION, vol: 0.4 };
    const [{ prices, expiries }] = curvesOf([
      holdingOf({ ...leg, right: 'C', strike: 220 * MILLION, paid: -6 * MILLION }),
      holdingOf({ ...leg, right: 'P', strike: 180 * MILLION, paid: -4 * MILLION }),
    ]) as [ReturnType<typeof curvesOf>[0]];
    const pnl = expiries[0]!.pnl;
    for (const [spot, expected] of [
      [100, 10 - 160],
      [180, 10],
      [200, 10],
      [220, 10],
      [300, 10 - 160],
    ])
      assert.equal(pnl[prices.indexOf(spot!)], expected);
  });
});
