/** Allocates blocks of one growing array, and reuses those that are freed. */
export class Blocks {
  #end: number;
  /** By size of the block, the first place of each that is free. */
  readonly #free = new Map<number, number[]>();

  /** The first `reserved` places are never allocated. */
  constructor(reserved = 0) {
    this.#end = reserved;
  }

  /** The end of the last block ever allocated: the length that the array must have. */
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
