/** Times defined-risk margin: of one group, and of one account with many. */

import { type Leg, Legs, maintenanceOf, requirementMicros } from '@venue/protocol/margin';

const ONE = 1_000_000;
const GROUPS = 50;
const ROUNDS = 400;
const RUNS = 5;
/** Positions of a group that is large, and of each of fifteen that make up a large account. */
const LARGE = 40;
const OF_FIFTEEN = 13;
const FIFTEEN = 15;

const LEVELS = {
  requirement: requirementMicros,
  maintenance: (legs: Legs) => Number(maintenanceOf(legs)),
} as const;

export function groupTimes() {
  return Object.entries(LEVELS).map(([level, amountOf]) => ({
    level,
    [`group of ${LARGE} positions, µs`]: round(microsecondsOf(LARGE, amountOf)),
    [`${FIFTEEN} groups of ${OF_FIFTEEN}, µs`]: round(microsecondsOf(OF_FIFTEEN, amountOf) * FIFTEEN),
  }));
}

/** The time of the fastest run: everything else that the machine does only adds to it. */
function microsecondsOf(positions: number, amountOf: (legs: Legs) => number): number {
  const groups = Array.from({ length: GROUPS }, (_, seed) => Legs.of(legsOf(positions, seed)));
  let fastest = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let run = 0; run <= RUNS; run++) {
    const start = performance.now();
    for (let round = 0; round < ROUNDS; round++) for (const legs of groups) sum += amountOf(legs);
    fastest = Math.min(fastest, performance.now() - start);
  }
  if (!Number.isFinite(sum)) throw new Error('no amounts');
  return (fastest * 1_000) / (GROUPS * ROUNDS);
}

function legsOf(positions: number, seed: number): Leg[] {
  return Array.from({ length: positions }, (_, i) => ({
    right: i % 2 === 0 ? 'C' : 'P',
    strikeMicros: (50_000 + (i >> 1) * 1_000) * ONE,
    qtyMicros: Math.round(Math.sin(i * 7 + seed * 3) * 3 * ONE),
    unitMicros: 12_000 * ONE + Math.round(Math.cos(i * seed) * 1_000 * ONE),
    markMicros: 2_000 * ONE + Math.round(Math.cos(i * seed + 1) * 1_000 * ONE),
  }));
}

function round(microseconds: number): number {
  return Number(microseconds.toFixed(1));
}
