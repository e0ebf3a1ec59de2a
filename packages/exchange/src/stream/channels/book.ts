/** The book of one series to its full depth: rows of price and quantity, best first. */

import { type BookSide, BUY, SELL, type Series } from '@venue/engine';
import { MICROS_PER_UNIT, microsToDecimal } from '@venue/protocol';
import { type Change, type Content, NO_CHANGES } from './content.ts';
import { type EndReason, endOfSeries } from './ends.ts';

type Levels = ReturnType<Series['book']['levels']>;

const SIDES = [
  { member: 'bids', side: BUY },
  { member: 'asks', side: SELL },
] as const;

export class BookContent implements Content {
  readonly #series: Series;
  /** The version that was last looked at. */
  #version: number;
  #sides: readonly Levels[];

  constructor(series: Series) {
    this.#series = series;
    this.#version = series.book.version;
    this.#sides = levelsOf(series);
  }

  get ended(): EndReason | null {
    return endOfSeries(this.#series);
  }

  get version(): number {
    return this.#series.book.version;
  }

  snapshot(): string {
    return SIDES.map(({ member }, i) => `"${member}":[${this.#sides[i]!.map(rowOf).join(',')}]`).join(',');
  }

  changes(): readonly Change[] {
    const { version } = this.#series.book;
    if (version === this.#version) return NO_CHANGES;
    this.#version = version;
    const before = this.#sides;
    this.#sides = levelsOf(this.#series);
    return SIDES.flatMap((_, i) => changesOf(i, before[i]!, this.#sides[i]!));
  }
}

function levelsOf({ book }: Series): readonly Levels[] {
  return SIDES.map(({ side }) => book.levels(side, Number.POSITIVE_INFINITY));
}

/** Both lists are sorted, so one walk along them finds every level that came, changed or left. */
function changesOf(i: number, before: Levels, after: Levels): Change[] {
  const { member, side } = SIDES[i]!;
  const changes: Change[] = [];
  const note = ({ price }: Levels[number], json: string) => changes.push({ member, key: price, json });
  let old = 0;
  for (const level of after) {
    while (old < before.length && isBetter(side, before[old]!.price, level.price))
      note(before[old]!, goneRow(before[old++]!));
    const known = before[old]?.price === level.price ? before[old++] : undefined;
    if (known?.quantity !== level.quantity) note(level, rowOf(level));
  }
  for (; old < before.length; old++) note(before[old]!, goneRow(before[old]!));
  return changes;
}

function isBetter(side: BookSide, price: number, other: number): boolean {
  return side === BUY ? price > other : price < other;
}

/** The sum of a level may exceed the exact range, though every order in it is within. */
function rowOf({ price, quantity }: Levels[number]): string {
  return `[${microsToDecimal(price)},${quantity / MICROS_PER_UNIT}]`;
}

function goneRow({ price }: Levels[number]): string {
  return `[${microsToDecimal(price)},0]`;
}
