import { type LevelHandle, NIL, type RunHandle } from './handles.ts';

/** Maximum levels per run: small enough to shift in a loop, large enough that a deep book has few runs. */
export const RUN_LENGTH = 32;
const HALF = RUN_LENGTH / 2;
const SHIFT = 5;
const CAPACITY_MIN = 64;

/**
 * Runs: short sorted stretches of price levels, from worst to best, for all books of one engine. A handle is an index,
 * valid from `open` to `close`.
 *
 * A change shifts one run and not the whole side, so a message deep in a book of many levels costs little more than one
 * at the top.
 */
export class Runs {
  #keys = new Float64Array(CAPACITY_MIN << SHIFT);
  #levels = new Int32Array(CAPACITY_MIN << SHIFT);
  #sizes = new Int32Array(CAPACITY_MIN);
  #used = 0;
  #free: RunHandle = NIL;

  /** Allocated bytes, in use or not. */
  get bytes(): number {
    return this.#keys.byteLength + this.#levels.byteLength + this.#sizes.byteLength;
  }

  size(run: RunHandle): number {
    return this.#sizes[run]!;
  }

  key(run: RunHandle, index: number): number {
    return this.#keys[(run << SHIFT) + index]!;
  }

  level(run: RunHandle, index: number): LevelHandle {
    return this.#levels[(run << SHIFT) + index] as LevelHandle;
  }

  /** The index of the first key that is not below the given one, or the size. */
  seek(run: RunHandle, key: number): number {
    const keys = this.#keys;
    const start = run << SHIFT;
    let low = start;
    let high = start + this.#sizes[run]!;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low - start;
  }

  /** Inserts a level at the index that `seek` returned for its key. The run must not be full. */
  insert(run: RunHandle, index: number, key: number, level: LevelHandle): void {
    const keys = this.#keys;
    const levels = this.#levels;
    const start = run << SHIFT;
    const at = start + index;
    for (let i = start + this.#sizes[run]!; i > at; i--) {
      keys[i] = keys[i - 1]!;
      levels[i] = levels[i - 1]!;
    }
    keys[at] = key;
    levels[at] = level;
    this.#sizes[run]! += 1;
  }

  removeAt(run: RunHandle, index: number): void {
    const keys = this.#keys;
    const levels = this.#levels;
    const start = run << SHIFT;
    const end = start + this.#sizes[run]! - 1;
    for (let i = start + index; i < end; i++) {
      keys[i] = keys[i + 1]!;
      levels[i] = levels[i + 1]!;
    }
    this.#sizes[run]! -= 1;
  }

  /** Changes the key of the level at an index; returns false if it would no longer be between its neighbours. */
  rekey(run: RunHandle, index: number, key: number): boolean {
    const keys = this.#keys;
    const at = (run << SHIFT) + index;
    const isAboveWorse = index === 0 || keys[at - 1]! < key;
    const isBelowBetter = index === this.#sizes[run]! - 1 || keys[at + 1]! > key;
    if (!isAboveWorse || !isBelowBetter) return false;
    keys[at] = key;
    return true;
  }

  /** Moves the better half of a full run into a new one, and returns that. */
  split(run: RunHandle): RunHandle {
    const better = this.open();
    const from = (run << SHIFT) + HALF;
    this.#keys.copyWithin(better << SHIFT, from, from + HALF);
    this.#levels.copyWithin(better << SHIFT, from, from + HALF);
    this.#sizes[run] = HALF;
    this.#sizes[better] = HALF;
    return better;
  }

  /** A new run without levels. */
  open(): RunHandle {
    let run = this.#free;
    if (run === NIL) {
      if (this.#used === this.#sizes.length) this.#grow();
      run = this.#used++ as RunHandle;
    } else {
      this.#free = this.#levels[run << SHIFT] as RunHandle;
    }
    this.#sizes[run] = 0;
    return run;
  }

  close(run: RunHandle): void {
    this.#levels[run << SHIFT] = this.#free;
    this.#free = run;
  }

  #grow(): void {
    const capacity = this.#sizes.length * 2;
    const keys = new Float64Array(capacity << SHIFT);
    const levels = new Int32Array(capacity << SHIFT);
    const sizes = new Int32Array(capacity);
    keys.set(this.#keys);
    levels.set(this.#levels);
    sizes.set(this.#sizes);
    this.#keys = keys;
    this.#levels = levels;
    this.#sizes = sizes;
  }
}
