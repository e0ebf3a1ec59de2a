import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeOf, rollOf, rollTargets, turningOver } from './closing.ts';
import { canRoll } from './is-combo.ts';

const [NEAR, NEXT, LAST] = [1_795_827_600, 1_796_432_400, 1_797_037_200];
const id = (strike: number, expiryTs = NEAR) => `BTC-${expiryTs}-C-${strike}`;

describe('CMB-1 positions closed and rolled by one order', () => {
  it('the close takes back all of them, in units of what they have in common', () => {
    const close = closeOf([
      { seriesId: id(95_000), qty: 0.2 },
      { seriesId: id(97_000), qty: -0.4 },
      { seriesId: id(99_000), qty: 0.2 },
    ]);
    assert.deepEqual(close, {
      legs: [
        { seriesId: id(97_000), side: 'buy', ratio: 2 },
        { seriesId: id(95_000), side: 'sell', ratio: 1 },
        { seriesId: id(99_000), side: 'sell', ratio: 1 },
      ],
      qty: '0.2',
      isClosing: true,
    });
  });

  it('there is none of one position, of five, and of ratios above ten', () => {
    const held = (...quantities: number[]) => quantities.map((qty, i) => ({ seriesId: id(90_000 + i), qty }));
    assert.equal(closeOf(held(1)), null);
    assert.equal(closeOf(held(1, 1, 1, 1, 1)), null);
    assert.equal(closeOf(held(1, 11)), null);
    assert.equal(closeOf(held(1, 10))?.qty, '1');
    assert.equal(closeOf(held(0.000001, 1)), null);
  });

  it('a roll goes to the next expiry that lists the strike', () => {
    const strikes = new Map([
      [NEAR, [95_000]],
      [NEXT, [90_000]],
      [LAST, [95_000]],
    ]);
    assert.deepEqual(rollOf([{ seriesId: id(95_000), qty: -1.5 }], strikes), {
      legs: [
        { seriesId: id(95_000), side: 'buy', ratio: 1 },
        { seriesId: id(95_000, LAST), side: 'sell', ratio: 1 },
      ],
      qty: '1.5',
      isClosing: false,
      rolls: [{ seriesId: id(95_000), qty: -1.5 }],
    });
    strikes.set(NEXT, [90_000, 95_000]);
    assert.deepEqual(rollTargets([{ seriesId: id(95_000), qty: 1 }], strikes), [NEXT, LAST]);
    const later = rollOf([{ seriesId: id(95_000), qty: 1 }], strikes, LAST).legs[0];
    assert.deepEqual(later, { seriesId: id(95_000, LAST), side: 'buy', ratio: 1 });
    assert.throws(() => rollOf([{ seriesId: id(95_000, LAST), qty: 1 }], strikes), /No later expiry lists/);
  });

  it('a strategy rolls with all its legs, to an expiry that lists all its strikes', () => {
    const spread = [
      { seriesId: id(95_000), qty: 2 },
      { seriesId: id(97_000), qty: -2 },
    ];
    const strikes = new Map([
      [NEXT, [95_000]],
      [LAST, [95_000, 97_000]],
    ]);
    assert.deepEqual(rollOf(spread, strikes), {
      legs: [
        { seriesId: id(97_000), side: 'buy', ratio: 1 },
        { seriesId: id(95_000, LAST), side: 'buy', ratio: 1 },
        { seriesId: id(95_000), side: 'sell', ratio: 1 },
        { seriesId: id(97_000, LAST), side: 'sell', ratio: 1 },
      ],
      qty: '2',
      isClosing: false,
      rolls: spread,
    });
    strikes.delete(LAST);
    assert.throws(() => rollOf(spread, strikes), /No later expiry lists the strikes 95,000 and 97,000/);
  });

  it('one order rolls two legs of one expiry at most', () => {
    const of = (...expiries: number[]) => canRoll(expiries.map((expiryTs) => ({ expiryTs })));
    assert.deepEqual(
      [of(NEAR), of(NEAR, NEAR), of(NEAR, NEXT), of(NEAR, NEAR, NEAR)],
      [true, true, false, false],
    );
  });

  it('a close of more than is held by now would turn a position over', () => {
    const legs = [
      { seriesId: id(95_000), side: 'sell', ratio: 1 },
      { seriesId: id(97_000), side: 'buy', ratio: 2 },
    ] as const;
    const held = (low: number, high: number) => (seriesId: string) => (seriesId === id(95_000) ? low : high);
    assert.deepEqual(turningOver(legs, { units: 0.2, qtyOf: held(0.2, -0.4) }), []);
    assert.deepEqual(turningOver(legs, { units: 0.2, qtyOf: held(0.1, -0.4) }), [legs[0]]);
    assert.deepEqual(turningOver(legs, { units: 0.2, qtyOf: held(0.2, 0.4) }), [legs[1]]);
  });
});
