import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  add,
  clampMicros,
  decimalToMicros,
  ExactSum,
  formatCents,
  MICROS_MAX,
  MICROS_PER_UNIT,
  microsToDecimal,
  mulDivCeil,
  mulDivCeilClamped,
  mulDivFloor,
  mulDivFloorClamped,
  ProductSum,
  subtract,
  toMicros,
  UnitsOverflowError,
} from './units.ts';

const safeInteger = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.integer({ min: -100_000_000, max: 100_000_000 }),
  fc.integer({ min: MICROS_MAX - 20_000, max: MICROS_MAX }),
);
const divisor = fc.oneof(
  fc.constantFrom(1, 2, 3, 7, 10_000, MICROS_PER_UNIT, MICROS_MAX),
  fc.integer({ min: 1, max: MICROS_MAX }),
);

/** floor(a x b / d) in arbitrary precision, computed another way: from the non-negative remainder. */
function floorExact(a: number, b: number, d: number): bigint {
  const product = BigInt(a) * BigInt(b);
  const over = BigInt(d);
  return (product - (((product % over) + over) % over)) / over;
}

function fits(value: bigint): boolean {
  return value >= -BigInt(MICROS_MAX) && value <= BigInt(MICROS_MAX);
}

describe('NUM-1 exact multiplication and division', () => {
  //     a, b, divisor, floor, ceil
  const table: readonly (readonly [number, number, number, number, number])[] = [
    [0, 0, 1, 0, 0],
    [7, 1, 2, 3, 4],
    [-7, 1, 2, -4, -3],
    [7, -1, 2, -4, -3],
    [-7, -1, 2, 3, 4],
    [6, 1, 2, 3, 3],
    [-6, 1, 2, -3, -3],
    [-1, 1, 1_000_000, -1, 0],
    [1, 1, 1_000_000, 0, 1],
    [3_500_000, 2_000_000, 1_000_000, 7_000_000, 7_000_000],
    [3_333_333, 1_500_001, 1_000_000, 5_000_002, 5_000_003],
    [5e9, 1e9, 1e6, 5_000_000_000_000, 5_000_000_000_000],
    [5e9, 1_000_000_001, 1e6, 5_000_000_005_000, 5_000_000_005_000],
    [9_007_199_254_740_991, 1, 1, 9_007_199_254_740_991, 9_007_199_254_740_991],
    [
      9_007_199_254_740_991, 9_007_199_254_740_991, 9_007_199_254_740_991, 9_007_199_254_740_991,
      9_007_199_254_740_991,
    ],
    [9_007_199_254_740_991, 3, 4, 6_755_399_441_055_743, 6_755_399_441_055_744],
    [-9_007_199_254_740_991, 3, 4, -6_755_399_441_055_744, -6_755_399_441_055_743],
  ];
  for (const [a, b, d, floor, ceil] of table) {
    it(`NUM-1 ${a} x ${b} / ${d}`, () => {
      assert.equal(mulDivFloor(a, b, d), floor);
      assert.equal(mulDivCeil(a, b, d), ceil);
    });
  }

  for (const [a, b, d] of [
    [94_906_267, 94_906_267, 1],
    [-94_906_267, 94_906_267, 1],
    [MICROS_MAX, MICROS_MAX, MICROS_PER_UNIT],
    [MICROS_MAX, MICROS_MAX, MICROS_MAX - 1],
  ] as const) {
    it(`NUM-1 ${a} x ${b} / ${d} is refused`, () => {
      assert.throws(() => mulDivFloor(a, b, d), UnitsOverflowError);
      assert.throws(() => mulDivCeil(a, b, d), UnitsOverflowError);
    });
  }

  it('NUM-1 results equal arbitrary precision, or are refused past 2^53-1', () => {
    fc.assert(
      fc.property(safeInteger, safeInteger, divisor, (a, b, d) => {
        const floor = floorExact(a, b, d);
        const ceil = -floorExact(-a, b, d);
        if (fits(floor)) assert.equal(BigInt(mulDivFloor(a, b, d)), floor);
        else assert.throws(() => mulDivFloor(a, b, d), UnitsOverflowError);
        if (fits(ceil)) assert.equal(BigInt(mulDivCeil(a, b, d)), ceil);
        else assert.throws(() => mulDivCeil(a, b, d), UnitsOverflowError);
      }),
      { numRuns: 20_000 },
    );
  });

  it('NUM-1 results are never a negative zero', () => {
    for (const [a, b] of [
      [0, -5],
      [-0, 5],
      [-0, -0],
      [0, 0],
    ] as const) {
      assert.ok(Object.is(mulDivFloor(a, b, 3), 0), `floor ${a} ${b}`);
      assert.ok(Object.is(mulDivCeil(a, b, 3), 0), `ceil ${a} ${b}`);
    }
    assert.ok(Object.is(mulDivCeil(-1, 1, 2), 0));
  });
});

describe('NUM-1 addition and subtraction', () => {
  it('NUM-1 results that are no longer exact are refused', () => {
    const top = toMicros(MICROS_MAX);
    assert.equal(add(top, toMicros(0)), MICROS_MAX);
    assert.equal(subtract(top, top), 0);
    assert.throws(() => add(top, toMicros(1)), UnitsOverflowError);
    assert.throws(() => subtract(toMicros(-MICROS_MAX), toMicros(1)), UnitsOverflowError);
  });

  it('NUM-1 only a safe integer is an amount', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, MICROS_MAX + 1, 1e300]) {
      assert.throws(() => toMicros(value), UnitsOverflowError, String(value));
    }
  });
});

