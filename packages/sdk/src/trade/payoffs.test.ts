import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { outcomeOf, type PayoffLine, profitAt } from './payoffs.ts';

const EXPIRY = 1_795_827_600;
const LATER = EXPIRY + 86_400;
const lineOf =
  (right: 'C' | 'P') =>
  (strike: number, qty: number, expiry = EXPIRY): PayoffLine => ({
    seriesId: `BTC-${expiry}-${right}-${strike}`,
    qty,
  });
const C = lineOf('C');
const P = lineOf('P');

describe('CMB-1 what options come to at expiry', () => {
  const CASES: readonly (readonly [string, PayoffLine[], number, ReturnType<typeof outcomeOf>])[] = [
    ['a call', [C(100, 1)], 5, { greatestLoss: 5, greatestGain: null, breakEvens: [105] }],
    ['a put', [P(100, 2)], 10, { greatestLoss: 10, greatestGain: 190, breakEvens: [95] }],
    ['a naked call', [C(100, -1)], -5, { greatestLoss: null, greatestGain: 5, breakEvens: [105] }],
    ['a cash-secured put', [P(100, -1)], -5, { greatestLoss: 95, greatestGain: 5, breakEvens: [95] }],
    [
      'a bull call spread',
      [C(100, 1), C(110, -1)],
      4,
      { greatestLoss: 4, greatestGain: 6, breakEvens: [104] },
    ],
    [
      'an iron condor loses on its wider side',
      [P(80, 1), P(90, -1), C(110, -1), C(130, 1)],
      -3,
      { greatestLoss: 17, greatestGain: 3, breakEvens: [87, 113] },
    ],
    [
      'a butterfly that was free cannot lose',
      [C(100, 1), C(110, -2), C(120, 1)],
      0,
      { greatestLoss: 0, greatestGain: 10, breakEvens: [100, 120] },
    ],
    [
      'a box bought under its width is a certain gain',
      [C(100, 1), C(110, -1), P(110, 1), P(100, -1)],
      9.5,
      { greatestLoss: -0.5, greatestGain: 0.5, breakEvens: [] },
    ],
    [
      'a straddle of a third of a micro is rounded against its holder',
      [C(100, 0.333333), P(100, 0.333333)],
      1.000001,
      { greatestLoss: 1.000001, greatestGain: null, breakEvens: [96.999994, 103.000006] },
    ],
    ['two that cancel', [C(100, 1), C(100, -1)], 2, { greatestLoss: 2, greatestGain: -2, breakEvens: [] }],
    ['nothing', [], 0, { greatestLoss: 0, greatestGain: 0, breakEvens: [] }],
    [
      'a calendar, whose legs settle apart',
      [C(100, -1), C(100, 1, LATER)],
      3,
      { greatestLoss: null, greatestGain: null, breakEvens: [] },
    ],
    [
      'a put calendar can lose all of its short',
      [P(100, -1), P(100, 1, LATER)],
      3,
      { greatestLoss: 103, greatestGain: 97, breakEvens: [] },
    ],
  ];
  for (const [what, lines, paid, expected] of CASES)
    it(what, () => {
      assert.deepEqual(outcomeOf(lines, paid), expected);
    });

  it('profit at a price, in text or number', () => {
    assert.equal(profitAt([C(100, 1), P(100, 1)], { price: '93.5', paid: '2.25' }), 4.25);
    assert.equal(profitAt([C(100, 0.000001)], { price: 100.5 }), 0);
    assert.equal(profitAt([C(100, -0.000001)], { price: 100.5 }), -0.000001);
  });

  it('refuses what is no series, and what is not exact', () => {
    assert.throws(() => outcomeOf([{ seriesId: 'BTC', qty: 1 }]), new RangeError('BTC is no series'));
    assert.throws(() => outcomeOf([C(100, 1e-7)]), RangeError);
    assert.throws(() => outcomeOf([C(100, 1)], Number.NaN), RangeError);
    assert.throws(() => profitAt([], { price: Number.NaN }), RangeError);
  });
});

const MILLION = 1_000_000;
const micros = (max: number) => fc.integer({ min: 1, max });
const books = fc.record({
  legs: fc.array(
    fc.record({
      right: fc.constantFrom('C', 'P'),
      // Few strikes, so that legs meet.
      strike: fc.oneof(
        micros(200 * MILLION),
        fc.constantFrom(90, 100, 110).map((one) => one * MILLION),
      ),
      qty: fc.oneof(
        fc.integer({ min: -5, max: 5 }).map((one) => one * MILLION),
        fc.integer({ min: -9 * MILLION, max: 9 * MILLION }),
      ),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  paid: fc.integer({ min: -500 * MILLION, max: 500 * MILLION }),
});

type Drawn = typeof books extends fc.Arbitrary<infer T> ? T : never;

describe('CMB-1 random books', () => {
  it('greatest loss and gain are the least and the most of a grid over all strikes and beyond', () => {
    let bounded = 0;
    const check = ({ legs, paid }: Drawn) => {
      const lines = legs.map(({ right, strike, qty }) => ({
        seriesId: `BTC-${EXPIRY}-${right}-${strike / MILLION}`,
        qty: qty / MILLION,
      }));
      const { greatestLoss, greatestGain, breakEvens } = outcomeOf(lines, paid / MILLION);
      /** In whole micros, as an account would settle, with a remainder that is less than one. */
      const profit = (price: number) =>
        legs.reduce((sum, { right, strike, qty }) => {
          const value = BigInt(Math.max(0, right === 'C' ? price - strike : strike - price));
          return sum + value * BigInt(qty);
        }, 0n) -
        BigInt(paid) * 1_000_000n;
      const strikes = legs.map(({ strike }) => strike);
      const most = Math.max(...strikes);
      const grid = [0, ...strikes, ...strikes.flatMap((one) => [one - 1, one + 1]), most * 2, most * 1_000];
      for (let step = 0; step <= 50; step++) grid.push(Math.floor((most * 1.2 * step) / 50));
      const profits = grid.map(profit).sort((a, b) => (a < b ? -1 : 1));
      const floor = (value: bigint) =>
        Number(value >= 0n ? value / 1_000_000n : -((-value + 999_999n) / 1_000_000n));
      const slope = legs.reduce((sum, { right, qty }) => (right === 'C' ? sum + qty : sum), 0);
      assert.equal(greatestLoss, slope < 0 ? null : (0 - floor(profits[0]!)) / MILLION);
      assert.equal(greatestGain, slope > 0 ? null : floor(profits.at(-1)!) / MILLION);
      if (greatestLoss !== null) bounded += 1;
      // On both sides of a micro the profit has two signs, or one of them is nothing.
      for (const price of breakEvens.map((one) => Math.round(one * MILLION))) {
        const [before, after] = [profit(price - 1), profit(price + 1)];
        const touches = profit(price) === 0n;
        assert.ok(touches || before < 0n !== after < 0n, `${price}: ${before}, ${after}`);
      }
      const signs = [...new Set([...grid].sort((a, b) => a - b))].map((price) =>
        Math.sign(Number(profit(price))),
      );
      const crossings = signs.filter((sign, i) => i > 0 && sign * signs[i - 1]! < 0).length;
      assert.ok(breakEvens.length >= crossings, `${breakEvens.length} of ${crossings}`);
    };
    fc.assert(fc.property(books, check), { seed: 17, numRuns: 1_000 });
    assert.ok(bounded > 300, `${bounded} bounded`);
  });
});
