import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { valueOption } from '@venue/protocol/black76';
import fc from 'fast-check';
import { yearsUntil } from '../../../../market/years.ts';
import { legOfPosition, type Payoff, payoffOf } from './payoff.ts';
import { type PayoffLeg, profitAt } from './payoff-leg.ts';

const NOW = Date.UTC(2025, 10, 1);
const SOON_TS = Date.UTC(2025, 10, 29, 1) / 1_000;
const LATER_TS = Date.UTC(2025, 11, 27, 1) / 1_000;
const MOMENT = { spot: 100, nowMs: NOW };

function leg(
  qty: number,
  right: 'C' | 'P',
  strike: number,
  price: number,
  more: Partial<PayoffLeg> = {},
): PayoffLeg {
  const seriesId = `BTC-${more.expiryTs ?? SOON_TS}-${right}-${strike}`;
  return { seriesId, right, strike, expiryTs: SOON_TS, qty, price, fee: 0, iv: 0.5, ...more };
}

function payoff(legs: readonly PayoffLeg[], moment: Parameters<typeof payoffOf>[1] = MOMENT): Payoff {
  const made = payoffOf(legs, moment);
  assert.ok(made !== null);
  return made;
}

function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

describe('payoff at expiry', () => {
  const INFINITY = Number.POSITIVE_INFINITY;
  //     what, legs, break-evens, best, worst, sentence
  const TABLE: readonly (readonly [string, PayoffLeg[], number[], number, number, string])[] = [
    [
      'a call, its fee in the break-even',
      [leg(1, 'C', 100_000, 1240, { fee: 6.2 })],
      [101_246.2],
      INFINITY,
      -1246.2,
      'Makes money above $101,246.20; loses at most $1,246.20.',
    ],
    [
      'a short call',
      [leg(-2, 'C', 100, 5)],
      [105],
      10,
      -INFINITY,
      'Makes money below $105.00, at most $10.00; losses are unlimited.',
    ],
    [
      'a put',
      [leg(1, 'P', 100, 5)],
      [95],
      95,
      -5,
      'Makes money below $95.00, at most $95.00; loses at most $5.00.',
    ],
    [
      'a short put',
      [leg(-1, 'P', 100, 5)],
      [95],
      5,
      -95,
      'Makes money above $95.00, at most $5.00; loses at most $95.00.',
    ],
    [
      'a straddle',
      [leg(1, 'C', 100, 5), leg(1, 'P', 100, 4)],
      [91, 109],
      INFINITY,
      -9,
      'Makes money below $91.00 and above $109.00; loses at most $9.00.',
    ],
    [
      'a condor',
      [leg(1, 'P', 80, 1), leg(-1, 'P', 90, 3), leg(-1, 'C', 110, 3), leg(1, 'C', 120, 1)],
      [86, 114],
      4,
      -6,
      'Makes money between $86.00 and $114.00, at most $4.00; loses at most $6.00.',
    ],
    [
      'two calls for one, and a fee',
      [leg(1, 'C', 100, 5, { fee: 0.5 }), leg(-2, 'C', 110, 2, { fee: 0.5 })],
      [102, 118],
      8,
      -INFINITY,
      'Makes money between $102.00 and $118.00, at most $8.00; losses are unlimited.',
    ],
    [
      'a spread bought for more than it can pay',
      [leg(1, 'C', 100, 12), leg(-1, 'C', 110, 1)],
      [],
      -1,
      -11,
      'Never makes money; loses at most $11.00.',
    ],
    [
      'a spread that pays in any case',
      [leg(1, 'C', 100, 1), leg(-1, 'C', 110, 2)],
      [],
      11,
      1,
      'Makes money at every price, at most $11.00; never loses.',
    ],
    [
      'a spread for nothing: it ends where it begins to pay',
      [leg(1, 'C', 100, 2), leg(-1, 'C', 110, 2)],
      [100],
      10,
      0,
      'Makes money above $100.00, at most $10.00; never loses.',
    ],
    [
      'a butterfly whose peak just pays back is touched, not crossed',
      [leg(1, 'C', 90, 12), leg(-2, 'C', 100, 1), leg(1, 'C', 110, 0)],
      [],
      0,
      -10,
      'Never makes money; loses at most $10.00.',
    ],
    [
      'a position and its opposite',
      [leg(1, 'C', 100, 5), leg(-1, 'C', 100, 5)],
      [],
      0,
      0,
      'Neither makes nor loses money.',
    ],
    [
      'fractions of a contract that cancel',
      [leg(0.1, 'C', 100, 5), leg(0.2, 'C', 100, 5), leg(-0.3, 'C', 100, 5)],
      [],
      0,
      0,
      'Neither makes nor loses money.',
    ],
  ];
  for (const [what, legs, breakEvens, best, worst, sentence] of TABLE) {
    test(what, () => {
      const made = payoff(legs);
      assert.equal(made.breakEvens.length, breakEvens.length, `break-evens ${made.breakEvens}`);
      for (const [i, expected] of breakEvens.entries())
        near(made.breakEvens[i]!, expected, 1e-8, 'break-even');
      for (const [actual, expected] of [
        [made.best, best],
        [made.worst, worst],
      ] as const) {
        if (Number.isFinite(expected)) near(actual, expected, 1e-8, 'extreme');
        else assert.equal(actual, expected);
      }
      assert.equal(made.sentence, sentence);
      assert.equal(made.isExact, true);
    });
  }

  test('no legs have no payoff', () => assert.equal(payoffOf([], MOMENT), null));

  test('a position becomes a leg', () => {
    const position = {
      seriesId: `BTC-${SOON_TS}-P-100`,
      symbol: 'BTC',
      strike: 100,
      expiryTs: SOON_TS,
      qty: -2,
    };
    const rest = { optType: 'put', avgPrice: 4, mark: 5, realized: 0, unrealized: -2 } as const;
    const made = payoff([legOfPosition({ ...position, ...rest }, { iv: 0.5, fee: 0.04 })]);
    assert.deepEqual([made.best, made.worst], [7.96, -192.04]);
  });
});

