import { type BookSide, BUY, type LevelHandle, NIL, type RunHandle } from './handles.ts';
import type { Levels } from './levels.ts';
import { RUN_LENGTH, type Runs } from './runs.ts';

const CAPACITY_MIN = 4;
const NO_FLOORS = new Float64Array(0);
const NO_RUNS = new Int32Array(0);

export interface PriceSideOptions {
  readonly levels: Levels;
  readonly runs: Runs;
  /** The number of the book. */
  readonly book: number;
  readonly side: BookSide;
}

/**
 * The price levels of one side of one book, sorted: a tree of two layers. Runs hold the levels; this class lists its
 * runs from worst to best, so that the busy end is the end of the list, and a search gallops from there. Nothing is
 * allocated before the first level.
 *
 * Keys rise with priority: the price of a bid, the negated price of an offer. The floor of a run is at most the keys of
 * its levels and above those of all worse runs; the floor of the worst run is minus infinity.
 */
export class PriceSide {
  readonly #levels: Levels;
  readonly #pool: Runs;
  readonly #book: number;
  readonly #side: BookSide;
  #floors = NO_FLOORS;
  #runs = NO_RUNS;
  #count = 0;
  #best: LevelHandle = NIL;

  constructor({ levels, runs, book, side }: PriceSideOptions) {
    this.#levels = levels;
    this.#pool = runs;
    this.#book = book;
    this.#side = side;
  }

  /** The best level, or NIL. */
  get best(): LevelHandle {
    return this.#best;
  }

  /** The next worse level, or NIL. */
  worse(level: LevelHandle): LevelHandle {
    const key = this.#keyOf(this.#levels.price(level));
    const run = this.#levels.run(level);
    const index = this.#pool.seek(run, key);
    if (index > 0) return this.#pool.level(run, index - 1);
    const slot = this.#slotOf(key);
    return slot === 0 ? NIL : this.#lastOf(this.#runAt(slot - 1));
  }

  /** The best level that is worse than a price, or NIL. */
  worseThan(price: number): LevelHandle {
    if (this.#count === 0) return NIL;
    const key = this.#keyOf(price);
    const slot = this.#slotOf(key);
    const run = this.#runAt(slot);
    const index = this.#pool.seek(run, key);
    if (index > 0) return this.#pool.level(run, index - 1);
    return slot === 0 ? NIL : this.#lastOf(this.#runAt(slot - 1));
  }

  /** The level at a price, opened if necessary. */
  obtain(price: number): LevelHandle {
    if (this.#count === 0) this.#insertRun(0, Number.NEGATIVE_INFINITY, this.#pool.open());
    const key = this.#keyOf(price);
    const slot = this.#slotOf(key);
    const run = this.#runAt(slot);
    const index = this.#pool.seek(run, key);
    if (index < this.#pool.size(run) && this.#pool.key(run, index) === key)
      return this.#pool.level(run, index);
    const level = this.#levels.open(this.#book, this.#side, price);
    if (this.#pool.size(run) === RUN_LENGTH) this.#insertSplitting(slot, index, key, level);
    else this.#insert(run, index, key, level);
    return level;
  }

  /**
   * Changes the price of a level, unless another level is at the new price or in between; returns true if it did. With
   * more than one run it returns false, because floors would have to move too.
   */
  move(level: LevelHandle, price: number): boolean {
    if (this.#count !== 1) return false;
    const run = this.#levels.run(level);
    const index = this.#pool.seek(run, this.#keyOf(this.#levels.price(level)));
    if (!this.#pool.rekey(run, index, this.#keyOf(price))) return false;
    this.#levels.setPrice(level, price);
    if (level === this.#best) this.#levels.setTop(this.#book, this.#side, price);
    return true;
  }

  /** Removes an empty level and frees its record. */
  close(level: LevelHandle): void {
    const key = this.#keyOf(this.#levels.price(level));
    const run = this.#levels.run(level);
    this.#pool.removeAt(run, this.#pool.seek(run, key));
    this.#levels.close(level);
    if (this.#pool.size(run) === 0) this.#removeRun(this.#slotOf(key));
    if (level === this.#best)
      this.#setBest(this.#count === 0 ? NIL : this.#lastOf(this.#runAt(this.#count - 1)));
  }

  #runAt(slot: number): RunHandle {
    return this.#runs[slot] as RunHandle;
  }

  #keyOf(price: number): number {
    return this.#side === BUY ? price : -price;
  }

  #lastOf(run: RunHandle): LevelHandle {
    return this.#pool.level(run, this.#pool.size(run) - 1);
  }

  /** The index of the run that a key belongs to. */
  #slotOf(key: number): number {
    const floors = this.#floors;
    let above = this.#count;
    let below = above - 1;
    let step = 1;
    while (floors[below]! > key) {
      above = below;
      below = Math.max(0, below - step);
      step <<= 1;
    }
    while (above - below > 1) {
      const middle = (above + below) >> 1;
      if (floors[middle]! > key) above = middle;
      else below = middle;
    }
    return below;
  }

  #insert(run: RunHandle, index: number, key: number, level: LevelHandle): void {
    this.#pool.insert(run, index, key, level);
    this.#levels.setRun(level, run);
    if (this.#best === NIL || key > this.#keyOf(this.#levels.price(this.#best))) this.#setBest(level);
  }

  #setBest(level: LevelHandle): void {
    this.#best = level;
    this.#levels.setTop(this.#book, this.#side, level === NIL ? 0 : this.#levels.price(level));
  }

  #insertSplitting(slot: number, index: number, key: number, level: LevelHandle): void {
    const run = this.#runAt(slot);
    const better = this.#pool.split(run);
    const kept = this.#pool.size(run);
    for (let i = 0; i < this.#pool.size(better); i++)
      this.#levels.setRun(this.#pool.level(better, i), better);
    this.#insertRun(slot + 1, this.#pool.key(better, 0), better);
    if (index <= kept) this.#insert(run, index, key, level);
    else this.#insert(better, index - kept, key, level);
  }

  #insertRun(slot: number, floor: number, run: RunHandle): void {
    if (this.#count === this.#runs.length) this.#grow();
    this.#floors.copyWithin(slot + 1, slot, this.#count);
    this.#runs.copyWithin(slot + 1, slot, this.#count);
    this.#floors[slot] = floor;
    this.#runs[slot] = run;
    this.#count += 1;
  }

  #removeRun(slot: number): void {
    this.#pool.close(this.#runAt(slot));
    this.#floors.copyWithin(slot, slot + 1, this.#count);
    this.#runs.copyWithin(slot, slot + 1, this.#count);
    this.#count -= 1;
    if (this.#count > 0) this.#floors[0] = Number.NEGATIVE_INFINITY;
  }

  #grow(): void {
    const capacity = Math.max(CAPACITY_MIN, this.#runs.length * 2);
    const floors = new Float64Array(capacity);
    const runs = new Int32Array(capacity);
    floors.set(this.#floors);
    runs.set(this.#runs);
    this.#floors = floors;
    this.#runs = runs;
  }
}
