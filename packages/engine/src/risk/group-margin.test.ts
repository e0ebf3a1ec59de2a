import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  cheapestCover,
  greatestLoss,
  type Leg,
  Legs,
  maintenanceOf,
  requirementMicros,
  singlyMicros,
  smaller,
} from '@venue/protocol/margin';
import { Random } from '../../sim/random.ts';

const ONE = 1_000_000;
const MARKED = 1;

/** `C100 -1 u28 m8`: a right with its strike, contracts, and if they matter a unit and a mark. */
function legsOf(text: string): Leg[] {
  return text.split(', ').map((one) => {
    const [, right, strike, qty, unit = '28', mark = '0'] =
      /^([CP])(\S+) (\S+)(?: u(\S+))?(?: m(\S+))?$/.exec(one)!;
    const micros = (decimal: string) => Math.round(Number(decimal) * ONE);
    return {
      right: right as 'C' | 'P',
      strikeMicros: micros(strike!),
      qtyMicros: micros(qty!),
      unitMicros: micros(unit),
      markMicros: micros(mark),
    };
  });
}

/** The requirement of a group, in units, and the micros that DET-7 adds to it. */
function required(text: string): readonly [number, number] {
  const micros = requirementMicros(Legs.of(legsOf(text)));
  return [Math.floor(micros / ONE), micros % ONE];
}

describe('DRM-1 what known spreads require, with a micro a series (DET-7)', () => {
  const KNOWN = [
    ['a short alone its unit', 'C100 -1', 28, 0],
    ['a long nothing', 'C100 1', 0, 0],
    ['a vertical that pays out its width', 'C100 -1, C110 1', 10, 2],
    ['a vertical that was paid for nothing', 'C100 1, C110 -1', 0, 2],
    ['a put vertical that pays out its width', 'P110 -1, P100 1', 10, 2],
    ['a put vertical that was paid for nothing', 'P110 1, P100 -1', 0, 2],
    ['a butterfly nothing', 'C90 1, C100 -2, C110 1', 0, 3],
    ['a condor its wider side', 'C110 -1, C120 1, P90 -1, P75 1', 15, 4],
    ['a short box its width', 'C100 -1, C110 1, P100 1, P110 -1', 10, 4],
    ['a ratio its pair and one unit', 'C100 -2, C110 1', 38, 2],
    ['a cover too far away its unit', 'C100 -1, C10000 1', 28, 0],
    ['a short between two longs the nearer below', 'C90 1, C100 -1, C110 1', 0, 3],
    ['a short put its unit, though it can only lose its strike', 'P100 -1 u23', 23, 0],
    ['a strangle the units of both', 'C110 -1 u20, P90 -1 u15', 35, 0],
  ] as const;
  for (const [what, group, units, micros] of KNOWN)
    test(what, () => assert.deepEqual(required(group), [units, micros]));

  test('a further long never raises it (extensions-why 5): short call 85, condor, and a long 95', () => {
    const before = 'C85 -1 u12, C110 -1, C120 1, P90 -1, P80 1';
    const withLong = `C85 -1 u12, C95 1, C110 -1, C120 1, P90 -1, P80 1`;
    assert.ok(
      required(withLong)[0] <= required(before)[0],
      `${required(withLong)} after ${required(before)}`,
    );
  });

  test('the cover is named: which long, how much, and what each pair needs', () => {
    const legs = Legs.of(legsOf('C100 -2 u28, C105 1, C130 1'));
    const { pairs, uncovered } = cheapestCover(legs);
    assert.deepEqual(pairs, [{ short: 0, long: 1, qtyMicros: ONE, eachMicros: 5 * ONE }]);
    assert.deepEqual(uncovered, [ONE, 0, 0]);
  });

  test('of equal covers the one of the lowest strikes counts', () => {
    // Either short may take the long at 120, which saves 8 or 8.
    const { pairs } = cheapestCover(Legs.of(legsOf('C100 -1 u28, C110 -1 u18, C120 1')));
    assert.deepEqual(
      pairs.map(({ short, long }) => [short, long]),
      [[0, 2]],
    );
  });

  test('amounts past the exact range of doubles are exact', () => {
    const many = 9_007_199_254_740_991;
    const legs: Leg[] = [
      { right: 'C', strikeMicros: 1, qtyMicros: -many, unitMicros: many, markMicros: many },
      { right: 'C', strikeMicros: 4, qtyMicros: many, unitMicros: many, markMicros: many - 1 },
    ];
    // Width 3 less a mark that is 1 lower, for each of so many micros.
    assert.equal(BigInt(maintenanceOf(Legs.of(legs))), BigInt(Math.ceil((many * 2) / ONE)));
    const deeper = legs.map((leg) => (leg.qtyMicros < 0 ? leg : { ...leg, markMicros: 0 }));
    const exact = BigInt(many) * (3n - BigInt(many));
    const million = BigInt(ONE);
    assert.equal(BigInt(maintenanceOf(Legs.of(deeper))), exact / million, 'a negative amount rounded up');
  });
});