/** Payoff by definition, leg by leg. */
function bruteForce(legs: readonly PayoffLeg[], spot: number): number {
  return legs.reduce((sum, { right, qty, strike, price, fee }) => {
    const pays = right === 'C' ? Math.max(spot - strike, 0) : Math.max(strike - spot, 0);
    return sum + qty * pays - qty * price - fee;
  }, 0);
}

const hundredths = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((cents) => cents / 100);
const anyLeg = fc
  .record({
    right: fc.constantFrom('C' as const, 'P' as const),
    qty: fc.oneof(
      fc.integer({ min: -5, max: 5 }),
      fc.integer({ min: -500, max: 500 }).map((n) => n / 100),
    ),
    strike: fc.integer({ min: 1, max: 40 }).map((step) => step * 5),
    price: hundredths(30),
    fee: hundredths(2),
  })
  .filter(({ qty }) => qty !== 0)
  .map(({ qty, right, strike, price, fee }) => leg(qty, right, strike, price, { fee }));
const anyLegs = fc.array(anyLeg, { minLength: 1, maxLength: 6 });

describe('properties at expiry', () => {
  test('every point equals the payout of the contracts', () => {
    fc.assert(
      fc.property(anyLegs, (legs) => {
        const made = payoff(legs);
        for (const { spot, atExpiry } of [...made.points, ...made.table])
          near(atExpiry, bruteForce(legs, spot), 1e-6, `at ${spot}`);
      }),
    );
  });

  test('a break-even is a zero, and the sign differs on either side', () => {
    fc.assert(
      fc.property(anyLegs, (legs) => {
        const { breakEvens, regions } = payoff(legs);
        for (const spot of breakEvens) near(bruteForce(legs, spot), 0, 1e-6, `at ${spot}`);
        for (let i = 1; i < regions.length; i++) assert.notEqual(regions[i]!.sign, regions[i - 1]!.sign);
      }),
    );
  });

  test('every price has the sign of its region', () => {
    fc.assert(
      fc.property(anyLegs, fc.double({ min: 0, max: 2_000, noNaN: true }), (legs, spot) => {
        const { regions } = payoff(legs);
        const result = bruteForce(legs, spot);
        fc.pre(Math.abs(result) > 1e-6);
        const region = regions.find(({ from, to }) => spot >= from && spot < to);
        assert.equal(region?.sign, Math.sign(result));
      }),
      { numRuns: 1_000 },
    );
  });

  test('no result is above the best or below the worst, and bounded ones are reached', () => {
    fc.assert(
      fc.property(anyLegs, (legs) => {
        const { best, worst } = payoff(legs);
        const results = [0, 1, ...legs.map(({ strike }) => strike), 1e3, 1e6].map((spot) =>
          bruteForce(legs, spot),
        );
        for (const result of results) assert.ok(result <= best + 1e-3 && result >= worst - 1e-3);
        if (Number.isFinite(best))
          assert.ok(
            results.some((result) => Math.abs(result - best) < 1e-3),
            `best ${best}`,
          );
        else assert.ok(bruteForce(legs, 1e9) > bruteForce(legs, 1e6));
        if (Number.isFinite(worst)) assert.ok(results.some((result) => Math.abs(result - worst) < 1e-3));
        else assert.ok(bruteForce(legs, 1e9) < bruteForce(legs, 1e6));
      }),
    );
  });

  test('TERM-4: the greatest loss in the sentence is the least of a grid over the whole book', () => {
    let bounded = 0;
    const wholeBook = fc.array(anyLeg, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(wholeBook, (legs) => {
        const { sentence } = payoff(legs);
        const grid = Array.from({ length: 81 }, (_, step) => bruteForce(legs, step * 5));
        const least = Math.min(...grid);
        const calls = legs.reduce((sum, { right, qty }) => (right === 'C' ? sum + qty : sum), 0);
        if (calls < -1e-9) return assert.match(sentence, /losses are unlimited\.$/);
        if (Math.max(...grid) - least < 1e-6 || least >= -0.006) return;
        bounded += 1;
        const [, said] = /(?:loses at most|Loses) \$([\d,.]+?)(?: at every price)?\.$/.exec(sentence) ?? [];
        near(Number(said?.replaceAll(',', '')), -least, 0.005_001, sentence);
      }),
      { seed: 18, numRuns: 1_000 },
    );
    assert.ok(bounded > 300, `${bounded} bounded`);
  });

  test('the points ascend and include every strike, and the table has nine points', () => {
    fc.assert(
      fc.property(anyLegs, (legs) => {
        const { points, table } = payoff(legs);
        for (let i = 1; i < points.length; i++) assert.ok(points[i]!.spot > points[i - 1]!.spot);
        for (const { strike } of legs) assert.ok(points.some(({ spot }) => spot === strike));
        assert.equal(new Set(table.map(({ spot }) => spot)).size, 9);
        assert.ok(points[0]!.spot >= 0 && table[0]!.spot >= 0);
      }),
    );
  });
});

