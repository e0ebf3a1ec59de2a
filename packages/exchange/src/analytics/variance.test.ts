import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type QuotedStrike, varianceOf } from './variance.ts';
import { aroundTerm, indexOf } from './volatility-index.ts';

/** A table of the white paper: strike, bid and ask of the call, bid and ask of the put. A bid of zero is none. */
function tableOf(name: string): QuotedStrike[] {
  const text = readFileSync(new URL(`../../test/${name}`, import.meta.url), 'utf8');
  const middle = (bid: number, ask: number) => (bid === 0 ? null : (bid + ask) / 2);
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('\t').map(Number) as [number, number, number, number, number])
    .map(([strike, bid, ask, putBid, putAsk]) => ({
      strike,
      call: middle(bid, ask),
      put: middle(putBid, putAsk),
    }));
}

const YEAR = 525_600;
/** The example of "Cboe Volatility Index, White Paper", whose quotes its appendix lists. */
const NEAR = { minutes: 35_924, variance: varianceOf(tableOf('vix-near.tsv'), 35_924 / YEAR) };
const NEXT = { minutes: 46_394, variance: varianceOf(tableOf('vix-next.tsv'), 46_394 / YEAR) };

/** Strikes around 100 with prices of a parabola, symmetrical so that the forward is 100. */
function smile(perSide: number): QuotedStrike[] {
  return Array.from({ length: 2 * perSide + 1 }, (_, i) => {
    const strike = 100 + (i - perSide) * 2;
    const outside = Math.max(0.1, 4 - Math.abs(strike - 100) * 0.3);
    return { strike, call: outside + Math.max(0, 100 - strike), put: outside + Math.max(0, strike - 100) };
  });
}

const without = (strikes: QuotedStrike[], right: 'call' | 'put', ...gone: number[]): QuotedStrike[] =>
  strikes.map((one) => (gone.includes(one.strike) ? { ...one, [right]: null } : one));

describe('the variance of an expiry', () => {
  // The paper discounts at 0.03 %, the venue at nothing, which the fifth digit shows.
  it('is that of the worked example of the VIX (HIS-4)', () => {
    assert.ok(Math.abs(NEAR.variance! / 0.01846292 - 1) < 1e-4, `${NEAR.variance}`);
    assert.ok(Math.abs(NEXT.variance! / 0.01882101 - 1) < 1e-4, `${NEXT.variance}`);
  });

  it('equals the formula written out (HIS-4)', () => {
    const strikes = smile(6);
    const sum = strikes.reduce((total, { strike, call, put }) => {
      const price = strike === 100 ? (call! + put!) / 2 : strike < 100 ? put! : call!;
      return total + (2 / strike ** 2) * price;
    }, 0);
    const expected = (2 / 0.1) * sum - (1 / 0.1) * (100 / 100 - 1) ** 2;
    assert.ok(Math.abs(varianceOf(strikes, 0.1)! / expected - 1) < 1e-12);
  });

  it('does not depend on the unit of prices (HIS-4)', () => {
    const micros = smile(6).map(({ strike, call, put }) => ({
      ...{ strike: strike * 1e6, call: call! * 1e6, put: put! * 1e6 },
    }));
    assert.ok(Math.abs(varianceOf(micros, 0.1)! / varianceOf(smile(6), 0.1)! - 1) < 1e-12);
  });

  it('takes five priced strikes a side, and both options at the forward (HIS-4)', () => {
    assert.notEqual(varianceOf(smile(5), 0.1), null);
    assert.equal(varianceOf(smile(4), 0.1), null);
    assert.equal(varianceOf(without(smile(5), 'call', 106), 0.1), null);
    assert.equal(varianceOf(without(smile(5), 'put', 94), 0.1), null);
    // The side that is in the money is not asked for.
    assert.notEqual(varianceOf(without(smile(5), 'put', 106, 108, 110), 0.1), null);
    assert.equal(varianceOf([], 0.1), null);
    assert.equal(varianceOf(smile(6), 0), null);
  });

  it('spans one strike without a price, and ends before two (HIS-4)', () => {
    const whole = varianceOf(smile(9), 0.1)!;
    const spanned = varianceOf(without(smile(9), 'call', 112), 0.1)!;
    const ended = varianceOf(without(smile(9), 'call', 112, 114), 0.1)!;
    // Further out, prices no longer count at all.
    const same = varianceOf(without(smile(9), 'call', 112, 114, 116, 118), 0.1)!;
    assert.ok(Math.abs(spanned / whole - 1) < 0.01 && ended < 0.99 * whole, `${whole} ${spanned} ${ended}`);
    assert.equal(same, ended);
  });
});

describe('the volatility index', () => {
  it('is that of the worked example of the VIX (HIS-4)', () => {
    assert.equal(indexOf([NEAR, NEXT])!.toFixed(2), '13.69');
  });

  it('takes the expiries around 30 days, or the nearest where one side has none (HIS-4)', () => {
    const days = (...all: number[]) => all.map((day) => ({ minutes: day * 1_440, variance: 0.04 }));
    const chosen = (...all: number[]) => aroundTerm(days(...all)).map(({ minutes }) => minutes / 1_440);
    assert.deepEqual(chosen(1, 9, 29, 31, 60), [29, 31]);
    assert.deepEqual(chosen(30, 31), [30, 31]);
    assert.deepEqual(chosen(1, 2, 9), [9]);
    assert.deepEqual(chosen(40, 60), [40]);
    assert.deepEqual(chosen(0), []);
    assert.equal(indexOf(days(30, 31)), 20);
    assert.equal(indexOf(days(9)), 20);
    assert.equal(indexOf([]), null);
  });

  it('is null where one of the expiries cannot be told (HIS-4)', () => {
    assert.equal(indexOf([NEAR, { ...NEXT, variance: null }]), null);
    assert.equal(indexOf([{ ...NEAR, variance: null }, NEXT]), null);
    assert.equal(indexOf([{ minutes: 1_440, variance: -0.01 }]), null);
  });
});