describe('DRM-2 maintenance adds the marks of what is covered', () => {
  test('so that a credit spread is not called where it was opened (extensions-why 4)', () => {
    // Cash 6, sold for 8 - 4: equity 10 - 8 + 4 = 6 is not below 10 - 4.
    assert.equal(maintenanceOf(Legs.of(legsOf('C100 -1 u20 m8, C110 1 u9 m4'))), 6 * ONE);
  });

  test('an uncovered short needs its unit, and a spare long counts for nothing', () => {
    assert.equal(maintenanceOf(Legs.of(legsOf('C100 -1 u20 m8, P110 1 u9 m4'))), 20 * ONE);
  });

  test('under B the marks of the whole group count', () => {
    // Worth 5 together, and nothing to pay.
    assert.equal(maintenanceOf(Legs.of(legsOf('C90 1 m12, C100 -2 u30 m6, C110 1 m2'))), 2 * ONE);
  });
});

interface Group {
  readonly legs: readonly Leg[];
  readonly extra: Leg;
}

/** Up to eight series on a grid of strikes, in whole contracts, so that every cover can be tried. */
function randomGroup(random: Random, level: number): Group {
  const strikes = [80, 85, 90, 95, 100, 105, 110, 120, 150];
  const places = [
    ...strikes.map((strike) => ['C', strike] as const),
    ...strikes.map((strike) => ['P', strike] as const),
  ];
  const chosen: Leg[] = [];
  for (let left = random.between(2, 9); left > 0; left--) {
    const [[right, strike]] = places.splice(random.between(0, places.length - 1), 1) as [
      readonly ['C' | 'P', number],
    ];
    const markMicros = level === MARKED ? random.pick([0, random.between(0, 60 * ONE)]) : 0;
    chosen.push({
      right,
      strikeMicros: strike * ONE,
      qtyMicros: random.pick([-2, -1, -1, 1, 1, 2]) * ONE,
      unitMicros: markMicros + random.pick([6, 12, 20, 28, 40]) * ONE,
      markMicros,
    });
  }
  const extra = chosen.pop()!;
  return { legs: chosen, extra: { ...extra, qtyMicros: Math.abs(extra.qtyMicros) } };
}

