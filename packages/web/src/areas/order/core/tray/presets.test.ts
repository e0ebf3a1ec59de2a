import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Preset, PresetKind } from '../form/order.ts';
import { type Listed, PRESETS, presetOf, shortsByDelta, spreadOf } from './presets.ts';

const [NEAR, FAR] = [1_795_827_600, 1_796_432_400];
const STRIKES = [
  95_000, 96_000, 97_000, 98_000, 99_000, 100_000, 101_000, 102_000, 103_000, 104_000, 105_000,
];
const listed: Listed = {
  symbol: 'BTC',
  spot: 100_300,
  expiries: [NEAR, FAR],
  strikes: new Map([
    [NEAR, STRIKES],
    [FAR, STRIKES],
  ]),
};

function told(kind: PresetKind, change: Partial<Preset> = {}, market: Listed = listed): string {
  const { legs } = spreadOf({ ...presetOf(kind, NEAR), ...change }, market);
  return legs
    .map(({ seriesId, side, ratio }) => {
      const [, expiry, right, strike] = seriesId.split('-');
      const later = Number(expiry) === FAR ? ' later' : '';
      return `${side === 'buy' ? '+' : '-'}${ratio} ${right} ${Number(strike) / 1_000}${later}`;
    })
    .join(', ');
}

describe('TERM-11 the presets of the tray', () => {
  const CASES: readonly (readonly [PresetKind, Partial<Preset>, string])[] = [
    ['vertical', {}, '+1 C 100, -1 C 101'],
    ['vertical', { side: 'sell' }, '+1 C 101, -1 C 100'],
    ['vertical', { right: 'put', width: 2 }, '+1 P 100, -1 P 98'],
    ['vertical', { right: 'put', side: 'sell' }, '+1 P 99, -1 P 100'],
    ['straddle', {}, '+1 C 100, +1 P 100'],
    ['straddle', { side: 'sell', shift: -2 }, '-1 C 98, -1 P 98'],
    ['strangle', { width: 2 }, '+1 P 98, +1 C 102'],
    ['butterfly', {}, '+1 C 99, +1 C 101, -2 C 100'],
    ['butterfly', { side: 'sell', right: 'put', width: 2, shift: 1 }, '+2 P 101, -1 P 99, -1 P 103'],
    ['condor', {}, '+1 C 98, +1 C 102, -1 C 99, -1 C 101'],
    ['ironCondor', {}, '+1 P 98, +1 C 102, -1 P 99, -1 C 101'],
    ['ironCondor', { width: 2 }, '+1 P 96, +1 C 104, -1 P 98, -1 C 102'],
    ['calendar', {}, '+1 C 100 later, -1 C 100'],
    ['calendar', { side: 'sell', right: 'put' }, '+1 P 100, -1 P 100 later'],
    ['collar', {}, '+1 P 99, -1 C 101'],
    ['coveredCall', {}, '+1 C 98, -1 C 101'],
  ];
  for (const [kind, change, legs] of CASES)
    it(`${PRESETS[kind]} ${JSON.stringify(change)}: ${legs}`, () => assert.equal(told(kind, change), legs));

  it('an iron condor sells what has deltas nearest to a quarter, where both are known', () => {
    const deltaOf = (seriesId: string) => {
      const [, , right, strike] = seriesId.split('-');
      const call = 0.5 - (Number(strike) - 100_300) / 10_000;
      return right === 'C' ? call : call - 1;
    };
    const shorts = shortsByDelta(listed, NEAR, deltaOf);
    assert.deepEqual(shorts, [-2, 3]);
    assert.equal(told('ironCondor', { shorts }), '+1 P 97, +1 C 104, -1 P 98, -1 C 103');
    assert.equal(told('ironCondor', { shorts, shift: 1 }), '+1 P 98, +1 C 105, -1 P 99, -1 C 104');
    const few = { ...listed, strikes: new Map([[NEAR, [98_000, 99_000, 100_000, 101_000, 102_000]]]) };
    assert.deepEqual(shortsByDelta(few, NEAR, deltaOf), [-1, 1]);
    const ofCalls = (seriesId: string) => (seriesId.includes('-C-') ? deltaOf(seriesId) : Number.NaN);
    assert.equal(shortsByDelta(listed, NEAR, ofCalls), null);
  });

  it('says why where what is listed does not make it', () => {
    assert.throws(() => told('condor', { width: 9 }), /^RangeError: No strikes further out\.$/);
    assert.throws(() => told('calendar', { width: 2 }), /no expiry so much later/);
    assert.throws(() => told('straddle', {}, { ...listed, spot: Number.NaN }), /no price of the underlying/);
    assert.throws(() => told('straddle', { expiryTs: 7 }), /nothing is listed/);
    const uneven = { ...listed, strikes: new Map([[NEAR, [97_000, 100_000, 101_000]]]) };
    assert.throws(() => told('butterfly', {}, uneven), /No strike 103,000 is listed for that expiry\./);
    const early = {
      ...listed,
      strikes: new Map([
        [NEAR, STRIKES],
        [FAR, [90_000]],
      ]),
    };
    assert.throws(() => told('calendar', {}, early), /No strike 100,000 is listed for that expiry\./);
  });
});