describe('NUM-2 decimals', () => {
  const accepted: readonly (readonly [number, number])[] = [
    [0, 0],
    [0.1, 100_000],
    [1.005, 1_005_000],
    [4.35, 4_350_000],
    [0.000001, 1],
    [-0.000001, -1],
    [1e-6, 1],
    [190.5, 190_500_000],
    [97_500, 97_500_000_000],
    [9_007_199_254, 9_007_199_254_000_000],
    [-3.25, -3_250_000],
  ];
  for (const [decimal, micros] of accepted) {
    it(`NUM-2 ${decimal} is ${micros}`, () => {
      assert.equal(decimalToMicros(decimal), micros);
    });
  }

  for (const decimal of [
    0.0000001,
    0.0000005,
    1.0000001,
    0.1 + 0.2,
    1e10,
    -1e10,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    5e-324,
  ]) {
    it(`NUM-2 ${decimal} is not representable`, () => {
      assert.equal(decimalToMicros(decimal), undefined);
    });
  }

  it('NUM-2 a negative zero becomes zero', () => {
    assert.ok(Object.is(decimalToMicros(-0), 0));
  });

  it('NUM-2 an amount below 2^32 units survives a round trip over the wire', () => {
    const limit = 2 ** 32 * MICROS_PER_UNIT;
    const amount = fc.oneof(
      fc.integer({ min: -limit, max: limit }),
      fc.integer({ min: limit - 10_000, max: limit }),
      fc.integer({ min: -10_000_000, max: 10_000_000 }),
    );
    fc.assert(
      fc.property(amount, (micros) => {
        const decimal = JSON.parse(JSON.stringify(microsToDecimal(toMicros(micros)))) as number;
        assert.equal(decimalToMicros(decimal), micros);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('amounts in messages', () => {
  const table: readonly (readonly [number, string])[] = [
    [0, '0.00'],
    [1, '0.00'],
    [4_999, '0.00'],
    [5_000, '0.01'],
    [-4_999, '0.00'],
    [-5_000, '-0.01'],
    [12_500_000, '12.50'],
    [3_000_000, '3.00'],
    [1_234_567, '1.23'],
    [1_235_000, '1.24'],
    [-1_235_000, '-1.24'],
    [999_995_000, '1000.00'],
    [999_994_999, '999.99'],
    [MICROS_MAX, '9007199254.74'],
    [-MICROS_MAX, '-9007199254.74'],
  ];
  for (const [micros, text] of table) {
    it(`${micros} micros read ${text}`, () => {
      assert.equal(formatCents(toMicros(micros)), text);
    });
  }

  it('rounds half away from zero, as arbitrary precision does', () => {
    fc.assert(
      fc.property(safeInteger, (micros) => {
        const size = BigInt(Math.abs(micros));
        const cents = size / 10_000n + (size % 10_000n >= 5_000n ? 1n : 0n);
        const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
        assert.equal(formatCents(toMicros(micros)), micros < 0 && cents > 0n ? `-${text}` : text);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('NUM-1 sums that may leave the exact range', () => {
  it('clamp to the end of the range they passed, and only once at the end', () => {
    assert.equal(new ExactSum().add(MICROS_MAX).add(MICROS_MAX).clamped(), MICROS_MAX);
    assert.equal(
      new ExactSum().add(MICROS_MAX).add(MICROS_MAX).add(-MICROS_MAX).add(-5).clamped(),
      MICROS_MAX - 5,
    );
    assert.equal(new ExactSum().add(-MICROS_MAX).add(-1).clamped(), -MICROS_MAX);
    assert.equal(mulDivFloorClamped(MICROS_MAX, MICROS_MAX, 1), MICROS_MAX);
    assert.equal(mulDivFloorClamped(-MICROS_MAX, 2, 1), -MICROS_MAX);
    assert.equal(mulDivCeilClamped(7, 1, 2), 4);
    assert.equal(clampMicros(2 ** 60), MICROS_MAX);
  });

  it('agree with arbitrary precision for any terms', () => {
    const term = fc.record({ a: safeInteger, b: safeInteger, d: divisor });
    fc.assert(
      fc.property(fc.array(term, { maxLength: 8 }), (terms) => {
        const sum = new ExactSum();
        let exact = 0n;
        for (const { a, b, d } of terms) {
          sum.addMulDivFloor(a, b, d).add(a);
          exact += floorExact(a, b, d) + BigInt(a);
        }
        const max = BigInt(MICROS_MAX);
        const clamped = exact > max ? max : exact < -max ? -max : exact;
        assert.equal(BigInt(sum.clamped()), clamped);
      }),
    );
  });
});

describe('ProductSum', () => {
  const MILLION = 1_000_000n;
  const most = Number.MAX_SAFE_INTEGER;
  const amounts = [
    0,
    1,
    -1,
    999_999,
    1_000_000,
    -1_000_001,
    123_456_789_012,
    2 ** 52 + 1,
    most,
    most - 1,
    -most,
  ];

  it('NUM-1 is exact for any safe integers, rounded up once', () => {
    for (const a of amounts)
      for (const b of amounts)
        for (const c of amounts) {
          const exact = BigInt(a) * BigInt(b) + BigInt(c) * BigInt(a) + BigInt(b) * BigInt(c) * MILLION;
          const sum = new ProductSum().add(a, b).add(c, a).addWhole(b, c);
          const ceiling = -((-exact - (((-exact % MILLION) + MILLION) % MILLION)) / MILLION);
          assert.equal(BigInt(sum.ceil()), ceiling, `${a}, ${b}, ${c}`);
          const next = new ProductSum().addSum(sum).add(1, 1);
          assert.ok(sum.isBelow(next) && !next.isBelow(sum), `${a}, ${b}, ${c} and a millionth`);
          assert.ok(!sum.isBelow(new ProductSum().addSum(sum)));
        }
  });
});
