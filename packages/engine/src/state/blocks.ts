/** Who has which part of one growing array: parts are handed out as blocks, and used again once they are given back. */
export class Blocks {
  #end: number;
  /** By size of the block, the first place of each that is free. */
  readonly #free = new Map<number, number[]>();

  /** Blocks begin behind as many places, which nobody gets. */
  constructor(reserved = 0) {
    this.#end = reserved;
  }

  /** Behind the last block that was ever handed out: the array must reach so far. */
  get end(): number {
    return this.#end;
  }

  /** The first place of a block of that size. */
  allocate(size: number): number {
    const free = this.#free.get(size)?.pop();
    if (free !== undefined) return free;
    const first = this.#end;
    this.#end += size;
    return first;
  }

  free(first: number, size: number): void {
    const known = this.#free.get(size);
    if (known === undefined) this.#free.set(size, [first]);
    else known.push(first);
  }
}