/** The cheapest of all covers of one right, each tried contract by contract. */
function cheapestByTrying(legs: readonly Leg[]): bigint {
  const shorts = legs.flatMap((leg) => (leg.qtyMicros < 0 ? Array<Leg>(-leg.qtyMicros / ONE).fill(leg) : []));
  const longs = legs.filter(({ qtyMicros }) => qtyMicros > 0);
  const known = new Map<string, bigint>();
  const least = (at: number, left: readonly number[]): bigint => {
    const short = shorts[at];
    if (short === undefined) return 0n;
    const key = `${at} ${left}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    let best = BigInt(short.unitMicros) + least(at + 1, left);
    longs.forEach((long, i) => {
      if (left[i] === 0) return;
      const way =
        short.right === 'C' ? long.strikeMicros - short.strikeMicros : short.strikeMicros - long.strikeMicros;
      const each = BigInt(Math.max(0, way) + long.markMicros - short.markMicros);
      const cost = each + least(at + 1, left.with(i, left[i]! - 1));
      if (cost < best) best = cost;
    });
    known.set(key, best);
    return best;
  };
  return least(
    0,
    longs.map(({ qtyMicros }) => qtyMicros / ONE),
  );
}

/** The payoff of a contract at a settlement price. */
function payout({ right, strikeMicros }: Leg, price: number): number {
  return Math.max(0, right === 'C' ? price - strikeMicros : strikeMicros - price);
}

/** On a grid as fine as half a strike's distance, and far above the last. */
const GRID = Array.from({ length: 81 }, (_, i) => i * 2.5 * ONE);
const FAR = 1_000_000 * ONE;

function paidAt(legs: readonly Leg[], price: number): number {
  return legs.reduce((sum, leg) => sum - (leg.qtyMicros / ONE) * payout(leg, price), 0);
}

function mostByTrying(legs: readonly Leg[]): number | null {
  const most = Math.max(0, ...GRID.map((price) => paidAt(legs, price)));
  return paidAt(legs, FAR) > most ? null : most;
}

function byTrying(legs: readonly Leg[]): bigint {
  const rights = (['C', 'P'] as const).map((right) => legs.filter((leg) => leg.right === right));
  const a = rights.reduce((sum, one) => sum + cheapestByTrying(one), 0n);
  const most = mostByTrying(legs);
  if (most === null) return a;
  const marks = legs.reduce((sum, leg) => sum + (leg.qtyMicros / ONE) * leg.markMicros, 0);
  const b = BigInt(most + marks);
  return b < a ? b : a;
}

describe('DRM-1 ten thousand random groups', () => {
  const random = new Random(17);
  const groups = Array.from({ length: 10_000 }, () => randomGroup(random, 0));

  test('rule A is the cheapest of all covers, and B the most that is paid at any price', () => {
    for (const { legs } of groups) {
      const known = Legs.of(legs);
      if (!legs.some(({ qtyMicros }) => qtyMicros < 0)) continue;
      assert.equal(BigInt(smaller(known).sum.ceil()), byTrying(legs), JSON.stringify(legs));
      const most = mostByTrying(legs);
      assert.equal(greatestLoss(known)?.sum.ceil() ?? null, most, JSON.stringify(legs));
    }
  });

  test('never above the units one by one, never below what the covered part can lose', () => {
    for (const { legs } of groups) {
      const known = Legs.of(legs);
      const requirement = requirementMicros(known);
      assert.ok(requirement <= singlyMicros(known), JSON.stringify(legs));
      const { pairs } = cheapestCover(known);
      const isWhole = smaller(known).rule === 'B';
      const at = (place: number, right: 'C' | 'P', qtyMicros: number): Leg => ({
        ...{ right, qtyMicros, strikeMicros: known.strikes[place]! },
        ...{ unitMicros: 0, markMicros: 0 },
      });
      const part = isWhole
        ? legs
        : pairs.flatMap(({ short, long, qtyMicros }) => {
            const right = short < known.calls ? 'C' : 'P';
            return [at(short, right, -qtyMicros), at(long, right, qtyMicros)];
          });
      const lost = Math.max(0, ...[...GRID, FAR].map((price) => paidAt(part, price)));
      assert.ok(requirement >= lost, `${requirement} below ${lost}: ${JSON.stringify(legs)}`);
    }
  });

  test('a further long never raises it, but for its own micro', () => {
    for (const { legs, extra } of groups) {
      const before = requirementMicros(Legs.of(legs));
      const after = requirementMicros(Legs.of([...legs, extra]));
      assert.ok(after <= before + 1, `${before} to ${after}: ${JSON.stringify([legs, extra])}`);
    }
  });

  test('DRM-2 at maintenance level, with marks, it is the least of all covers too', () => {
    const marked = new Random(18);
    for (let i = 0; i < 4_000; i++) {
      const { legs } = randomGroup(marked, MARKED);
      if (!legs.some(({ qtyMicros }) => qtyMicros < 0)) continue;
      assert.equal(BigInt(maintenanceOf(Legs.of(legs))), byTrying(legs), JSON.stringify(legs));
    }
  });

  test('DRM-2 no marks call an account whose group is covered and paid for', () => {
    const marks = new Random(19);
    let covered = 0;
    for (const { legs } of groups) {
      // Fractions of a contract, so that everything is rounded.
      const scaled = legs.map((leg) => ({ ...leg, qtyMicros: leg.qtyMicros / 2 + marks.between(-3, 3) }));
      const known = Legs.of(scaled);
      const isCovered =
        smaller(known).rule === 'B' || cheapestCover(known).uncovered.every((qty) => qty === 0);
      if (!isCovered || requirementMicros(known) === singlyMicros(known)) continue;
      covered += 1;
      const cash = BigInt(requirementMicros(known));
      for (let turn = 0; turn < 4; turn++) {
        const valued = scaled.map((leg) => {
          const markMicros = marks.pick([0, 1, marks.between(0, 50), marks.between(0, 80 * ONE), 9e15]);
          return {
            ...leg,
            markMicros,
            unitMicros: Math.min(markMicros + marks.between(1, 20 * ONE), 2 ** 53 - 1),
          };
        });
        const equity = valued.reduce((sum, { qtyMicros, markMicros }) => {
          const product = BigInt(qtyMicros) * BigInt(markMicros);
          return sum + (product < 0n ? -((-product + 999_999n) / 1_000_000n) : product / 1_000_000n);
        }, cash);
        const needed = BigInt(maintenanceOf(Legs.of(valued)));
        assert.ok(equity >= needed, `${equity} below ${needed}: ${JSON.stringify(valued)}`);
      }
    }
    assert.ok(covered > 1_000, `${covered} groups were covered`);
  });
});
