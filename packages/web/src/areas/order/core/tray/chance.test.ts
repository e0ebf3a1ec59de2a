import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PayoffRegion } from '../payoff/regions.ts';
import { chanceOfProfit } from './chance.ts';

const flat = [{ strike: 100, iv: 0.5, right: 'C' as const }];
const facts = { spot: 100, years: 0.25, smile: flat };
const INF = Number.POSITIVE_INFINITY;
const above = (price: number): PayoffRegion[] => [
  { from: 0, to: price, sign: -1 },
  { from: price, to: INF, sign: 1 },
];

describe('TERM-11 the chance of profit', () => {
  it('with one volatility is that of Black 1976', () => {
    // The normal distribution at d2, by Python's erf.
    for (const [price, expected] of [
      [60, 0.972464],
      [90, 0.616554],
      [100, 0.450262],
      [130, 0.120106],
    ] as const) {
      const chance = chanceOfProfit(above(price), facts)!;
      assert.ok(Math.abs(chance - expected) < 1e-5, `${price}: ${chance}`);
    }
  });

  it('of all regions together is one, and of the outside the rest of the inside', () => {
    assert.equal(chanceOfProfit([{ from: 0, to: INF, sign: 1 }], facts), 1);
    assert.equal(chanceOfProfit([{ from: 0, to: INF, sign: -1 }], facts), 0);
    const parts = (sign: 1 | -1): PayoffRegion[] => [
      { from: 0, to: 90, sign },
      { from: 90, to: 110, sign: sign === 1 ? -1 : 1 },
      { from: 110, to: INF, sign },
    ];
    const sum = chanceOfProfit(parts(1), facts)! + chanceOfProfit(parts(-1), facts)!;
    assert.ok(Math.abs(sum - 1) < 1e-9);
  });

  it('dearer puts make an end below likelier', () => {
    const smile = [80, 90, 100, 110, 120].map((strike) => ({
      ...{ strike, right: 'C' as const },
      iv: 0.5 + (100 - strike) / 200,
    }));
    const below = chanceOfProfit([{ from: 0, to: 80, sign: 1 }], { ...facts, smile })!;
    assert.ok(below > chanceOfProfit([{ from: 0, to: 80, sign: 1 }], facts)! + 0.01, `${below}`);
  });

  it('between two strikes counts how the smile leans', () => {
    // N(d2) less vega times the slope of the volatility, by Python's erf and exp.
    for (const [points, price, expected] of [
      [
        [
          [80, 0.6],
          [90, 0.55],
        ],
        85,
        0.740885,
      ],
      [
        [
          [110, 0.45],
          [120, 0.4],
        ],
        115,
        0.308115,
      ],
    ] as const) {
      const smile = points.map(([strike, iv]) => ({ strike, iv, right: 'C' as const }));
      const chance = chanceOfProfit(above(price), { ...facts, smile })!;
      assert.ok(Math.abs(chance - expected) < 1e-5, `${price}: ${chance}`);
    }
  });

  it('is unknown without smile, spot or time', () => {
    for (const change of [{ smile: [] }, { spot: Number.NaN }, { years: 0 }])
      assert.equal(chanceOfProfit(above(100), { ...facts, ...change }), null);
  });
});
