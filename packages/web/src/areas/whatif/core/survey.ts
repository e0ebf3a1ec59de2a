/** A book over all spots and dates that the sliders reach: the heat table, and where the account would be liquidated. */

import { minutesLeft, yearsOf } from '@venue/protocol/margin';
import type { Book } from './book.ts';
import type { Imagined, WhatIf } from './what-if.ts';

/** The ends of the sliders. */
export const SPOT_MAX = 0.3;
export const VOL_MIN = -0.2;
export const VOL_MAX = 0.4;

/** Moves of spot in the table, in steps. */
const TABLE_STEPS = [-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3] as const;
/** A step of the table is the one of these nearest to a standard deviation; three of the largest make SPOT_MAX. */
const STEPS_OF_SPOT = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1] as const;
const TABLE_DATES = 6;
const DAY_MS = 86_400_000;

/** A date of the table. */
export interface TableDate {
  /** From now. */
  readonly days: number;
  /** Unix seconds, if it is an expiry of the book. */
  readonly expiryTs: number | null;
}

/** The table's dates, and its moves of spot. */
export interface TableEdges {
  readonly dates: readonly TableDate[];
  readonly spots: readonly number[];
}

export interface HeatCell {
  readonly change: number;
  readonly isCalled: boolean;
}

/** The nearest moves of spot at which a margin call begins, null where none does within the sliders. */
export interface CallPoints {
  readonly down: number | null;
  readonly up: number | null;
  /** True if there is one already without a move. */
  readonly isAtOnce: boolean;
}

/** Days to each expiry that is still to come, ascending. */
export function expiriesOf({ lines, atMs }: Pick<Book, 'lines' | 'atMs'>): TableDate[] {
  const held = lines.filter(({ qtyMicros, isLive }) => qtyMicros !== 0 && isLive);
  return [...new Set(held.map(({ expiryTs }) => expiryTs))]
    .sort((a, b) => a - b)
    .map((expiryTs) => ({ expiryTs, days: (expiryTs * 1_000 - atMs) / DAY_MS }));
}

/**
 * Now and five dates more: expiries of the book, the first and the last among them; where there are fewer, the longest
 * times between them are halved. Empty where nothing is to come.
 */
export function tableDates(book: Pick<Book, 'lines' | 'atMs'>): TableDate[] {
  const expiries = expiriesOf(book);
  if (expiries.length === 0) return [];
  const dates: TableDate[] = [{ days: 0, expiryTs: null }, ...chosenOf(expiries, TABLE_DATES - 1)];
  while (dates.length < TABLE_DATES) {
    const gaps = dates.slice(1).map(({ days }, i) => days - dates[i]!.days);
    const widest = gaps.indexOf(Math.max(...gaps));
    const days = dates[widest]!.days + gaps[widest]! / 2;
    dates.splice(widest + 1, 0, { days, expiryTs: null });
  }
  return dates;
}

/**
 * The table's moves of spot: half a standard deviation, one, two and three of the nearest expiry held, to either side.
 *
 * @example tableSpots(book) // thirteen hours before its expiry: [-0.06, -0.04, -0.02, -0.01, 0, 0.01, 0.02, 0.04, 0.06]
 */
export function tableSpots(book: Pick<Book, 'lines' | 'atMs'>): number[] {
  const deviation = deviationOf(book);
  const step = STEPS_OF_SPOT.reduce((best, one) =>
    Math.abs(Math.log(one / deviation)) < Math.abs(Math.log(best / deviation)) ? one : best,
  );
  // In whole parts of ten thousand, as 3 x 0.1 is no 0.3 of a double.
  return TABLE_STEPS.map((steps) => Math.round(steps * step * 10_000) / 10_000);
}

/** A standard deviation of spot up to the nearest expiry held, as a share; the largest step where it is unknown. */
function deviationOf({ lines, atMs }: Pick<Book, 'lines' | 'atMs'>): number {
  const held = lines.filter(({ qtyMicros, isLive, vol }) => qtyMicros !== 0 && isLive && vol !== null);
  const nearest = Math.min(...held.map(({ expiryTs }) => expiryTs));
  const vols = held.filter(({ expiryTs }) => expiryTs === nearest).map(({ vol }) => vol!);
  if (vols.length === 0) return STEPS_OF_SPOT.at(-1)!;
  const years = yearsOf(minutesLeft({ cutoffMs: nearest * 1_000 }, atMs));
  return Math.min(...vols) * Math.sqrt(years);
}

/** As many of a list, evenly, its ends among them. */
function chosenOf<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, i) => list[Math.round((i * (list.length - 1)) / (count - 1))]!);
}

/** By date and spot, at one move of volatility. */
export function heatTable(whatIf: WhatIf, { dates, spots }: TableEdges, vol: number): HeatCell[][] {
  return dates.map(({ days }) =>
    spots.map((spot) => {
      const { change, isCalled } = whatIf.outlook({ spot, vol, days });
      return { change, isCalled };
    }),
  );
}

const STEPS = 60;
const HALVINGS = 8;

/** Searches the moves of spot to both sides, each half a percent, and then the place between two of them. */
export function callPoints(whatIf: WhatIf, { vol, days }: Pick<Imagined, 'vol' | 'days'>): CallPoints {
  const isCalled = (spot: number) => whatIf.outlook({ spot, vol, days }).isCalled;
  if (isCalled(0)) return { down: null, up: null, isAtOnce: true };
  return { down: firstCalled(isCalled, -SPOT_MAX), up: firstCalled(isCalled, SPOT_MAX), isAtOnce: false };
}

function firstCalled(isCalled: (spot: number) => boolean, end: number): number | null {
  for (let step = 1; step <= STEPS; step++) {
    let called = (end * step) / STEPS;
    if (!isCalled(called)) continue;
    let free = (end * (step - 1)) / STEPS;
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (free + called) / 2;
      if (isCalled(middle)) called = middle;
      else free = middle;
    }
    return called;
  }
  return null;
}