describe('today and mixed expiries', () => {
  const calendar = [leg(-1, 'C', 100, 4), leg(1, 'C', 100, 7, { expiryTs: LATER_TS, iv: 0.55 })];

  test('today every leg is at its model value', () => {
    const made = payoff([leg(2, 'C', 100, 5, { fee: 0.05 })]);
    const years = yearsUntil(SOON_TS, NOW);
    for (const { spot, today } of made.table) {
      const value = valueOption({ right: 'C', forward: spot, strike: 100, years, vol: 0.5 }).price;
      near(today!, 2 * (value - 5) - 0.05, 1e-9, `at ${spot}`);
    }
  });

  test('a leg without volatility is left out of today and named, including its price and fee', () => {
    const bare = leg(3, 'P', 90, 2, { iv: 0, fee: 1 });
    const whole = leg(1, 'C', 100, 5);
    const made = payoff([bare, whole]);
    assert.deepEqual(made.leftOutToday, [bare.seriesId]);
    assert.deepEqual(made.leftOutAtExpiry, []);
    const { spot, today } = made.points[0]!;
    near(today!, profitAt([whole], spot, NOW), 1e-12, 'today');
    near(made.worst, -12, 1e-9, 'worst counts both');
    assert.equal(payoff([bare]).points[0]!.today, null);
  });

  test('a calendar spread at the nearer expiry: the later leg at model value', () => {
    const made = payoff(calendar);
    assert.equal(made.expiryTs, SOON_TS);
    assert.equal(made.isExact, false);
    const peak = valueOption({
      right: 'C',
      forward: 100,
      strike: 100,
      years: yearsUntil(LATER_TS, SOON_TS * 1_000),
      vol: 0.55,
    }).price;
    near(made.best, peak - 3, 1e-6, 'best, at the strike');
    near(made.worst, -3, 1e-6, 'worst, far from it');
    assert.equal(made.breakEvens.length, 2);
    for (const spot of made.breakEvens) near(profitAt(calendar, spot, SOON_TS * 1_000), 0, 1e-6, 'zero');
    assert.ok(made.breakEvens[0]! < 100 && made.breakEvens[1]! > 100);
  });

  test('a later leg so volatile that its time value ends beyond the picture', () => {
    const calendarAt = (iv: number) => [
      leg(-1, 'C', 100, 4),
      leg(1, 'C', 100, 7, { expiryTs: LATER_TS, iv }),
    ];
    const { breakEvens, regions, points } = payoff(calendarAt(4));
    assert.ok(breakEvens.at(-1)! > points.at(-1)!.spot);
    assert.equal(regions.at(-1)?.sign, -1);
    // At a price of zero only the three paid are lost; in the limit also the twenty between the strikes.
    const diagonal = [leg(-1, 'C', 100, 4), leg(1, 'C', 120, 7, { expiryTs: LATER_TS, iv: 20 })];
    near(payoff(diagonal).worst, -23, 1e-9, 'what it comes to in the end');
  });

  test('a result that dips between two strikes crosses zero there twice', () => {
    const strangle = (qty: number, more: Partial<PayoffLeg>) => [
      leg(qty, 'P', 80, qty > 0 ? 2 : 0.5, more),
      leg(qty, 'C', 120, qty > 0 ? 2 : 0.5, more),
    ];
    const { breakEvens, regions } = payoff([...strangle(-1, {}), ...strangle(1, { expiryTs: LATER_TS })]);
    assert.deepEqual(
      regions.map(({ sign }) => sign),
      [-1, 1, -1, 1, -1],
    );
    assert.ok(breakEvens[1]! > 80 && breakEvens[2]! < 120);
  });

  test('the same at the later expiry is exact, with the nearer leg settled at that price', () => {
    const made = payoff(calendar, { ...MOMENT, expiryTs: LATER_TS });
    assert.equal(made.isExact, true);
    near(made.best, -3, 1e-9, 'best');
    assert.equal(made.sentence, 'Loses $3.00 at every price.');
  });

  test('an expired leg waiting for settlement does not set the chosen expiry', () => {
    const gone = leg(1, 'C', 90, 4, { expiryTs: NOW / 1_000 - 60 });
    assert.equal(payoff([gone, leg(1, 'C', 100, 5)]).expiryTs, SOON_TS);
    assert.equal(payoff([gone]).expiryTs, gone.expiryTs);
  });

  test('an expiry before all legs, none of which can be valued, has no sentence', () => {
    const made = payoff([leg(1, 'C', 100, 7, { iv: 0 })], { ...MOMENT, expiryTs: SOON_TS - 1 });
    assert.equal(made.sentence, 'No implied volatility is available.');
    assert.equal(made.leftOutAtExpiry.length, 1);
  });

  test('a later leg without volatility is left out at the expiry and named', () => {
    const later = leg(1, 'C', 100, 7, { expiryTs: LATER_TS, iv: 0 });
    const made = payoff([leg(-1, 'C', 100, 4), later]);
    assert.deepEqual(made.leftOutAtExpiry, [later.seriesId]);
    assert.equal(made.isExact, true);
    assert.deepEqual(made.breakEvens, [104]);
  });

  test('numerically found zeros are zeros, and no sample is outside best and worst', () => {
    const mixed = fc.array(
      fc
        .tuple(anyLeg, fc.boolean(), fc.double({ min: 0.1, max: 2, noNaN: true }))
        .map(([one, isLater, iv]) => ({
          ...one,
          iv,
          expiryTs: isLater ? LATER_TS : SOON_TS,
        })),
      { minLength: 2, maxLength: 4 },
    );
    fc.assert(
      fc.property(mixed, fc.double({ min: 0, max: 600, noNaN: true }), (legs, spot) => {
        const made = payoff(legs, { ...MOMENT, expiryTs: SOON_TS });
        for (const zero of made.breakEvens)
          near(profitAt(legs, zero, SOON_TS * 1_000), 0, 1e-4, `at ${zero}`);
        const result = profitAt(legs, spot, SOON_TS * 1_000);
        assert.ok(
          result <= made.best + 0.01 && result >= made.worst - 0.01,
          `${made.worst} ${result} ${made.best}`,
        );
        const region = made.regions.find(({ from, to }) => spot >= from && spot < to);
        if (Math.abs(result) > 0.01) assert.equal(region?.sign, Math.sign(result), `at ${spot}`);
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});

describe('range', () => {
  test('three deviations to either side and every strike', () => {
    const { points } = payoff([leg(1, 'C', 100, 5), leg(-1, 'C', 400, 1)]);
    const reach = Math.exp(3 * 0.5 * Math.sqrt(yearsUntil(SOON_TS, NOW)));
    assert.ok(points[0]!.spot < 100 / reach && points[0]!.spot > 40);
    assert.ok(points.at(-1)!.spot > 400 && points.at(-1)!.spot < 450);
  });

  test('what the expiry settles near is in it, and not at its edge (TERM-22)', () => {
    const legs = [leg(1, 'C', 100, 5)];
    const { points: plain } = payoff(legs);
    for (const alsoAt of [10, 900, 100]) {
      const { points } = payoff(legs, { ...MOMENT, alsoAt });
      assert.ok(points[0]!.spot < alsoAt && points.at(-1)!.spot > alsoAt, `${alsoAt}`);
      assert.ok(points[0]!.spot <= plain[0]!.spot && points.at(-1)!.spot >= plain.at(-1)!.spot);
    }
  });

  test('an outlying volatile strike does not stretch it', () => {
    const calm = payoff([leg(1, 'C', 100, 5), leg(-1, 'C', 120, 1)]).points;
    const wild = payoff([leg(1, 'C', 100, 5), leg(-1, 'C', 120, 1, { iv: 3 })]).points;
    assert.deepEqual([wild[0]!.spot, wild.at(-1)!.spot], [calm[0]!.spot, calm.at(-1)!.spot]);
  });

  test('legs that are flat outside their strikes are shown as far again as these are apart', () => {
    const condor = [leg(1, 'P', 94, 1), leg(-1, 'P', 96, 2), leg(-1, 'C', 104, 2), leg(1, 'C', 106, 1)];
    const narrow = payoff(condor).points;
    assert.ok(narrow[0]!.spot > 80 && narrow[0]!.spot < 83 && narrow.at(-1)!.spot < 120);
    // One call more gains without end.
    const open = payoff([...condor, leg(0.1, 'C', 106, 1)]).points;
    assert.ok(open[0]!.spot < 75 && open.at(-1)!.spot > 130);
  });

  test('without a spot it is centred on the strikes', () => {
    const { points } = payoff([leg(1, 'C', 100, 5)], { spot: Number.NaN, nowMs: NOW });
    assert.ok(points[0]!.spot < 100 && points.at(-1)!.spot > 100);
  });

  test('at the cutoff the range still has some width', () => {
    const { points } = payoff([leg(1, 'C', 100, 5)], { spot: 100, nowMs: SOON_TS * 1_000 });
    assert.ok(points[0]!.spot <= 98 && points.at(-1)!.spot >= 102);
  });

  test('the table has round prices', () => {
    const { table } = payoff([leg(1, 'C', 100_000, 1_000)], { spot: 101_234.56, nowMs: NOW });
    for (const { spot } of table) assert.equal(spot % 100, 0, `${spot}`);
  });
});
